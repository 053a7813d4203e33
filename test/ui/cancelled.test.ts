/** The page of a job that was cancelled, or answered, somewhere else: in another tab, or on the command line. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../src/api/client.ts';
import { RequestMeter } from '../../src/api/meter.ts';
import { systemClock } from '../../src/base/clock.ts';
import { applyJob } from '../../src/import/run.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { ended, openPage } from './open-page.ts';

const NAMES = Array.from({ length: 30 }, (_, n) => `Toy robot number ${n}`);

/** @param there how many of the toys are there before the file is read */
async function open({ there = 0 } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'shelflift-cancelled-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const store = join(folder, 'store.db');
  const sandbox = await startSandbox();
  sandbox.control.insertItems(NAMES.slice(0, there).map((name) => ({ name, brand: 'Acme' })));
  const client = createClient({ apiUrl: sandbox.url, key: sandbox.key });
  onTestFinished(async () => {
    await client.close();
    await sandbox[Symbol.asyncDispose]();
  });
  const page = await openPage({
    environment: { SHELFLIFT_API_URL: sandbox.url, SHELFLIFT_API_KEY: sandbox.key, SHELFLIFT_STORE: store },
  });
  const visit = await page.enter();
  const file = (
    await visit.upload('toys.csv', `name,brand\n${NAMES.map((each) => `${each},Acme\n`).join('')}`)
  ).headers.location;
  await visit.post(`${file}/read`, { collection: 'Main' });
  const job = (await ended(visit, `${file}/reading`)).replace(/\/\w+$/, '');
  return { sandbox, client, store, visit, job };
}

test('a form of a tab that showed the job as open does not send it after it was cancelled', async () => {
  const { sandbox, visit, job } = await open();
  await visit.post(`${job}/send`, { how: 'first' });
  await ended(visit, `${job}/sending`);
  expect(sandbox.control.items()).toHaveLength(20);
  await visit.post(`${job}/stop`);
  for (const old of ['resume', 'send']) {
    await visit.post(`${job}/${old}`);
    expect(await ended(visit, `${job}/sending`)).toBe(`${job}/result`);
  }
  expect(sandbox.control.items()).toHaveLength(20);
  const { text } = await visit.get(`${job}/result`);
  const [, name = '', value = ''] =
    /\/resume">.*?name="(cancelled)" value="(\w+)".*?Send the rest anyway/s.exec(text) ?? [];
  await visit.post(`${job}/resume`, { [name]: value });
  await ended(visit, `${job}/sending`);
  expect(sandbox.control.items()).toHaveLength(30);
});

test('a question that was answered on the command line is not asked again on the page', async () => {
  const { sandbox, client, store, visit, job } = await open({ there: 5 });
  await visit.post(`${job}/compare`);
  await ended(visit, `${job}/sending`);
  await visit.post(`${job}/send`);
  expect(await ended(visit, `${job}/sending`)).toBe(`${job}/plan`);
  await using ledger = await openLedger(store);
  const deps = {
    client,
    ledger,
    meter: new RequestMeter(),
    clock: systemClock,
    signal: new AbortController().signal,
    emit: () => undefined,
  };
  const { exitCode } = await applyJob(job.slice('/job/'.length), deps, { yes: true });
  expect([exitCode, sandbox.control.items().length]).toEqual([0, 35]);
  expect((await visit.get(job)).headers.location).toBe(`${job}/result`);
  expect((await visit.get(`${job}/plan`)).text).not.toContain('name="sure"');
});
