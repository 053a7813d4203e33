/** "Yes, send it" answers the question that its page has shown, and no other. */
import { expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { ended, openPage } from './open-page.ts';
import { fieldsOf, fieldsOfYes, type Visit } from './visit.ts';

const NAMES = Array.from({ length: 530 }, (_, n) => `Toy ${n}`);

/** A plan that changes 530 items, and its question about so many changes. */
async function asked(header: string, cells: string, added: readonly string[] = []) {
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox[Symbol.asyncDispose]());
  sandbox.control.insertItems(NAMES.map((name) => ({ name, brand: 'Old' })));
  const page = await openPage({
    environment: { SHELFLIFT_API_URL: sandbox.url, SHELFLIFT_API_KEY: sandbox.key },
  });
  const visit = await page.enter();
  const list = `name,${header}\n${[...NAMES, ...added].map((name) => `${name},${cells}\n`).join('')}`;
  const file = (await visit.upload('changes.csv', list, { do: 'change' })).headers.location ?? '';
  const { id: collection = '' } = sandbox.teams[0]?.collections[0] ?? {};
  await visit.post(`${file}/read`, { collection, match: 'name', mode: 'upsert' });
  const job = (await ended(visit, `${file}/reading`)).replace(/\/\w+$/, '');
  await visit.post(`${job}/send`);
  expect(await ended(visit, `${job}/sending`)).toBe(`${job}/plan`);
  const shown = await visit.get(`${job}/plan`);
  expect(shown.text).toContain('530 items would be changed');
  const changed = () => sandbox.control.counts().byOperation.updateItem?.['200'] ?? 0;
  return { sandbox, visit, job, yes: fieldsOfYes(shown.text), changed };
}

async function send(visit: Visit, job: string, fields: Record<string, string>): Promise<string> {
  const { headers } = await visit.post(`${job}/send`, fields);
  const at = headers.location ?? '';
  return at.endsWith('/sending') ? ended(visit, at) : at;
}

test('a question that comes after the answered one is asked, too', async () => {
  const { visit, job, yes, changed } = await asked('brand', '<clear>');
  expect(await send(visit, job, yes)).toBe(`${job}/plan`);
  const { text } = await visit.get(`${job}/plan`);
  expect(text).toContain('brand would be emptied in 530 items');
  expect(changed()).toBe(0);
  // A second press of the first button, or the same page in another tab.
  expect(await send(visit, job, yes)).toBe(`${job}/plan?outdated`);
  expect(changed()).toBe(0);
  expect(await send(visit, job, fieldsOfYes(text))).toBe(`${job}/result`);
  expect(changed()).toBe(530);
});

test('a plan that has grown since its question was answered is asked about again', async () => {
  const added = Array.from({ length: 12 }, (_, n) => `New ${n}`);
  const { sandbox, visit, job, yes, changed } = await asked('brand', 'New', added);
  // Somebody creates the new items, without their brand: their rows become changes.
  sandbox.control.insertItems(added.map((name) => ({ name })));
  expect(await send(visit, job, yes)).toBe(`${job}/plan`);
  expect(changed()).toBe(0);
  const { text } = await visit.get(`${job}/plan`);
  expect(text).toContain('542 items would be changed');
  expect(await send(visit, job, fieldsOfYes(text))).toBe(`${job}/result`);
  expect(changed()).toBe(542);
});

test('the button of an older page that continues a job answers no question that came later', async () => {
  const sandbox = await startSandbox({ storing: { escapeTexts: true }, rateLimit: '60/1s' });
  onTestFinished(() => sandbox[Symbol.asyncDispose]());
  const page = await openPage({
    environment: { SHELFLIFT_API_URL: sandbox.url, SHELFLIFT_API_KEY: sandbox.key },
  });
  const visit = await page.enter();
  // Many rows are left when the answer about the first "&" comes, however many are in flight.
  const toys = Array.from({ length: 120 }, (_, n) => `Toy ${n}`);
  const names = [...toys.splice(0, 40), 'A & B', ...toys, 'C & D', 'E & F'];
  const file = (await visit.upload('toys.csv', `name\n${names.join('\n')}\n`, { do: 'change' })).headers
    .location;
  const { id: collection = '' } = sandbox.teams[0]?.collections[0] ?? {};
  await visit.post(`${file}/read`, { collection, match: 'name', mode: 'upsert' });
  const job = (await ended(visit, `${file}/reading`)).replace(/\/\w+$/, '');
  await visit.post(`${job}/send`, { how: 'first' });
  await ended(visit, `${job}/sending`);
  const resume = async () => fieldsOf((await visit.get(`${job}/result`)).text, '/resume"');
  const older = await resume();
  // In another tab.
  await visit.post(`${job}/resume`, older);
  await ended(visit, `${job}/sending`);
  const { length } = sandbox.control.items();
  const newer = await resume();
  await visit.post(`${job}/resume`, older);
  await ended(visit, `${job}/sending`);
  expect((await visit.get(`${job}/result`)).text).toContain('a later import could not find the item');
  expect(sandbox.control.items()).toHaveLength(length);
  await visit.post(`${job}/resume`, newer);
  await ended(visit, `${job}/sending`);
  expect(sandbox.control.items()).toHaveLength(names.length);
});
