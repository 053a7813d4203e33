/** Files that the page gives to a person. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
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
