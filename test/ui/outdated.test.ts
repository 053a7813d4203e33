/** Forms of a page that is no longer what the job or the account is: in another tab, or after the back button. */
import { expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { ended, openPage } from './open-page.ts';
import { fieldsOf } from './visit.ts';

async function open(options: Parameters<typeof startSandbox>[0] = {}) {
  const sandbox = await startSandbox(options);
  onTestFinished(() => sandbox[Symbol.asyncDispose]());
  const page = await openPage({
    environment: { SHELFLIFT_API_URL: sandbox.url, SHELFLIFT_API_KEY: sandbox.key },
  });
  const visit = await page.enter();
  const read = async (name: string, list: string) => {
    const file = (await visit.upload(name, list)).headers.location ?? '';
    await visit.post(`${file}/read`, { collection: 'Main' });
    return (await ended(visit, `${file}/reading`)).replace(/\/\w+$/, '');
  };
  return { sandbox, visit, read };
}

test('answers of an older page of words go to the words that the page showed', async () => {
  const { sandbox, visit, read } = await open();
  const job = await read(
    'toys.csv',
    'name,condition,packaging\nA,seltsam,\nB,seltsam,\nC,seltsam,komisch\nD,,komisch\n',
  );
  const words = (await visit.get(`${job}/words`)).text;
  const nameOf = (word: string) =>
    new RegExp(`name="([^"]+)" aria-label="What “${word}” means`).exec(words)?.[1] ?? '';
  // In another tab, two cells are corrected, so that the other column comes first.
  const cell = (row: number) => ({ row, column: 'condition', text: 'loose_mint' });
  await visit.post(`${job}/cells`, { cells: JSON.stringify([cell(2), cell(3)]) });
  await visit.post(`${job}/words`, { [nameOf('seltsam')]: 'nothing', [nameOf('komisch')]: 'as-note' });
  await visit.post(`${job}/send`);
  await ended(visit, `${job}/sending`);
  const notes = sandbox.control.items().map(({ custom_fields: custom }) => JSON.stringify(custom ?? {}));
  expect(notes).toHaveLength(4);
  expect(notes.filter((each) => each.includes('komisch'))).toHaveLength(2);
  expect(notes.filter((each) => each.includes('seltsam'))).toHaveLength(0);
});

test('a plan that was corrected in another tab is shown before it is sent', async () => {
  const { sandbox, visit, read } = await open();
  const job = await read('toys.csv', 'name,estimated_value\nA,5\nB,7\n');
  const plan = async (path = `${job}/plan`) => {
    const { text } = await visit.get(path);
    return { text, version: /name="plan" value="([^"]+)"/.exec(text)?.[1] ?? '' };
  };
  const shown = await plan();
  // In another tab.
  const cells = JSON.stringify([{ row: 3, column: 'name', text: 'Other' }]);
  await visit.post(`${job}/cells`, { cells });
  const answer = await visit.post(`${job}/send`, { how: 'all', plan: shown.version });
  const anew = await plan(answer.headers.location ?? '');
  expect(anew.text).toContain('The plan has changed since this page was opened');
  expect(sandbox.control.items()).toEqual([]);
  await visit.post(`${job}/send`, { how: 'all', plan: anew.version });
  await ended(visit, `${job}/sending`);
  expect(sandbox.control.items().map(({ name }) => name)).toEqual(expect.arrayContaining(['A', 'Other']));
});

test('a job that was stopped and then corrected in another tab goes on only once its new plan was shown', async () => {
  const { sandbox, visit, read } = await open();
  const rows = Array.from({ length: 25 }, (_, n) => `Toy ${n},5\n`).join('');
  const job = await read('toys.csv', `name,estimated_value\n${rows}`);
  await visit.post(`${job}/send`, { how: 'first' });
  await ended(visit, `${job}/sending`);
  const version = async (screen: string) =>
    /name="plan" value="([^"]+)"/.exec((await visit.get(screen)).text)?.[1] ?? '';
  const plan = await version(`${job}/result`);
  // In another tab.
  const cell = (text: string) => ({ cells: JSON.stringify([{ row: 26, column: 'name', text }]) });
  await visit.post(`${job}/cells`, cell('Other'));
  const answer = await visit.post(`${job}/resume`, { plan });
  const instead = answer.headers.location ?? '';
  expect((await visit.get(instead)).text).toContain('The plan has changed since this page was opened');
  expect(sandbox.control.items()).toHaveLength(20);
  await visit.post(`${job}/resume`, { plan: await version(`${job}/result`) });
  await ended(visit, `${job}/sending`);
  expect(sandbox.control.items()).toHaveLength(25);
});

test('the last step is undone only by a page that shows it', async () => {
  const { visit, read } = await open();
  const job = await read('toys.csv', 'name,release_year\nA,x\nB,y\n');
  const cell = (row: number, text: string) => ({
    cells: JSON.stringify([{ row, column: 'release_year', text }]),
  });
  const mend = async () => (await visit.get(`${job}/mend?reason=all`)).text;
  await visit.post(`${job}/cells`, cell(2, '1985'));
  const form = fieldsOf(await mend(), `action="${job}/undo-step"`);
  // In another tab.
  await visit.post(`${job}/cells`, cell(3, '1986'));
  const instead = await visit.post(`${job}/undo-step`, form, { 'HX-Request': 'true' });
  expect(instead.headers['hx-redirect']).toContain(`${job}/mend`);
  expect(await mend()).toContain('1986');
  await visit.post(`${job}/undo-step`, fieldsOf(await mend(), `action="${job}/undo-step"`));
  const after = await mend();
  expect([after.includes('1985'), after.includes('1986')]).toEqual([true, false]);
});

test('rows that were compared with the items are compared again after each correction', async () => {
  const { sandbox, visit, read } = await open();
  sandbox.control.insertItems([{ name: 'Sim A' }, { name: 'Sim B' }]);
  const job = await read('toys.csv', 'name,estimated_value\nSim A,1\nSim B,x\nOther,3\n');
  await visit.post(`${job}/compare`);
  await ended(visit, `${job}/sending`);
  const alike = async () =>
    (await visit.get(`${job}/plan`)).text.match(/<th scope="col">Row \d+/g)?.map((each) => each.slice(16));
  expect(await alike()).toEqual(['Row 2']);
  await visit.post(`${job}/cells`, {
    cells: JSON.stringify([{ row: 3, column: 'estimated_value', text: '2' }]),
  });
  expect(await alike()).toEqual(['Row 2', 'Row 3']);
  await visit.post(`${job}/cells`, { cells: JSON.stringify([{ row: 4, column: 'name', text: 'sim b' }]) });
  expect(await alike()).toEqual(['Row 2', 'Row 3', 'Row 4']);
  await visit.post(`${job}/send`);
  expect(await ended(visit, `${job}/sending`)).toBe(`${job}/plan`);
  expect(sandbox.control.items()).toHaveLength(2);
});

test('a tab that shows the practice account sends nothing to an account that another tab has opened', async () => {
  const { sandbox, visit } = await open();
  await visit.post('/connect/new', { address: sandbox.url, key: sandbox.key, name: 'real' });
  await visit.post('/connect/practice');
  await visit.get('/');
  const file = (await visit.upload('toys.csv', 'name\nOnly a test\n')).headers.location ?? '';
  expect((await visit.get(file)).text).toContain('badge practice');
  const _token = visit.token;
  // In another tab.
  await visit.post('/connect/use', { profile: 'real', _token });
  await visit.get('/');
  const refused = await visit.post(`${file}/read`, { collection: 'Main', _token });
  expect(refused.status).toBe(409);
  expect(refused.text).toContain('Another account is open now');
  expect((await visit.upload('more.csv', 'name\nA\n', { _token })).status).toBe(409);
  const part = await visit.post(`${file}/header`, { row: '1', _token }, { 'HX-Request': 'true' });
  expect([part.status, part.headers['hx-retarget']]).toEqual([409, '#main']);
  expect((await visit.get(`${file}/reading`)).headers.location).toBe(file);
  // The tab goes back to its account.
  expect((await visit.post('/connect/practice', { _token })).status).toBe(303);
  expect((await visit.post(`${file}/read`, { collection: 'Main', _token })).status).toBe(303);
  await ended(visit, `${file}/reading`);
  expect(sandbox.control.items()).toEqual([]);
});

test('a plan of one account is not sent from a tab of another', async () => {
  const { sandbox, visit, read } = await open();
  const other = sandbox.control.addTeam({ name: 'Other' });
  const { secret } = sandbox.control.addKey(undefined, other.id);
  await visit.post('/connect/new', { address: sandbox.url, key: secret, name: 'other' });
  await visit.post('/connect/new', { address: sandbox.url, key: sandbox.key, name: 'own' });
  await visit.get('/');
  const job = await read('toys.csv', 'name\nMine\n');
  const _token = visit.token;
  await visit.post('/connect/use', { profile: 'other' });
  await visit.get('/');
  expect((await visit.post(`${job}/send`, { _token })).status).toBe(409);
  await visit.post('/connect/use', { profile: 'own' });
  await visit.post(`${job}/send`, { _token });
  await ended(visit, `${job}/sending`);
  expect([sandbox.control.items().length, sandbox.control.items(other.id).length]).toEqual([1, 0]);
});

test('a file that is read again before its first reading has ended goes to the collection chosen last', async () => {
  const { sandbox, visit } = await open();
  const second = sandbox.control.addCollection('Second');
  const rows = Array.from({ length: 5000 }, (_, n) => `Toy ${n}\n`).join('');
  const file = (await visit.upload('toys.csv', `name\n${rows}`)).headers.location ?? '';
  await visit.post(`${file}/read`, { collection: 'Main' });
  await visit.post(`${file}/choices`, { collection: 'Second' });
  await visit.post(`${file}/read`, { collection: 'Second' });
  const job = (await ended(visit, `${file}/reading`)).replace(/\/\w+$/, '');
  await visit.post(`${job}/send`, { how: 'first' });
  await ended(visit, `${job}/sending`);
  const into = new Set(sandbox.control.items().map(({ collection_id: id }) => id));
  expect([...into]).toEqual([second.id]);
  expect((await visit.get('/history')).text.match(/href="\/job\//g)).toHaveLength(1);
});

test('a correction that is made while its job is being sent is refused, with a message', async () => {
  const { visit, read } = await open({ latencyMs: 300 });
  const rows = Array.from({ length: 60 }, (_, n) => `Toy ${n},1990\n`).join('');
  const job = await read('toys.csv', `name,release_year\nBear,soon\n${rows}`);
  const cells = JSON.stringify([{ row: 2, column: 'release_year', text: '1985' }]);
  await visit.post(`${job}/send`);
  const refused = await visit.post(`${job}/cells`, { cells });
  expect(refused.status).toBe(409);
  expect(refused.text).toContain('Nothing was done, because something else is under way');
  await visit.post(`${job}/pause`);
  await visit.post(`${job}/cells`, { cells });
  expect((await visit.get(`${job}/mend?reason=all`)).text).toContain('1985');
});

test('choices that are saved under the name of another recipe say what they replace', async () => {
  const { visit, read } = await open();
  const first = await read('stock.csv', 'name,condition\nA,seltsam\n');
  expect((await visit.post(`${first}/recipe`, { name: 'stock' })).status).toBe(303);
  const second = await read('other.csv', 'Titel;Preis\nB;5\n');
  const { text } = await visit.post(`${second}/recipe`, { name: 'stock' });
  expect(text).toContain('Saved as the recipe “stock”.');
  expect(text).toContain('made for stock.csv');
});
