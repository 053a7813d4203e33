/** Files that the page gives to a person. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { ended, openPage } from './open-page.ts';

async function open() {
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox[Symbol.asyncDispose]());
  const page = await openPage({
    environment: { SHELFLIFT_API_URL: sandbox.url, SHELFLIFT_API_KEY: sandbox.key },
  });
  const visit = await page.enter();
  const read = async (file: string, choices: Record<string, string> = {}) => {
    await visit.post(`${file}/read`, { collection: 'Main', ...choices });
    return (await ended(visit, `${file}/reading`)).replace(/\/\w+$/, '');
  };
  const send = async (job: string) => {
    await visit.post(`${job}/send`);
    await ended(visit, `${job}/sending`);
  };
  return { sandbox, page, visit, read, send };
}

test('a plan is downloaded without a file beside the source', async () => {
  const { page, visit, read } = await open();
  const file = (await visit.upload('toys.csv', 'name\nA\n')).headers.location ?? '';
  const job = await read(file);
  const folder = join(page.folder, 'state/shelflift/ui/spool', file.replace('/file/', ''));
  await mkdir(folder, { recursive: true });
  const own = join(folder, 'toys.csv.plan.xlsx');
  await writeFile(own, 'remarks of a reviewer');
  const { bytes, status } = await visit.get(`${job}/plan.xlsx`);
  expect([status, bytes.subarray(0, 2).toString()]).toEqual([200, 'PK']);
  expect(await readFile(own, 'utf8')).toBe('remarks of a reviewer');
});

test('the results of a job are its own after its file was read and sent again', async () => {
  const { sandbox, visit, read, send } = await open();
  const file = (await visit.upload('toys.csv', 'name\nA\n')).headers.location ?? '';
  const first = await read(file);
  await send(first);
  const [item] = sandbox.control.items();
  const second = await read(file, { known: 'all' });
  await send(second);
  expect(sandbox.control.items()).toHaveLength(2);
  const results = async (job: string) => (await visit.get(`${job}/files/results`)).text;
  expect(await results(first)).toContain(item?.id);
  expect(await results(second)).not.toContain(item?.id);
});

test('corrected rejects go to the collection of their job, not to that of the last import', async () => {
  const { sandbox, visit, read, send } = await open();
  const second = sandbox.control.addCollection('Second');
  const upload = async (name: string, content: string) =>
    (await visit.upload(name, content)).headers.location ?? '';
  const job = await read(await upload('toys.csv', 'name,estimated_value\nA,5\nB,x\n'), {
    collection: second.id,
  });
  await send(job);
  await send(await read(await upload('other.csv', 'name\nC\n')));
  const rejects = (await visit.get(`${job}/files/rejects`)).text;
  const file = await upload('toys.rejects.csv', rejects.replace('B,x', 'B,7'));
  const { text } = await visit.get(file);
  expect(text).toContain(`settings and corrections of job ${job.replace('/job/', '')}`);
  expect(text).not.toContain('name="collection"');
  await visit.post(`${file}/read`);
  await send((await ended(visit, `${file}/reading`)).replace(/\/\w+$/, ''));
  const into = sandbox.control.items().map(({ name, collection_id: id }) => [name, id === second.id]);
  expect(Object.fromEntries(into)).toEqual({ A: true, B: true, C: false });
});

test('after an undo, the items to delete are listed behind many changes, and a part of them says so', async () => {
  const { sandbox, visit, read, send } = await open();
  const ids = sandbox.control.insertItems(Array.from({ length: 250 }, (_, n) => ({ name: `Old ${n}` })));
  const old = ids.map((id, n) => `${id},Old ${n},new\n`).join('');
  const change = async (more: string) => {
    const file = (await visit.upload('toys.csv', `id,name,brand\n${old}${more}`)).headers.location ?? '';
    const job = await read(file, { mode: 'upsert', match: 'id', collection: 'Main' });
    await send(job);
    await visit.post(`${job}/undo`);
    const undo = (await ended(visit, `${job}/sending`)).replace(/\/\w+$/, '');
    await send(undo);
    return (await visit.get(`${undo}/result`)).text;
  };
  const few = await change(',New,\n');
  expect([few.match(/data-keep=/g)?.length, few.includes('There are more than these')]).toEqual([1, false]);
  const many = await change(Array.from({ length: 201 }, (_, n) => `,More ${n},\n`).join(''));
  expect([many.match(/data-keep=/g)?.length, many.includes('There are more than these')]).toEqual([
    200,
    true,
  ]);
});

test('a file of one account is neither listed nor served while another one is open', async () => {
  const { sandbox, visit } = await open();
  const { id } = sandbox.control.addTeam({ name: 'Other' });
  const { secret: key } = sandbox.control.addKey(undefined, id);
  await visit.post('/connect/new', { address: sandbox.url, key, name: 'other' });
  await visit.get('/');
  await visit.post('/reports', { for: 'yourself', form: 'csv' });
  const address = await vi.waitFor(async () => {
    const found = /href="(\/reports\/[^"/]+)" download/.exec((await visit.get('/reports')).text)?.[1];
    if (found === undefined) throw new Error('not made yet');
    return found;
  });
  await visit.post('/connect/new', { address: sandbox.url, key: sandbox.key, name: 'own' });
  expect((await visit.get('/reports')).text).not.toContain(address);
  expect((await visit.get(address)).status).toBe(404);
  await visit.post('/connect/use', { profile: 'other' });
  expect((await visit.get(address)).status).toBe(200);
});
