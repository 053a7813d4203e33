/** Rows that wait for a person, on the page: which item is meant, and whose values count. */
import { expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../src/api/client.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { ended, openPage } from './open-page.ts';
import { fieldsOf, fieldsOfYes, type Visit } from './visit.ts';

async function open() {
  const sandbox = await startSandbox();
  const somebody = createClient({ apiUrl: sandbox.url, key: sandbox.key });
  onTestFinished(async () => {
    await somebody.close();
    await sandbox[Symbol.asyncDispose]();
  });
  const page = await openPage({
    environment: { SHELFLIFT_API_URL: sandbox.url, SHELFLIFT_API_KEY: sandbox.key },
  });
  const visit = await page.enter();
  const item = (id: string) => sandbox.control.items().find((each) => each.id === id);
  return { sandbox, somebody, visit, item };
}

async function planned(visit: Visit, list: string, fields: Record<string, string> = {}): Promise<string> {
  const file = (await visit.upload('changes.csv', list, { do: 'change' })).headers.location ?? '';
  await visit.post(`${file}/read`, fields);
  const at = await ended(visit, `${file}/reading`);
  return at.replace(/\/\w+$/, '');
}

test('if several items match a row, the chosen item is changed, and no other items can be chosen', async () => {
  const { sandbox, visit, item } = await open();
  const [a = '', b = '', other = ''] = sandbox.control.insertItems([
    { name: 'Twin', estimated_value: 5 },
    { name: 'Twin', estimated_value: 50 },
    { name: 'Else' },
  ]);
  const job = await planned(visit, 'name,status\nTwin,sold\nElse,sell\n', { match: 'name' });
  const plan = (await visit.get(`${job}/plan`)).text;
  expect(plan).toContain('Which item is meant? 1 to choose');
  expect(plan.match(/name="item:2:"/g)).toHaveLength(2);
  expect(plan).toContain('50.00 USD');
  const forged = await visit.post(`${job}/choose`, { 'item:2:': other, screen: 'plan' });
  expect(forged.headers.location).toMatch(/\/plan#choose$/);
  expect((await visit.get(`${job}/plan`)).text).toContain('1 to choose');
  await visit.post(`${job}/choose`, { 'item:2:': b, screen: 'plan' });
  const chosen = (await visit.get(`${job}/plan`)).text;
  expect(chosen).not.toContain('to choose');
  expect(chosen).toContain('Send all 2');
  await visit.post(`${job}/send`);
  await ended(visit, `${job}/sending`);
  expect([item(a)?.status, item(b)?.status, item(other)?.status]).toEqual(['keep', 'sold', 'sell']);
});

test.each([
  ['theirs', { brand: 'Theirs', status: 'sold' }],
  ['mine', { brand: 'Mine', status: 'sold' }],
  ['skip', { brand: 'Theirs', status: 'keep' }],
])('a held change shows both sides, and is decided as %s', async (as, left) => {
  const { sandbox, somebody, visit, item } = await open();
  const [id = '', plain = ''] = sandbox.control.insertItems([
    { name: 'Rover', brand: 'Old' },
    { name: 'Robot', brand: 'Old' },
  ]);
  const job = await planned(visit, `id,brand,status\n${id},Mine,sold\n${plain},Mine,sold\n`);
  await somebody.updateItem(id, { brand: 'Theirs' });
  await visit.post(`${job}/send`);
  await ended(visit, `${job}/sending`);
  const result = (await visit.get(`${job}/result`)).text;
  const cells = [...result.matchAll(/<td[^>]*>(?:<mark>)?<bdi>([^<]*)/g)].map(([, text]) => text);
  expect(cells.slice(0, 3)).toEqual(['Old', 'Theirs', 'Mine']);
  for (const name of ['theirs', 'mine', 'skip']) expect(result).toContain(`name="as" value="${name}"`);
  expect(result).toContain('Keep the current values, send the rest');
  await visit.post(`${job}/decide`, { row: '2', as, screen: 'result' });
  if (as !== 'skip') {
    await visit.post(`${job}/resume`);
    await ended(visit, `${job}/sending`);
  }
  expect(item(id)).toMatchObject(left);
  expect(item(plain)).toMatchObject({ brand: 'Mine', status: 'sold' });
});

test('the page reports amounts whose currency differs from that of the first item, asks for a rate, and sends none without it', async () => {
  const { sandbox, visit } = await open();
  const table = 'Name,Price\nA,12 €\nB,15 €\nC,3 €\n';
  const file = (await visit.upload('toys.csv', table)).headers.location ?? '';
  const { id: collection = '' } = sandbox.teams[0]?.collections[0] ?? {};
  await visit.post(`${file}/read`, { collection });
  const job = (await ended(visit, `${file}/reading`)).replace(/\/\w+$/, '');
  await visit.post(`${job}/send`);
  await ended(visit, `${job}/sending`);
  expect((await visit.get(`${job}/result`)).text).toContain('The items are in USD');
  await visit.post(`${job}/resume`);
  await ended(visit, `${job}/sending`);
  const resumed = (await visit.get(`${job}/result`)).text;
  expect(resumed).toContain('Fix the other');
  expect(resumed).not.toContain('Continue');
  expect(sandbox.control.items()).toHaveLength(1);
});

test('the page reports that the server rewrites a key, and sends the other rows if the person continues', async () => {
  const sandbox = await startSandbox({ storing: { escapeTexts: true } });
  onTestFinished(() => sandbox[Symbol.asyncDispose]());
  const page = await openPage({
    environment: { SHELFLIFT_API_URL: sandbox.url, SHELFLIFT_API_KEY: sandbox.key },
  });
  const visit = await page.enter();
  const table = 'Name,Brand\nA & B,X\nC & D,Y\nE & F,Z\n';
  const file = (await visit.upload('toys.csv', table, { do: 'change' })).headers.location ?? '';
  const { id: collection = '' } = sandbox.teams[0]?.collections[0] ?? {};
  await visit.post(`${file}/read`, { collection, match: 'name', mode: 'upsert' });
  const job = (await ended(visit, `${file}/reading`)).replace(/\/\w+$/, '');
  await visit.post(`${job}/send`);
  await ended(visit, `${job}/sending`);
  const { text } = await visit.get(`${job}/result`);
  expect(text).toContain('a later import could not find the item');
  expect(sandbox.control.items()).toHaveLength(1);
  await visit.post(`${job}/resume`, fieldsOf(text, '/resume"'));
  await ended(visit, `${job}/sending`);
  expect(sandbox.control.items()).toHaveLength(3);
});

test('continuing despite rewritten keys answers no other question', async () => {
  const sandbox = await startSandbox({ storing: { escapeTexts: true } });
  onTestFinished(() => sandbox[Symbol.asyncDispose]());
  const page = await openPage({
    environment: { SHELFLIFT_API_URL: sandbox.url, SHELFLIFT_API_KEY: sandbox.key },
  });
  const visit = await page.enter();
  const names = Array.from({ length: 530 }, (_, n) => `Toy ${n}`);
  sandbox.control.insertItems(names.map((name) => ({ name, brand: 'Old' })));
  const rows = ['A & B', 'C & D', 'E & F', ...names].map((name) => `${name},New\n`);
  const { id: collection = '' } = sandbox.teams[0]?.collections[0] ?? {};
  const job = await planned(visit, `name,brand\n${rows.join('')}`, {
    collection,
    match: 'name',
    mode: 'upsert',
  });
  await visit.post(`${job}/send`, { how: 'first' });
  await ended(visit, `${job}/sending`);
  expect(sandbox.control.items()).toHaveLength(531);
  await visit.post(`${job}/resume`, fieldsOf((await visit.get(`${job}/result`)).text, '/resume"'));
  expect(await ended(visit, `${job}/sending`)).toBe(`${job}/plan`);
  const { text } = await visit.get(`${job}/plan`);
  expect(text).toContain('more than 500');
  expect(sandbox.control.items()).toHaveLength(531);
  await visit.post(`${job}/send`, fieldsOfYes(text));
  await ended(visit, `${job}/sending`);
  expect(sandbox.control.items().filter(({ brand }) => brand === 'New')).toHaveLength(533);
});

test('a question about the rest of a job is shown and answered on the plan', async () => {
  const { sandbox, visit } = await open();
  const old = Array.from({ length: 530 }, (_, n) => ({ name: `Toy ${n}`, brand: 'Old' }));
  const ids = sandbox.control.insertItems(old);
  const job = await planned(visit, `id,brand\n${ids.map((id) => `${id},New\n`).join('')}`);
  const changed = () => sandbox.control.items().filter(({ brand }) => brand === 'New').length;
  await visit.post(`${job}/send`, { how: 'first' });
  expect(await ended(visit, `${job}/sending`)).toBe(`${job}/result`);
  expect(changed()).toBe(20);
  await visit.post(`${job}/resume`);
  expect(await ended(visit, `${job}/sending`)).toBe(`${job}/plan`);
  const { text } = await visit.get(`${job}/plan`);
  expect(text).toContain('20 of its rows have been sent');
  expect(text).toContain('more than 500');
  await visit.post(`${job}/send`, fieldsOfYes(text));
  expect(await ended(visit, `${job}/sending`)).toBe(`${job}/result`);
  expect(changed()).toBe(530);
});

test('the answer to a question about the first 20 rows sends no others', async () => {
  const { sandbox, visit } = await open();
  const names = Array.from({ length: 60 }, (_, n) => `Toy robot number ${n}`);
  sandbox.control.insertItems(names.slice(0, 5).map((name) => ({ name, brand: 'Acme', release_year: 1985 })));
  const list = `name,brand,release_year\n${names.map((name) => `${name},Acme,1985\n`).join('')}`;
  const { id: collection = '' } = sandbox.teams[0]?.collections[0] ?? {};
  const file = (await visit.upload('toys.csv', list)).headers.location ?? '';
  await visit.post(`${file}/read`, { collection });
  const job = (await ended(visit, `${file}/reading`)).replace(/\/\w+$/, '');
  await visit.post(`${job}/compare`);
  await ended(visit, `${job}/sending`);
  await visit.post(`${job}/send`, { how: 'first' });
  const { text } = await visit.get(await ended(visit, `${job}/sending`));
  expect(sandbox.control.items()).toHaveLength(5);
  await visit.post(`${job}/send`, fieldsOfYes(text));
  await ended(visit, `${job}/sending`);
  expect(sandbox.control.items()).toHaveLength(25);
});

test.each(['mine', 'theirs'])(
  'an item that has changed since its row was shown is shown again before “%s”',
  async (as) => {
    const { sandbox, somebody, visit, item } = await open();
    const [id = ''] = sandbox.control.insertItems([{ name: 'Rover', brand: 'Old' }]);
    const job = await planned(visit, `id,brand,status\n${id},Mine,sold\n`);
    await somebody.updateItem(id, { brand: 'Theirs' });
    await visit.post(`${job}/send`);
    await ended(visit, `${job}/sending`);
    const form = async (path: string) => fieldsOf((await visit.get(path)).text, '/decide"');
    const shown = await form(`${job}/result`);
    await somebody.updateItem(id, { brand: 'Newer' });
    const instead = (await visit.post(`${job}/decide`, { ...shown, as })).headers.location ?? '';
    const { text } = await visit.get(instead);
    expect(text).toContain('Nothing was decided: the item has changed since this page was opened');
    expect(text).toContain('Newer');
    await visit.post(`${job}/decide`, { ...(await form(instead)), as });
    await visit.post(`${job}/resume`);
    await ended(visit, `${job}/sending`);
    expect(item(id)).toMatchObject({ brand: as === 'mine' ? 'Mine' : 'Newer', status: 'sold' });
  },
);
