import { describe, expect, it } from 'vitest';
import { openSqliteLedger } from '../../src/ledger/sqlite/sqlite-ledger.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { ended, newPlace, type Place } from '../cli/run-shelflift.ts';
import { toyNames, toys } from '../support/csv.ts';
import { expectExactlyOnce } from '../support/exactly-once.ts';
import type { JobSummary } from '../../src/import/results/summary.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';

const ALWAYS = ['--collection', 'Main', '--json', '--quiet', '--quiet-period', '150ms', '--yes'];

function placeBefore(sandbox: Sandbox): Place {
  return newPlace({
    SHELFLIFT_API_URL: sandbox.url,
    SHELFLIFT_API_KEY: sandbox.key,
    SHELFLIFT_STORE: 'ledger.db',
  });
}

async function both(place: Place, files: string[]) {
  const runs = files.map((file) => ended(place.start(['import', file, ...ALWAYS])));
  return (await Promise.all(runs)).map(({ code, stdout, stderr }) => {
    expect(stdout, stderr).toMatch(/^\{/);
    return { code, summary: JSON.parse(stdout) as JobSummary };
  });
}

describe('two processes on one store and one key', () => {
  it('that import the same file at once send each row once, and report one job', async () => {
    await using sandbox = await startSandbox({ latencyMs: 5 });
    const place = placeBefore(sandbox);
    place.file('toys.csv', toys(120));
    const [one, two] = await both(place, ['toys.csv', 'toys.csv']);
    expect(
      sandbox.control
        .items()
        .map((item) => item.name)
        .sort(),
    ).toEqual(toyNames(120));
    // The later one finds the import under way (3), or finished (0): never an error, never a second job.
    expect([one?.code, two?.code]).toContain(0);
    for (const { code } of [one, two].filter((run) => run !== undefined)) expect([0, 3]).toContain(code);
    expect(one?.summary.job).toBe(two?.summary.job);
  });

  it('that import two files at once take turns, and every row is sent once', async () => {
    await using sandbox = await startSandbox({
      latencyMs: 5,
      faults: { dropAfterCommit: 0.05, dropBefore: 0.05, operations: ['createItem'] },
      faultSeed: 4,
    });
    const place = placeBefore(sandbox);
    place.file('toys.csv', toys(80));
    place.file('cars.csv', toys(80, 'Car'));
    const runs = await both(place, ['toys.csv', 'cars.csv']);
    expect(runs.map(({ code, summary }) => [code, summary.rows.created])).toEqual([
      [0, 80],
      [0, 80],
    ]);
    await using ledger = openSqliteLedger(`${place.folder}/ledger.db`);
    const items = sandbox.control.items();
    expect(items).toHaveLength(160);
    for (const [index, prefix] of ['Toy', 'Car'].entries()) {
      const own = items.filter((item) => item.name.startsWith(prefix));
      expect(await expectExactlyOnce(ledger, runs[index]?.summary.job ?? '', own)).toEqual({
        created: 80,
        held: 0,
      });
    }
  });
});
