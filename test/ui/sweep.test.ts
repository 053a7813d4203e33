/** What the page removes of the files that people brought in: only what nobody needs any more. */
import { mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { openSqliteLedger } from '../../src/ledger/sqlite/sqlite-ledger.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { openUi } from '../../src/ui/server.ts';
import { ended, openPage } from './open-page.ts';
import { enter } from './visit.ts';

const DAY_S = 24 * 3600;

/** A page of a real account, with a file that was imported and one that never was; both two days old. */
async function importedTwoDaysAgo() {
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox.close());
  const account = { SHELFLIFT_API_URL: sandbox.url, SHELFLIFT_API_KEY: sandbox.key };
  const page = await openPage({ environment: account });
  const visit = await page.enter();
  const file = (await visit.upload('toys.csv', 'name\nRobot\n')).headers.location ?? '';
  const collection = /<option value="([^"]+)"[^>]*>Main</.exec((await visit.get(file)).text)?.[1] ?? '';
  await visit.post(`${file}/read`, { collection });
  const job = (await ended(visit, `${file}/reading`)).split('/')[2] ?? '';
  await visit.post(`/job/${job}/send`, { how: 'all' });
  await ended(visit, `/job/${job}/sending`);
  const never = (await visit.upload('never.csv', 'name\nBear\n')).headers.location ?? '';
  const state = join(page.folder, 'state/shelflift');
  const spool = join(state, 'ui/spool');
  mkdirSync(join(spool, 'f'.repeat(16)));
  writeFileSync(join(spool, 'f'.repeat(16), 'half'), 'name');
  const then = Date.now() / 1000 - 2 * DAY_S;
  for (const id of readdirSync(spool)) utimesSync(join(spool, id), then, then);
  return {
    visit,
    kept: file.split('/')[2] ?? '',
    left: never.split('/')[2] ?? '',
    store: join(state, 'ledger.db'),
    there: () => readdirSync(spool),
    /** Ends the page and opens it again, which looks at all files at once. */
    again: async (between = () => {}) => {
      await page.served[Symbol.asyncDispose]();
      between();
      const environment = page.environment;
      const { url, served } = await openUi({
        choice: {},
        port: 0,
        settings: { timeoutMs: 30_000 },
        environment,
      });
      onTestFinished(() => served?.[Symbol.asyncDispose]());
      return enter(url);
    },
  };
}

test('an imported file and its results are kept while the page shows the practice account', async () => {
  const it = await importedTwoDaysAgo();
  await it.visit.post('/connect/practice', {});
  const visit = await it.again();
  await vi.waitFor(() => expect(it.there()).toEqual([it.kept]), { timeout: 30_000 });
  // It may have been the last in turn.
  await systemClock.sleep(300);
  expect(it.there()).toEqual([it.kept]);
  expect((await visit.get('/')).text).toContain('ractice');
});

test('an imported file is kept while its store is locked', async () => {
  const it = await importedTwoDaysAgo();
  const store = openSqliteLedger(it.store);
  const find = vi.spyOn(Object.getPrototypeOf(store.jobs) as typeof store.jobs, 'find');
  onTestFinished(() => find.mockRestore());
  await store.close();
  find.mockRejectedValue(new Error('database is locked'));
  await it.again();
  await vi.waitFor(() => expect(it.there()).toEqual([it.kept]), { timeout: 30_000 });
  // It may have been the last in turn.
  await systemClock.sleep(300);
  expect(it.there()).toEqual([it.kept]);
});

test('an imported file is removed when its own store no longer has its job', async () => {
  const it = await importedTwoDaysAgo();
  await it.again(() => {
    for (const end of ['', '-wal', '-shm']) rmSync(it.store + end, { force: true });
  });
  await vi.waitFor(() => expect(it.there()).toEqual([]), { timeout: 30_000 });
});
