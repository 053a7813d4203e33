/** A longer file, imported while and after others of its rows are sent: whatever is killed, every row is there once. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts';
import { ended, newPlace, type Place } from '../cli/run-shelflift.ts';
import { toyNames, toys } from '../support/csv.ts';
import { random } from '../support/seed.ts';

const SHORT = 40;
const LONG = 70;
const ALWAYS = ['--json', '--quiet', '--quiet-period', '300ms', '--yes'];

function placeBefore(sandbox: Sandbox): Place {
  const place = newPlace({
    SHELFLIFT_API_URL: sandbox.url,
    SHELFLIFT_API_KEY: sandbox.key,
    SHELFLIFT_STORE: 'ledger.db',
  });
  place.file('short.csv', toys(SHORT));
  place.file('long.csv', toys(LONG));
  // The same rows in another file.
  place.file('other.csv', `${toys(LONG)}\r\n`);
  return place;
}

const startImport = (place: Place, file: string) =>
  place.start(['import', file, '--collection', 'Main', ...ALWAYS]);

/** Kills it once there are so many items; it may have ended by then. */
async function killAt(sandbox: Sandbox, items: number, child: ReturnType<typeof startImport>): Promise<void> {
  const end = ended(child).then(() => true);
  while (sandbox.control.items().length < items) if (await Promise.race([end, sleep(10, false)])) break;
  child.kill('SIGKILL');
  await end;
}

/** Resumes what is not finished, oldest or newest first. */
async function resumeAll(place: Place, order: 'oldest' | 'newest'): Promise<void> {
  const { stdout } = await place.run(['jobs', 'list', '--json']);
  const { jobs } = JSON.parse(stdout) as { jobs: { job: string; state: string }[] };
  const open = jobs.filter(({ state }) => state !== 'done').map(({ job }) => job);
  if (order === 'oldest') open.reverse();
  for (const job of open) {
    const run = await place.run(['jobs', 'resume', job, ...ALWAYS]);
    expect([0, 3], run.stderr).toContain(run.code);
  }
}

function expectEachRowOnce(sandbox: Sandbox): void {
  const names = sandbox.control.items().map(({ name }) => name);
  expect(names.sort()).toEqual(toyNames(LONG));
}

describe('a longer file', () => {
  it.each([
    ['long.csv', 'long.csv'],
    ['long.csv', 'other.csv'],
  ])('that two processes import at once is sent once (%s and %s)', async (...files) => {
    await using sandbox = await startSandbox({ latencyMs: 10 });
    const place = placeBefore(sandbox);
    expect((await ended(startImport(place, 'short.csv'))).code).toBe(0);
    const runs = await Promise.all(files.map((file) => ended(startImport(place, file))));
    for (const { code, stderr } of runs) expect([0, 3], stderr).toContain(code);
    await resumeAll(place, 'oldest');
    expectEachRowOnce(sandbox);
  });

  it.each(['oldest', 'newest'] as const)(
    'whose three imports are killed is sent once (%s resumed first)',
    async (order) => {
      await using sandbox = await startSandbox({ latencyMs: 30 });
      const place = placeBefore(sandbox);
      await killAt(sandbox, 10, startImport(place, 'short.csv'));
      const at = 10 + Math.floor(random() * 30);
      await Promise.all(
        ['long.csv', 'other.csv'].map((file, index) =>
          killAt(sandbox, at + 10 * index, startImport(place, file)),
        ),
      );
      await resumeAll(place, order);
      // What a killed import had planned, another may have left to it.
      await resumeAll(place, order);
      expectEachRowOnce(sandbox);
    },
  );
});
