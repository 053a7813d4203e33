/** A dry run ends with the exit code of what would be sent: a plan that waits for a person is not all well. */
import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import type { ApiClient } from '../../src/api/client.ts';
import { resolveRow } from '../../src/import/jobs/resolve-row.ts';
import type { ImportRequest } from '../../src/import/job/options.ts';
import { setItems } from '../../src/import/run.ts';
import { csv } from '../support/csv.ts';
import { type OpenImport, openImport } from '../support/open-import.ts';
import { overriding } from '../support/overriding.ts';

const HEADERS = ['id', 'name', 'status', 'collection_id', 'estimated_value', 'updated_at'] as const;
const KEYED: Partial<ImportRequest> = { mode: 'upsert', match: ['custom_fields.sku'] };

/** An export in which A was edited, of two items of which B was changed after it. */
async function olderExport(it: OpenImport): Promise<string> {
  it.sandbox.control.insertItems(['A', 'B'].map((name) => ({ name, estimated_value: 20 })));
  await new Promise((resolve) => setTimeout(resolve, 5));
  const rows = it.items().map((item) => HEADERS.map((header) => String(item[header])));
  const changes = ['estimated_value=99'];
  await it.run((deps) => setItems({ changes, where: 'name=B', outDir: it.folder, run: { yes: true } }, deps));
  return it.file('items.csv', csv([...HEADERS], rows));
}

const toys = (count: number) =>
  csv(
    ['name'],
    Array.from({ length: count }, (_, index) => [`Toy ${index}`]),
  );
const keyedItem = (name: string) => ({ name, custom_fields: { sku: 'S1' } });
const keyed = (it: OpenImport, name: string, more = '') =>
  it.file('toys.csv', `name,custom_fields.sku,status${more && ',qty'}\n${name},S1,sell${more}\n`);

const CASES: Record<string, (it: OpenImport) => Promise<Partial<ImportRequest> & { file: string }>> = {
  'holds a row with older values': async (it) => ({
    file: await olderExport(it),
    mode: 'update',
    match: ['id'],
  }),
  'leaves out a row that has drifted': async (it) => ({
    file: await olderExport(it),
    mode: 'update',
    match: ['id'],
    run: { onDrift: 'skip' },
  }),
  'holds a row with more items than copies': async (it) => {
    it.sandbox.control.insertItems(['A', 'B'].map(keyedItem));
    return { file: await keyed(it, 'A', ',1'), map: { quantity: 'qty' }, ...KEYED };
  },
  'holds a row whose item has another key by now': async (it) => {
    const file = await keyed(it, 'A');
    await it.import({ file, ...KEYED });
    const id = it.items()[0]?.id ?? '';
    await it.run(({ client }) => client.updateItem(id, { custom_fields: { sku: 'S2' } }));
    return { file, ...KEYED, force: true };
  },
  'holds a sent row that was edited': async (it) => {
    const { summary } = await it.import({ file: await it.file('toys.csv', toys(2)) });
    const results = summary.files.results ?? '';
    await writeFile(results, (await readFile(results, 'utf8')).replace('Toy 1', 'Panda'));
    return { file: results };
  },
  'leaves rows to a job that is paused': async (it) => {
    await it.import({ file: await it.file('toys.csv', toys(3)), run: { first: 1 } });
    return { file: await it.file('more.csv', toys(4)), run: { onlyNew: true } };
  },
  'is of a file whose job ended with a refused row': async (it) => {
    const file = await it.file('toys.csv', toys(2));
    const elsewhere = { collection_id: randomUUID() };
    const refuse = (client: ApiClient) =>
      overriding(client, {
        createItem: (...[body, options]: Parameters<ApiClient['createItem']>) =>
          client.createItem({ ...body, ...(body.name === 'Toy 1' ? elsewhere : {}) }, options),
      });
    await it.import({ file }, { wrap: refuse });
    return { file };
  },
};

it.each(Object.entries(CASES))('a plan that %s ends with 3, as its job does', async (_, prepare) => {
  await using it = await openImport();
  const request = await prepare(it);
  const dry = await it.import({ ...request, dryRun: true });
  const sent = await it.import(request);
  expect([dry.exitCode, sent.exitCode]).toEqual([3, 3]);
});

it('a held row of a dry run can be resolved, and the plan then applied', async () => {
  await using it = await openImport();
  const request = { file: await olderExport(it), mode: 'update' as const, match: ['id'] };
  const { summary, said, actions } = await it.import({ ...request, dryRun: true });
  const { job } = summary;
  expect(said.map(({ code }) => code)).toEqual(['dry_run_over', 'nothing_to_send', 'rows_are_held']);
  expect(actions).toMatchObject([{ do: 'show', job }]);
  const decided = await it.run((deps) => resolveRow(job, 2, { as: 'mine' }, deps));
  expect(decided.actions).toMatchObject([{ do: 'apply', job }]);
  expect(await it.apply(job)).toMatchObject({ exitCode: 0, summary: { rows: { updated: 1 } } });
});
