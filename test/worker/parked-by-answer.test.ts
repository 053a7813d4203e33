/** Jobs that the answer to their first create has parked, in a watched folder. */
import { expect, test } from 'vitest';
import { applyJob, resumeJob } from '../../src/import/run.ts';
import { createClient } from '../../src/api/client.ts';
import { RequestMeter } from '../../src/api/meter.ts';
import { systemClock } from '../../src/base/clock.ts';
import { runImport } from '../../src/worker/tasks/run-import.ts';
import { csv } from '../support/csv.ts';
import { openImport, QUIET_MS } from '../support/open-import.ts';
import { openWorker } from './open-worker.ts';

const SKU = 'custom_fields.sku';

async function openFolder(options: string, table: string) {
  const yaml = `hotFolders:\n  - { path: ./drop, profile: main, import: { collection: Main, ${options} } }\n`;
  const place = await openWorker(yaml, { storing: { escapeTexts: true } });
  const drop = place.dropper('drop');
  const again = async () => {
    drop('toys.csv', table);
    drop('toys.csv.ready', '');
    return place.once();
  };
  return { place, again, [Symbol.asyncDispose]: () => place[Symbol.asyncDispose]() };
}

test('the same file dropped again sends no further amount in another currency', async () => {
  const table = csv(
    ['name', 'Price'],
    [
      ['A', '12 €'],
      ['B', '15 €'],
      ['C', '3 €'],
    ],
  );
  await using folder = await openFolder('map: { estimated_value: Price }', table);
  const { place, again } = folder;
  const [first] = (await again()).runs;
  expect([first?.state, first?.exitCode, first?.error?.code]).toEqual(['failed', 3, 'other_currency']);
  const [second] = (await again()).runs;
  expect([second?.state, second?.error?.code]).toEqual(['failed', 'mostly_rejected']);
  expect(second?.files?.some((file) => file.endsWith('.rejects.csv'))).toBe(true);
  expect(place.sandbox.control.items()).toHaveLength(1);
});

test.each([
  ['resumed', resumeJob],
  ['applied', applyJob],
])(
  'a job whose match key the server changes continues once a person has %s it with --yes',
  async (_, goOn) => {
    const table = csv(
      ['name', 'SKU'],
      [
        ['A', 'A&1'],
        ['B', 'B&2'],
        ['C', 'C&3'],
      ],
    );
    await using folder = await openFolder(`mode: upsert, match: [${SKU}], map: { ${SKU}: SKU }`, table);
    const { place, again } = folder;
    const [run] = (await again()).runs;
    expect([run?.state, run?.exitCode, run?.error?.code]).toEqual(['failed', 3, 'key_not_kept']);
    expect(run?.error?.remedy).toContain(`resume job ${run?.id} (yes)`);
    await using client = createClient({ apiUrl: place.sandbox.url, key: place.sandbox.key });
    const { signal } = new AbortController();
    const { ledger } = place;
    const deps = {
      client,
      ledger,
      meter: new RequestMeter(),
      clock: systemClock,
      signal,
      emit: () => undefined,
    };
    const done = await goOn(run?.id ?? '', deps, { yes: true, quietPeriodMs: 60 });
    expect([done.exitCode, done.summary.rows]).toMatchObject([0, { created: 3, pending: 0 }]);
    expect(place.sandbox.control.items()).toHaveLength(3);
  },
);

test.each([[{}], [{ alertShare: 0.5 }]])(
  'values that the server does not keep are told (%j)',
  async (more) => {
    await using at = await openImport({ storing: { dropCustomFields: true } });
    const file = await at.file('toys.csv', csv(['name', SKU], [['A', 'S-1']]));
    const request = { jobId: '261127-aaaaaaaa', file, knownAs: file, collection: 'Main', ...more };
    const end = await at.run((deps) => runImport(request, deps, { quietPeriodMs: QUIET_MS }));
    expect(end).toMatchObject({ kind: 'done', exitCode: 3, notice: { code: 'values_not_kept' } });
  },
);
