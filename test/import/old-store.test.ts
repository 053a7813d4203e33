/** A store that an earlier release wrote: it opens, goes on with its jobs, and knows its rows. */
import { readFile } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { openSqliteLedger } from '../../src/ledger/sqlite/sqlite-ledger.ts';
import { checkStore } from '../../src/ledger/upkeep/check-store.ts';
import type { RunOptions } from '../../src/import/job/options.ts';
import { UNDONE } from '../../src/import/undo/undone.ts';
import { openImport } from '../support/open-import.ts';

const rows = (from: number, to: number) =>
  `name,brand,sku\n${Array.from({ length: to - from + 1 }, (_, index) => `Toy ${from + index},Kenner,K-${from + index}\n`).join('')}`;

test('a store of schema 3 opens, resumes its job, knows its rows, and its applied file stays applied', async () => {
  await using it = await openImport({ seed: 7, seedItems: 1 });
  const store = `${it.folder}/old.db`;
  const text = await readFile(new URL('../ledger/stores/schema-3.sql', import.meta.url), 'utf8');
  const db = new DatabaseSync(store);
  db.exec(text.replaceAll('{{folder}}', it.folder));
  const [{ collections = '{}' } = {}] = db
    .prepare("SELECT json_extract(record, '$.collections') AS collections FROM jobs")
    .all() as { collections?: string }[];
  const [trains = ''] = Object.values(JSON.parse(collections) as Record<string, string>);
  const sent = db
    .prepare(`SELECT job, item_id AS id, payload FROM rows WHERE action = 'create' AND item_id IS NOT NULL`)
    .all() as { job: number; id: string; payload: string }[];
  db.close();
  it.sandbox.control.insertItems(
    sent.map(({ job, id, payload }) => {
      const fields = JSON.parse(payload) as { name: string; custom_fields: Record<string, unknown> };
      const undone = {
        status: 'archived' as const,
        custom_fields: { ...fields.custom_fields, [UNDONE]: 'taken back' },
      };
      return { ...fields, id, collection_id: trains, ...(job === 3 ? undone : {}) };
    }),
  );
  await using ledger = openSqliteLedger(store);
  const setting = { ledger, client: { target: 'old' } };
  const send = async (name: string, content: string, run: RunOptions = {}) => {
    const file = await it.file(name, content);
    const map = { 'custom_fields.sku': 'sku' };
    return (await it.import({ file, collection: 'Trains', map, outDir: it.folder, run }, setting)).summary;
  };
  const created = () => it.items().length - 1 - sent.length;

  expect((await send('applied.csv', rows(1, 5))).state).toBe('already_applied');
  expect((await send('applied.csv', rows(1, 7), { onlyNew: true })).rows).toMatchObject({
    created: 2,
    skipped: 5,
  });
  // The longer file, and then the resume of the one that was begun.
  expect((await send('begun.csv', rows(11, 16), { onlyNew: true })).rows).toMatchObject({
    created: 1,
    skipped: 5,
  });
  const begun = (await ledger.jobs.list()).find(({ state }) => state === 'paused');
  expect((await it.resume(begun?.id ?? '', {}, setting)).summary).toMatchObject({
    state: 'done',
    rows: { created: 5 },
  });
  // What was undone was never sent.
  expect(await send('undone.csv', rows(21, 23))).toMatchObject({ state: 'done', rows: { created: 3 } });
  expect(created()).toBe(2 + 1 + 3 + 3);
  expect(await checkStore(store)).toMatchObject({ ok: true, problems: [] });
});
