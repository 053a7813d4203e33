/** `jobs cancel` wins over a process that has not begun to send: real processes on one store and one key. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { JobSummary } from '../../src/import/results/summary.ts';
import type { JobRecord } from '../../src/ledger/ledger.ts';
import { openSqliteLedger } from '../../src/ledger/sqlite/sqlite-ledger.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts';
import { ended, newPlace, type Place } from '../cli/run-shelflift.ts';
import { csv, toys } from '../support/csv.ts';

function placeBefore(sandbox: Sandbox): Place {
  return newPlace({
    SHELFLIFT_API_URL: sandbox.url,
    SHELFLIFT_API_KEY: sandbox.key,
    SHELFLIFT_STORE: 'ledger.db',
  });
}

/** The job of a file, once it is in the store. */
async function jobOf(place: Place, file: string, isReady: (job: JobRecord) => boolean): Promise<string> {
  for (;;) {
    await using ledger = openSqliteLedger(`${place.folder}/ledger.db`);
    const job = (await ledger.jobs.list()).find((each) => each.source.file.endsWith(file));
    if (job !== undefined && isReady(job)) return job.id;
    await sleep(50);
  }
}

async function cancelled(place: Place, id: string): Promise<void> {
  const cancel = await place.run(['jobs', 'cancel', id, '--json']);
  expect(cancel.code, cancel.stderr).toBe(0);
  expect(JSON.parse(cancel.stdout)).toMatchObject({ job: id, state: 'cancelled' });
}

it('a job that is cancelled while it waits for its turn sends nothing', async () => {
  // The first job takes a minute, if nobody lets it go on faster: two processes more start meanwhile.
  await using sandbox = await startSandbox({ latencyMs: 200 });
  const place = placeBefore(sandbox);
  place.file('toys.csv', toys(1200));
  place.file('cars.csv', toys(20, 'Car'));
  const always = ['--collection', 'Main', '--json', '--yes', '--max-concurrency', '4'];
  const first = ended(place.start(['import', 'toys.csv', ...always]));
  await jobOf(place, 'toys.csv', (job) => job.firstSentAt !== undefined);
  const waits = place.start(['import', 'cars.csv', ...always]);
  const second = ended(waits);
  let told = '';
  for await (const chunk of waits.stderr ?? []) {
    told += String(chunk);
    if (told.includes('waiting for')) break;
  }
  await cancelled(place, await jobOf(place, 'cars.csv', () => true));
  sandbox.control.setLatency(0);
  const { code, stdout } = await second;
  expect(code).toBe(3);
  expect(JSON.parse(stdout)).toMatchObject({ state: 'cancelled', rows: { created: 0, pending: 20 } });
  expect((await first).code).toBe(0);
  expect(sandbox.control.items().filter(({ name }) => name.startsWith('Car'))).toEqual([]);

  // A resume leaves it cancelled; only an apply sends it after all.
  const resumed = JSON.parse((await place.run(['jobs', 'resume', 'last', '--json'])).stdout) as JobSummary;
  expect(resumed.state).toBe('cancelled');
  const applied = await place.run(['jobs', 'apply', resumed.job, '--json', '--yes']);
  expect(JSON.parse(applied.stdout)).toMatchObject({ state: 'done', rows: { created: 20 } });
});

it('a job that is cancelled while it is being planned sends nothing', async () => {
  // A hundred pages, one after the other, take the plan most of a minute, if nobody lets it go on faster.
  await using sandbox = await startSandbox({ latencyMs: 400 });
  sandbox.control.insertItems(Array.from({ length: 10_000 }, (_, index) => ({ name: `Old ${index}` })));
  const place = placeBefore(sandbox);
  const rows = Array.from({ length: 20 }, (_, index) => [`Toy ${index}`, `S-${index}`]);
  place.file('toys.csv', csv(['name', 'sku'], rows));
  const keyed = ['--mode', 'upsert', '--match', 'custom_fields.sku', '--map', 'custom_fields.sku=sku'];
  const always = ['--collection', 'Main', '--json', '--yes', '--quiet', '--max-concurrency', '1'];
  const run = ended(place.start(['import', 'toys.csv', ...keyed, ...always]));
  await cancelled(place, await jobOf(place, 'toys.csv', (job) => job.fingerprint === undefined));
  sandbox.control.setLatency(0);
  const { code, stdout } = await run;
  expect(code).toBe(3);
  expect(JSON.parse(stdout)).toMatchObject({ state: 'cancelled', rows: { created: 0, pending: 20 } });
  expect(sandbox.control.counts().byOperation.createItem).toBeUndefined();
});
