/** The way of a file through the page, without a browser: from the upload to the undo. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openSqliteLedger } from '../../src/ledger/sqlite/sqlite-ledger.ts';
import { nextTryAt } from '../../src/import/job/limit-wait.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { readWorkerConfig } from '../../src/worker/config/read-config.ts';
import { Runs } from '../../src/worker/queue/runs.ts';
import { announceWorker } from '../../src/worker/queue/workers.ts';
import { newPlace } from '../cli/run-shelflift.ts';
import { makeBook } from '../sheets/support/files.ts';
import { protectAgile } from '../sheets/support/protect.ts';
import { ended, openPage } from './open-page.ts';
import type { Visit } from './visit.ts';

const cell = (reference: string, text: string) => `<c r="${reference}" t="str"><v>${text}</v></c>`;
const BOOK = makeBook({
  sheets: `<sheetData><row r="1">${cell('A1', 'name')}</row><row r="2">${cell('A2', 'Robot')}</row></sheetData>`,
});
/** With a row that has no name. */
const WRONG_BOOK = makeBook({
  sheets: `<sheetData><row r="1">${cell('A1', 'name')}${cell('B1', 'brand')}</row><row r="2">${cell('A2', 'Robot')}${cell('B2', 'Acme')}</row><row r="3">${cell('B3', 'Acme')}</row></sheetData>`,
});
const TOYS = 'name,brand,release_year\nRobot,Acme,1985\nRocket,Acme,1990\nBear,Steiff,99x\n';

/** Until a page shows what a run behind it makes. */
async function shows(visit: Visit, path: string, part: string): Promise<string> {
  return vi.waitFor(
    async () => {
      const { text } = await visit.get(path);
      if (!text.includes(part)) throw new Error(`${path} does not show ${part}`);
      return text;
    },
    { timeout: 150_000, interval: 30 },
  );
}

/** Follows redirects to a page. */
async function land(visit: Visit, path: string): Promise<{ path: string; text: string }> {
  let at = path;
  for (;;) {
    const answer = await visit.get(at);
    if (answer.status !== 303) return { path: at, text: answer.text };
    at = answer.headers.location ?? '';
  }
}

async function mainCollection(visit: Visit, file: string): Promise<string> {
  const { text } = await visit.get(file);
  return /<option value="([^"]+)"[^>]*>Main</.exec(text)?.[1] ?? '';
}

/** One with items of the practice account, which are in USD. */
async function filledCollection(visit: Visit, file: string): Promise<string> {
  const { text } = await visit.get(file);
  return /<option value="([0-9a-f-]{36})"[^>]*>(?!Main<)/.exec(text)?.[1] ?? '';
}

test('a file is uploaded, planned, sent and undone, and stays private on the disk throughout', async () => {
  const page = await openPage({ choice: { sandbox: true } });
  const visit = await page.enter();
  const uploaded = await visit.upload('toys.csv', TOYS);
  expect(uploaded.status).toBe(303);
  const file = uploaded.headers.location ?? '';
  expect(file).toMatch(/^\/file\/[0-9a-f]{16}$/);
  const spool = join(page.folder, 'state/shelflift/sandbox/ui/spool');
  const folder = join(spool, readdirSync(spool)[0] ?? '');
  expect(statSync(spool).mode & 0o777).toBe(0o700);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(join(folder, 'toys.csv')).mode & 0o777).toBe(0o600);

  const shown = (await visit.get(file)).text;
  expect(shown).toContain('Steiff');
  expect(shown.match(/data-primary/g)).toHaveLength(1);
  const collection = await mainCollection(visit, file);
  expect((await visit.post(`${file}/read`, { collection })).headers.location).toBe(`${file}/reading`);
  const columns = await ended(visit, `${file}/reading`);
  expect(columns).toMatch(/^\/job\/[^/]+\/columns$/);
  const job = columns.replace(/\/columns$/, '');
  const plan = await land(visit, `${job}/plan`);
  expect(plan.text).toContain('Send the 2 good ones');
  expect(plan.text).toContain('Rocket');
  expect((await visit.get(`${job}/plan?show=invalid`)).text).toContain('1968');
  const workbook = await visit.get(`${job}/plan.xlsx`);
  expect(workbook.headers['content-disposition']).toContain('attachment');

  await visit.post(`${job}/send`, { how: 'all' });
  expect(await ended(visit, `${job}/sending`)).toBe(`${job}/result`);
  const result = (await visit.get(`${job}/result`)).text;
  expect(result).toContain('<span class="value">2</span><span>added</span>');
  expect((await visit.get(`${job}/files/results`)).text).toContain('_state');
  expect((await visit.get(`${job}/files/__proto__`)).status).toBe(404);
  expect((await visit.get('/')).text).toContain('toys.csv');
  expect((await visit.get('/history')).text).toContain('2 added');

  await visit.post(`${job}/undo`);
  const undo = await ended(visit, `${job}/sending`);
  expect((await visit.get(undo)).text).toContain('Undo 2');
  const undone = undo.replace('/plan', '');
  await visit.post(`${undone}/send`);
  await ended(visit, `${undone}/sending`);
  expect((await visit.get(`${undone}/result`)).text).toContain('Undone');

  // From a row of the job to what has become of its item.
  const [, item = ''] = /href="(\/item\/[0-9a-f-]{36})">(?:<bdi>)?Robot/.exec(result) ?? [];
  const story = (await visit.get(item)).text;
  expect(story).toContain(`<a href="${job}/result"><bdi>Added with toys.csv, row 2 (`);
  expect(story).toContain('name: Robot');
  expect(story).toMatch(/Archived<\/bdi><\/td><td><a href="[^"]+"><bdi>Undone: /);
  expect(story.match(/<li class="card">/g)).toHaveLength(2);
  expect(story.match(/data-primary/g)).toHaveLength(1);
  expect((await visit.get(item, { 'Accept-Language': 'de' })).text).toContain(
    'Hinzugefügt mit toys.csv, Zeile 2 (',
  );
  expect((await visit.get('/item/00000000-0000-4000-8000-000000000000')).status).toBe(404);
  expect((await visit.get('/item/%3Cscript%3E')).text).not.toContain('<script>');
});

test('the same file again contains nothing new, and a file that is read with other choices is planned again', async () => {
  const page = await openPage({ choice: { sandbox: true } });
  const visit = await page.enter();
  const read = async () => {
    const file = (await visit.upload('toys.csv', TOYS)).headers.location ?? '';
    await visit.post(`${file}/read`, { collection: await mainCollection(visit, file) });
    return { file, job: (await ended(visit, `${file}/reading`)).replace('/columns', '') };
  };
  const first = await read();
  await visit.post(`${first.file}/read`, { decimal: 'comma', template: '', encoding: '' });
  const again = (await ended(visit, `${first.file}/reading`)).replace('/columns', '');
  expect(again).not.toBe(first.job);
  expect((await visit.get(`${first.job}/plan`)).status).toBe(404);
  await visit.post(`${again}/send`);
  await ended(visit, `${again}/sending`);
  const second = await read();
  expect((await visit.get(`${second.job}/plan`)).text).toMatch(/brought in|nothing to send/);
});

test('the page asks whether to add or change the items in an export of another account', async () => {
  const page = await openPage({ choice: { sandbox: true } });
  const visit = await page.enter();
  const headers = 'id,created_at,collection_id,name,status';
  const rows = ['Robot', 'Rocket'].map(
    (name, at) => `0000000${at}-0000-4000-8000-000000000000,,,${name},keep`,
  );
  const file = (await visit.upload('items.csv', `${[headers, ...rows].join('\n')}\n`)).headers.location ?? '';
  const collection = await mainCollection(visit, file);
  await visit.post(`${file}/read`, { collection });
  expect(await ended(visit, `${file}/reading`)).toBe(file);
  expect((await visit.get(file)).text).toContain('<button name="mode" value="create">');
  await visit.post(`${file}/read`, { collection, mode: 'create' });
  const job = (await ended(visit, `${file}/reading`)).replace('/columns', '');
  expect((await visit.get(`${job}/plan`)).text).toContain('<bdi>Rocket</bdi>');
});

test('a sent job keeps its files, whichever of its plans is discarded', async () => {
  const page = await openPage({ choice: { sandbox: true } });
  const visit = await page.enter();
  const file = (await visit.upload('toys.csv', TOYS)).headers.location ?? '';
  await visit.post(`${file}/read`, { collection: await mainCollection(visit, file) });
  const job = (await ended(visit, `${file}/reading`)).replace('/columns', '');
  expect((await visit.get(`${job}/plan`)).text).toContain('Discard this plan');
  await visit.post(`${job}/send`, { how: 'all' });
  // From an old tab: while it is being sent, and afterwards.
  await visit.post(`${job}/discard`);
  expect(await ended(visit, `${job}/sending`)).toBe(`${job}/result`);
  expect((await visit.post(`${job}/discard`)).headers.location).toBe(job);
  expect((await visit.get(job)).headers.location).toBe(`${job}/result`);
  const plan = (await visit.get(`${job}/plan`)).text;
  expect(plan).not.toContain('Discard this plan');
  expect(plan).not.toContain('Nothing has been sent yet');
  expect(plan).toContain('2 of its rows have been sent.');
  const resultsStay = async () => {
    expect((await visit.get(`${job}/files/results`)).text).toContain('Robot');
    expect((await visit.get(`${job}/files/rejects`)).text).toContain('Bear');
  };
  await resultsStay();

  await visit.post(`${file}/read`, { decimal: 'comma', template: '', encoding: '' });
  const again = (await ended(visit, `${file}/reading`)).replace('/columns', '');
  expect((await visit.post(`${again}/discard`)).headers.location).toBe('/');
  expect((await visit.get(`${again}/plan`)).status).toBe(404);
  await resultsStay();
  // The file is still the first job's.
  expect((await visit.get(file)).status).toBe(200);

  const other = (await visit.upload('other.csv', 'name\nBear\n')).headers.location ?? '';
  await visit.post(`${other}/read`, { collection: await mainCollection(visit, other) });
  const unsent = (await ended(visit, `${other}/reading`)).replace('/columns', '');
  expect((await visit.post(`${unsent}/discard`)).headers.location).toBe('/');
  expect((await visit.get(other)).status).toBe(404);
});

test('a file that is not a table is reported, and an aborted upload leaves nothing', async () => {
  const page = await openPage({ choice: { sandbox: true } });
  const visit = await page.enter();
  const file =
    (await visit.upload('../../etc/<b>x</b>.csv', '%PDF-1.7\n%âãÏÓ\n1 0 obj')).headers.location ?? '';
  const shown = (await visit.get(file)).text;
  expect(shown).toContain('could not be read');
  expect(shown).not.toContain('<b>x');
  expect((await visit.upload('', '')).status).toBe(422);
  const spool = join(page.folder, 'state/shelflift/sandbox/ui/spool');
  const before = readdirSync(spool);
  const cut = await page.ask('/file', {
    method: 'POST',
    headers: {
      Cookie: visit.cookie,
      Origin: `http://127.0.0.1:${page.port}`,
      'Content-Type': 'multipart/form-data; boundary=b',
    },
    body: `--b\r\nContent-Disposition: form-data; name="_token"\r\n\r\n${visit.token}\r\n--b\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\nname\nhalf`,
  });
  expect(cut.status).toBe(422);
  const forged = await visit.upload('a.csv', TOYS, { _token: 'wrong' });
  expect(forged.status).toBe(403);
  expect(readdirSync(spool)).toEqual(before);
  expect(existsSync(join(page.folder, 'etc'))).toBe(false);
});

test('spreadsheet cells are shown as plain text on every screen', async () => {
  const page = await openPage({ choice: { sandbox: true } });
  const visit = await page.enter();
  const evil = '<script>alert(1)</script><img src=x onerror=alert(2)>\u202e"\'>{{7*7}}';
  const csv = `name,brand,"${evil.replaceAll('"', '""')}",release_year\n${Array.from({ length: 3 }, (_, row) => `"${evil.replaceAll('"', '""')} ${row}","<b>",javascript:alert(3),${row === 0 ? '<svg/onload=alert(4)>' : '1990'}`).join('\n')}\n`;
  const file = (await visit.upload(`${evil}.csv`, csv)).headers.location ?? '';
  await visit.post(`${file}/read`, { collection: await mainCollection(visit, file) });
  const job = (await ended(visit, `${file}/reading`)).replace('/columns', '');
  for (const screen of ['columns', 'words', 'mend']) {
    const { text } = await land(visit, `${job}/${screen}`);
    expect(text, screen).not.toMatch(/<script>|<img src=x|<b>|<svg\/|\u202e/);
    expect(text.match(/data-primary/g), screen).toHaveLength(1);
  }
  await visit.post(`${job}/send`);
  await ended(visit, `${job}/sending`);
  const paths = ['/', file, `${job}/plan`, `${job}/plan?show=invalid`, `${job}/result`, '/history'];
  for (const path of paths) {
    const { text } = await land(visit, path);
    expect(text, path).not.toMatch(/<script>|<img src=x|<b>|<svg\/|onerror=a[^l]|\u202e/);
    expect(text, path).not.toMatch(/(href|src|action)="javascript/);
  }
});

test('columns, words and rows are mended, each step can be undone, and the mended rows are sent', async () => {
  const page = await openPage({ choice: { sandbox: true } });
  const visit = await page.enter();
  const list =
    'name,brand,Year,condition,Notes\nRobot,Acme,1985,Z7,box worn\nRocket,Acme,99x,Z7,\nBear,Steiff,1999,loose mint,\n';
  const file = (await visit.upload('list.csv', list)).headers.location ?? '';
  await visit.post(`${file}/read`, { collection: await mainCollection(visit, file) });
  const columns = await ended(visit, `${file}/reading`);
  const job = columns.replace('/columns', '');
  const shown = (await visit.get(columns)).text;
  expect(shown).toContain('box worn');
  const kept = await visit.post(columns, { 'use-E': 'keep' });
  const words = await land(visit, kept.headers.location ?? '');
  expect(words.path).toBe(`${job}/words`);
  const z7 = /name="([^"]+)" aria-label="What “Z7” means/.exec(words.text)?.[1] ?? '';
  const decided = await visit.post(`${job}/words`, { [z7]: 'loose_good' });
  const mend = await land(visit, decided.headers.location ?? '');
  expect(mend.path).toBe(`${job}/mend`);
  expect(mend.text).toContain('1 to mend');
  const cells = JSON.stringify([{ row: 3, column: 'Year', text: '1995' }]);
  await visit.post(`${job}/cells`, { cells });
  expect((await visit.get(`${job}/mend`)).text).toContain('Nothing is left to mend');
  await visit.post(`${job}/undo-step`);
  expect((await visit.get(`${job}/mend`)).text).toContain('1 to mend');
  const reason = /data-reason="([^"]+)"/.exec((await visit.get(`${job}/mend`)).text)?.[1] ?? '';
  await visit.post(`${job}/fix`, { reason, fix: 'set', text: '1996' });
  expect((await visit.get(`${job}/plan`)).text).toContain('Send all 3');
  await visit.post(`${job}/cells`, { cells: '[{"row":"x"}]' });
  await visit.post(`${job}/send`);
  await ended(visit, `${job}/sending`);
  expect((await visit.get(`${job}/files/results`)).text).toContain('1996');
  const rowsWith = async (query: string) =>
    [...(await visit.get(`${job}/mend?${query}`)).text.matchAll(/<tr id="row-(\d+)"/g)].map(([, at]) =>
      Number(at),
    );
  expect(await rowsWith('reason=all&text=BOX')).toEqual([1]);
  expect(await rowsWith('reason=all&text=acme')).toEqual([1, 2]);
  const unnamed = await visit.post(`${job}/recipe`, { name: '../x' });
  expect(unnamed.status).toBe(422);
  const saved = await visit.post(`${job}/recipe`, { name: 'my toys' });
  expect((await visit.get(saved.headers.location ?? '')).text).toContain('Saved as the recipe “my toys”.');
  // It reads the next file, there and on the command line.
  const next = (await visit.upload('next.csv', list.replaceAll('R', 'P'))).headers.location ?? '';
  expect((await visit.get(next)).text).toContain('value="recipe:my toys"');
  await visit.post(`${next}/read`, {
    read_as: 'recipe:my toys',
    collection: await mainCollection(visit, next),
  });
  const read = (await ended(visit, `${next}/reading`)).replace('/columns', '');
  // Not the two letters alone: a random token of the page may have them.
  expect((await land(visit, `${read}/words`)).text).not.toMatch(/[“>]Z7[”<]/);
  await using ledger = openSqliteLedger(join(page.folder, 'state/shelflift/sandbox/ledger.db'));
  const { withRecipe } = await import('../../src/import/stage/recipes.ts');
  const { template } = await withRecipe({ file: 'x.csv', recipe: 'my toys' }, ledger);
  expect(JSON.stringify(template)).toContain('Z7');
});

test('if a reason covers several unknown words, the rows with one of them can be shown alone', async () => {
  const page = await openPage({ choice: { sandbox: true } });
  const visit = await page.enter();
  const good = Array.from({ length: 20 }, (_, at) => `Car ${at},${1980 + at}\n`).join('');
  const list = `name,Year\nRobot,99x\nRocket,88y\nBear,99x\n${good}`;
  const file = (await visit.upload('list.csv', list)).headers.location ?? '';
  await visit.post(`${file}/read`, { collection: await mainCollection(visit, file) });
  const job = (await ended(visit, `${file}/reading`)).replace('/columns', '');
  const { text } = await visit.get(`${job}/mend`);
  const [, only = ''] = /href="(\?reason=[^"]*word=88y)"/.exec(text.replaceAll('&amp;', '&')) ?? [];
  const one = (await visit.get(`${job}/mend${only}`)).text;
  expect([...one.matchAll(/<tr id="row-(\d+)"/g)].map(([, at]) => at)).toEqual(['2']);
});

test('the page asks for a collection before it checks a file without collections, and keeps the choice', async () => {
  const page = await openPage({ choice: { sandbox: true } });
  const visit = await page.enter();
  const list = 'name;status;estimated_value\nRobot;borrowed;1,50\nRocket;borrowed;2,50\n';
  const file = (await visit.upload('list.csv', list)).headers.location ?? '';
  await visit.post(`${file}/read`, { decimal: 'comma', collection: '' });
  expect(await ended(visit, `${file}/reading`)).toBe(file);
  const shown = (await visit.get(file)).text;
  expect(shown).toContain('<select name="collection" required');
  expect(shown).toMatch(/value="comma"[^>]*selected/);
  await visit.post(`${file}/read`, { collection: await mainCollection(visit, file) });
  const job = (await ended(visit, `${file}/reading`)).replace('/columns', '');
  expect(job).toMatch(/^\/job\//);
  expect((await land(visit, `${job}/words`)).text).toContain('borrowed');
});

test('blank cells below the name of a group are filled in on request', async () => {
  const page = await openPage({ choice: { sandbox: true } });
  const visit = await page.enter();
  const rows = ['Acme,Robot', ',Rocket', ',Car', 'Steiff,Bear', ',Fox'];
  const file = (await visit.upload('toys.csv', `brand,name\n${rows.join('\n')}\n`)).headers.location ?? '';
  await visit.post(`${file}/read`, { collection: await mainCollection(visit, file) });
  const job = (await ended(visit, `${file}/reading`)).replace('/columns', '');
  const offered = (await visit.get(`${job}/plan`)).text;
  expect(offered).toContain(
    '<strong><bdi>brand</bdi></strong> is blank in 3 of 5 rows, each time below a filled cell.',
  );
  const { headers } = await visit.post(`${job}/fill-down`, { field: 'brand', screen: 'plan', fill: 'yes' });
  const filled = (await land(visit, headers.location ?? '')).text;
  expect(filled).not.toContain('is blank in 3');
  expect(filled.match(/<td><bdi>Acme<\/bdi>/g)).toHaveLength(3);
  // Once decided, there is no offer to take.
  await visit.post(`${job}/fill-down`, { field: 'brand', screen: 'plan', fill: 'no' });
  expect((await visit.get(`${job}/plan`)).text.match(/<td><bdi>Acme<\/bdi>/g)).toHaveLength(3);
});

test('duplicates are found and planned, and a report is created and opens under its own policy', async () => {
  const page = await openPage({ choice: { sandbox: true } });
  const visit = await page.enter();
  const twice = 'name,brand\nTwin,Acme\nTwin,Acme\n';
  const file = (await visit.upload('twins.csv', twice)).headers.location ?? '';
  await visit.post(`${file}/read`, { collection: await mainCollection(visit, file) });
  const job = (await ended(visit, `${file}/reading`)).replace('/columns', '');
  await visit.post(`${job}/send`);
  await ended(visit, `${job}/sending`);
  await visit.post('/duplicates', {});
  const groups = await shows(visit, '/duplicates', 'action="/duplicates/plan"');
  expect(groups).toContain('Twin');
  const planned = await visit.post('/duplicates/plan', { keep: 'oldest' });
  const plan = await ended(visit, planned.headers.location ?? '');
  expect(plan).toMatch(/\/plan$/);
  expect((await visit.get(plan)).text).toContain('Archived');

  // Before a file is made, its first rows are shown, and nothing is written.
  const look = (fields: Record<string, string>) => visit.post('/reports', { do: 'look', ...fields });
  const first = (await look({ for: 'yourself', where: 'name=Twin' })).text;
  expect(first.match(/<th scope="row"><bdi>Twin<\/bdi>/g)).toHaveLength(2);
  expect(first).toContain('These are all.');
  expect(first).toMatch(/value="yourself" checked/);
  expect((await look({ for: 'insurer' })).text).toContain('the file has all of them');
  expect((await look({ for: 'insurer', where: 'name=Nobody' })).text).toContain('the file would be empty');
  expect((await look({ for: 'marketplace' })).text).toContain('The file would contain');
  expect((await look({ for: 'accountant' })).text).toContain('Completed sales');
  expect((await visit.get('/reports')).text).toContain('There are no files yet.');
  const refused = await visit.post('/reports', { for: 'yourself', where: 'colour>5' });
  expect(refused.status).toBe(422);
  await visit.post('/reports', { for: 'yourself', where: 'name=Twin\nbrand=Acme', form: 'csv:de-DE' });
  const made = await shows(visit, '/reports', '/preview');
  const csv = /href="(\/reports\/yourself-[^"]+)\/preview"/.exec(made)?.[1] ?? '';
  expect((await visit.get(`${csv}/preview`)).text.match(/<td><bdi>Twin<\/bdi>/g)).toHaveLength(2);
  expect((await visit.get(csv)).text.trim().split('\n')).toHaveLength(3);
  await visit.post('/reports', { for: 'insurer' });
  const list = await shows(visit, '/reports', '/view');
  const path = /href="(\/reports\/insurer-[^"]+)\/view"/.exec(list)?.[1] ?? '';
  const report = await visit.get(`${path}/view`);
  expect(report.headers['content-security-policy']).toMatch(/style-src 'sha256-.*frame-ancestors 'none'/);
  expect(report.headers['content-security-policy']).not.toContain('unsafe');
  expect((await visit.get(path)).headers['content-disposition']).toContain('attachment');
  expect((await visit.get('/reports/..%2Fui.lock')).status).toBe(404);
  expect((await visit.get('/automatic')).text).toContain('shelflift.yaml');
});

test('the page asks whether the first row is an item, as a terminal does, and shows a file without column names', async () => {
  const page = await openPage({ choice: { sandbox: true } });
  const visit = await page.enter();
  // Only a word that occurs again is a sign.
  const films = 'Alien,horror\nHeat,crime\nJaws,horror\nSaw,horror\n';
  const asked = (await visit.upload('films.csv', films)).headers.location ?? '';
  const shown = (await visit.get(asked)).text;
  expect(shown).toContain('The file may have no column names');
  expect(shown).toContain('name="row" value="0" form="header-row">Yes, it is an item');
  expect(shown).toContain('name="row" value="1" form="header-row">No, it contains the column names');
  // Without an answer, nothing is read, and it is asked again.
  await visit.post(`${asked}/read`, { collection: await mainCollection(visit, asked) });
  const refused = await ended(visit, `${asked}/reading`);
  expect(refused).toBe(asked);
  expect((await visit.get(asked)).text).toContain('Yes, it is an item');
  await visit.post(`${asked}/header`, { row: '0' });
  const answered = (await visit.get(asked)).text;
  expect(answered).not.toContain('Yes, it is an item');
  expect(answered).toContain('The table has no column names');

  // Surely an item: the preview shows it as the import reads it.
  const sure = 'Nintendo,Game Boy,1989\nSega,Saturn,1994\nAtari,Lynx,1989\nSony,PSP,2004\n';
  const consoles = (await visit.upload('consoles.csv', sure)).headers.location ?? '';
  const without = (await visit.get(consoles)).text;
  expect(without).toContain('The table has no column names');
  expect(without).not.toContain('header-row"><th');
});

test('the page asks whether to choose a collection for each name that the team does not have', async () => {
  const page = await openPage({ choice: { sandbox: true } });
  const visit = await page.enter();
  const rooms = 'Name,Collection\nRobot,Attic\nCar,Cellar\nBear,Attic\n';
  const read = async (name: string) => {
    const file = (await visit.upload(name, rooms)).headers.location ?? '';
    const collection = await mainCollection(visit, file);
    await visit.post(`${file}/read`, { collection, known: 'all' });
    return ended(visit, `${file}/reading`);
  };
  const columns = await read('rooms.csv');
  const asked = (await visit.get(columns)).text;
  expect(asked).toContain('names no collection of your team (&quot;Attic&quot;, &quot;Cellar&quot;)');
  expect(asked).toContain('Otherwise all rows go to Main');
  expect(asked).toMatch(/name="answer-B" value="no" checked/);
  expect((await visit.get(columns, { 'Accept-Language': 'de' })).text).toContain(
    'Ja, auf der nächsten Seite wählen',
  );

  // Kept as a field.
  const kept = await land(visit, (await visit.post(columns, { 'answer-B': 'no' })).headers.location ?? '');
  expect(kept.path).toMatch(/\/plan$/);
  expect(kept.text).toContain('Send all 3');

  const job = columns.replace('/columns', '');
  const words = await land(visit, (await visit.post(columns, { 'answer-B': 'yes' })).headers.location ?? '');
  expect(words.path).toBe(`${job}/words`);
  const other = /<option value="(?!Main)([^"]+)">/.exec(words.text)?.[1] ?? '';
  const [attic = '', second = ''] = [
    ...words.text.matchAll(/name="([^"]+)" aria-label="The collection for/g),
  ].map(([, name]) => name);
  const chosen = await visit.post(`${job}/words`, { [attic]: other, [second]: 'Main' });
  const plan = await land(visit, chosen.headers.location ?? '');
  expect(plan.text).toContain('Send all 3');
  await visit.post(`${job}/send`, { how: 'all' });
  await ended(visit, `${job}/sending`);
  const sent = (await visit.get(`${job}/result`)).text;
  expect(sent).toContain('<span class="value">3</span><span>added</span>');

  // A person may still change their mind.
  const again = await read('rooms.csv');
  await land(visit, (await visit.post(again, { 'answer-B': 'yes' })).headers.location ?? '');
  expect((await visit.get(again)).text).toMatch(/name="answer-B" value="yes" checked/);
  const back = await land(visit, (await visit.post(again, { 'answer-B': 'no' })).headers.location ?? '');
  expect(back.path).toMatch(/\/plan$/);
});

test('a pasted table with a yes/no column and amounts in another currency is read and converted', async () => {
  const page = await openPage({ choice: { sandbox: true } });
  const visit = await page.enter();
  const table = 'name\tPrice\tSigned\r\nRobot\t$ 5.50\tyes\r\nCar\t7.50\tno\r\nBear\t9.00\tx\r\n';
  expect((await visit.post('/file/paste', { do: 'add', table: ' ' })).status).toBe(422);
  const file = (await visit.post('/file/paste', { do: 'add', table })).headers.location ?? '';
  const shown = (await visit.get(file)).text;
  expect(shown).toContain('Automatic (USD)');
  await visit.post(`${file}/choices`, { currency: 'EUR' });
  expect((await visit.get(file)).text).toContain('Amounts without a currency count as EUR');
  await visit.post(`${file}/read`, { currency: 'CHF', collection: await filledCollection(visit, file) });
  const columns = await ended(visit, `${file}/reading`);
  const job = columns.replace('/columns', '');
  expect((await visit.get(columns)).text).toContain('Tag “Signed” where it says yes');
  await visit.post(columns, { 'use-C': 'tag' });
  expect((await visit.get(columns)).text).toMatch(/value="tag" selected/);
  const words = (await visit.get(`${job}/words`)).text;
  expect(words).toContain('The amount is in another currency.');
  const all = /name="([^"]+)" value="rate:USD"/.exec(words)?.[1] ?? '';
  const rate = /1 CHF in USD <input name="([^"]+)"/.exec(words)?.[1] ?? '';
  const unrated = await visit.post(`${job}/words`, { [all]: 'rate:USD', [rate]: 'two' });
  expect(unrated.text).toContain('Enter the rate as a number');
  expect((await visit.get(`${job}/plan`)).text).not.toContain('Please confirm');
  await visit.post(`${job}/words`, { [all]: 'rate:USD', [rate]: '2,0' });
  const plan = (await visit.get(`${job}/plan`)).text;
  expect(plan).toContain('Signed');
  expect(plan).toContain('18');
});

test('the page asks about amounts without a currency next to amounts in another currency, and has a button for the answer', async () => {
  const page = await openPage({ choice: { sandbox: true } });
  const visit = await page.enter();
  const table = 'name\tPrice\r\nRobot\t5.50\r\nCar\t7.50 CHF\r\n';
  const file = (await visit.post('/file/paste', { do: 'add', table })).headers.location ?? '';
  await visit.post(`${file}/read`, { collection: await filledCollection(visit, file) });
  const job = (await ended(visit, `${file}/reading`)).replace('/columns', '');
  const words = (await visit.get(`${job}/words`)).text;
  expect(words).toContain('The amount shows no currency, but other amounts in its column do.');
  expect(words).toContain('The amounts without a currency are in USD');
  const unclear = /name="([^"]+)" value="in:CHF"/.exec(words)?.[1] ?? '';
  await visit.post(`${job}/words`, { [unclear]: 'in:CHF' });
  const both = (await visit.get(`${job}/words`)).text;
  expect(both).toContain('2 rows');
  expect(both).toContain('1 CHF in USD <input name="');
  // Kept as they are, they are no values, and their rows can be sent.
  const wrong = /name="([^"]+)" value="keepColumn"/.exec(both)?.[1] ?? '';
  await visit.post(`${job}/words`, { [wrong]: 'keepColumn' });
  expect((await visit.get(`${job}/plan`)).text).toContain('Send all 2');
});

test('one button accepts a row that looks like a total as an item, and another accepts all such rows', async () => {
  const page = await openPage({ choice: { sandbox: true } });
  const visit = await page.enter();
  const list =
    'name,brand,Year,Price,tags\nRobot,Acme,1985,5,"fair, boxed"\nCar,Acme,1990,6,fair; boxed\nTotal,,,99,\nBear,Steiff,1999,7,\nTotal value,,,18,\nBrands,2,,,\n';
  const file = (await visit.upload('list.csv', list)).headers.location ?? '';
  await visit.post(`${file}/read`, { collection: await mainCollection(visit, file) });
  const job = (await ended(visit, `${file}/reading`)).replace('/columns', '');
  const mend = (await visit.get(`${job}/mend`)).text;
  expect(mend).toContain('2 to mend');
  expect(mend).toContain('They are items');
  expect(mend).toContain('aria-label="It is an item: row 4"');
  await visit.post(`${job}/accept`, { row: '4' });
  const one = (await visit.get(`${job}/mend`)).text;
  expect(one).toContain('1 to mend');
  expect(one).toContain('Row 4 is an item');
  await visit.post(`${job}/fix`, { reason: 'summary_row::', fix: 'accept' });
  const all = (await visit.get(`${job}/mend`)).text;
  expect(all).toContain('Nothing is left to mend');
  expect(all).toContain('Rows that look like totals are items');
  const plan = (await visit.get(`${job}/plan`)).text;
  expect(plan).toContain('Send all 5');
  expect(plan).toContain('&quot;fair, boxed&quot;');
  expect(plan).toContain('>fair; boxed<');
});

test('a job that has ended waits on the start page until its rows are mended or left out', async () => {
  const page = await openPage({ choice: { sandbox: true } });
  const visit = await page.enter();
  const list = 'name,release_year\nRobot,1985\nCar,soon\n';
  const file = (await visit.upload('list.csv', list)).headers.location ?? '';
  await visit.post(`${file}/read`, { collection: await mainCollection(visit, file) });
  const job = (await ended(visit, `${file}/reading`)).replace('/columns', '');
  await visit.post(`${job}/send`);
  await ended(visit, `${job}/sending`);
  const waiting = (await visit.get('/')).text;
  expect(waiting).toContain(`href="${job}/mend">Mend`);
  expect(waiting).not.toContain('Nothing is waiting for you');
  const reason = /data-reason="([^"]+)"/.exec((await visit.get(`${job}/mend`)).text)?.[1] ?? '';
  await visit.post(`${job}/fix`, { reason, fix: 'omit' });
  expect((await visit.get('/')).text).toContain('Nothing is waiting for you');
});

test('the page asks for the password of a protected workbook, keeps it in memory, and never shows it', async () => {
  const page = await openPage({ choice: { sandbox: true } });
  const visit = await page.enter();
  const locked = protectAgile(BOOK, { password: 'open-sesame-42' });
  const file = (await visit.upload('toys.xlsx', locked)).headers.location ?? '';
  const asked = (await visit.get(file)).text;
  expect(asked).toContain('This workbook has a password');
  await visit.post(`${file}/password`, { password: 'wrong-sesame-41' });
  const again = (await visit.get(file)).text;
  expect(again).toContain('This password does not open the file.');
  expect(again).not.toContain('wrong-sesame');
  await visit.post(`${file}/password`, { password: 'open-sesame-42' });
  const shown = (await visit.get(file)).text;
  expect(shown).toContain('Robot');
  await visit.post(`${file}/read`, { collection: await mainCollection(visit, file) });
  const job = (await ended(visit, `${file}/reading`)).replace('/columns', '');
  expect((await visit.get(`${job}/plan`)).text).toContain('Send it');
  const kept = readdirSync(page.folder, { recursive: true, withFileTypes: true }).filter((each) =>
    each.isFile(),
  );
  for (const { parentPath, name } of kept)
    expect(readFileSync(join(parentPath, name)).includes('sesame'), name).toBe(false);
});

test('schedules run on request, failed runs are retried, and a running worker is shown', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'shelflift-automatic-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const configFile = join(folder, 'shelflift.yaml');
  writeFileSync(
    configFile,
    'profiles: { main: { apiUrl: http://127.0.0.1:9, keyFile: key } }\nschedules:\n  weekly: { cron: 0 6 * * 1, timeZone: UTC, profile: main, task: { export: items, out: items.csv }, deliver: [{ folder: out }] }\nhotFolders: [{ path: ./drop, profile: main }, { path: /srv/drop, profile: main }]\n',
  );
  const page = await openPage({ choice: { sandbox: true }, configFile });
  const visit = await page.enter();
  const before = (await visit.get('/automatic')).text;
  expect(before).toContain('No worker is running');
  // As the worker resolves them.
  expect(before).toContain(`>${join(folder, 'drop')}<`);
  expect(before).toContain('>/srv/drop<');
  await visit.post('/automatic/schedules/weekly/run');
  await visit.post('/automatic/schedules/nobody/run');
  const queued = (await visit.get('/automatic')).text;
  expect(queued.match(/weekly<\/bdi><\/p><p class="soft">waiting/g)).toHaveLength(1);
  await using ledger = openSqliteLedger(join(page.folder, 'state/shelflift/sandbox/ledger.db'));
  const runs = new Runs(ledger);
  const [run] = await runs.list();
  if (run === undefined) throw new Error('no run');
  Object.assign(run, { state: 'failed', endedAt: 1, error: { code: 'x', message: 'It broke.' } });
  await runs.save(run);
  const failed = (await visit.get('/automatic')).text;
  expect(failed).toContain('It broke.');
  const retry = /action="(\/automatic\/runs\/[^"]+\/retry)"/.exec(failed)?.[1] ?? '';
  await visit.post(retry.replaceAll('&#39;', "'"));
  expect((await runs.get(run.id))?.state).toBe('queued');
  const lease = await announceWorker(ledger);
  expect((await visit.get('/automatic')).text).toContain('A worker is running.');
  await lease?.release();
  expect((await visit.get('/automatic/runs/nobody/files/0')).status).toBe(404);
});

test('schedules and watched folders are set up from the page, and the comments of the file are kept', async () => {
  await using api = await startSandbox();
  const environment = { SHELFLIFT_API_URL: api.url, SHELFLIFT_API_KEY: api.key };
  const page = await openPage({ environment });
  const visit = await page.enter();
  const file = join(page.folder, 'state/shelflift/ui/shelflift.yaml');
  const add = (fields: Record<string, string>) => visit.post('/automatic/add', fields);
  expect((await visit.get('/automatic')).text).toContain('Nothing is set up yet.');
  expect((await add({ kind: 'items', time: '02:30', folder: './out' })).headers.location).toBe(
    '/automatic?check=yes#file',
  );
  const first = readFileSync(file, 'utf8');
  expect(first).toContain('# All items with all fields, as CSV.');
  expect(first).not.toContain(api.key);
  writeFileSync(file, `# Ours.\n${first}# The end.\n`);
  await add({ kind: 'items', time: '3:00', folder: './more' });
  await add({ kind: 'month', time: '00:30', folder: './out' });
  await add({ kind: 'folder', folder: './drop', collection: 'Main: old' });
  await add({ kind: 'folder', folder: './other', collection: '' });
  const text = readFileSync(file, 'utf8');
  expect(text).toMatch(/^# Ours\.\n[^]*# One package with a cover page\.[^]*# The end\.\n/);
  expect(readWorkerConfig(file)).toMatchObject({
    profiles: { main: { apiUrl: api.url, keyEnv: 'SHELFLIFT_API_KEY' } },
    schedules: {
      items: { cron: '30 2 * * *', profile: 'main', deliver: [{ folder: './out' }] },
      'items-2': { cron: '0 3 * * *', profile: 'main', deliver: [{ folder: './more' }] },
      month: { cron: '30 0 1 * *', task: { report: 'month' } },
    },
    hotFolders: [
      { path: './drop', profile: 'main', import: { collection: 'Main: old', skipInvalid: true } },
      { path: './other', profile: 'main' },
    ],
  });
  const checked = (await visit.get('/automatic?check=yes')).text;
  expect(checked).toContain(`<bdi>${api.url}</bdi></strong> <span class="state">works`);
  expect(checked).toContain('cron: &quot;30 0 1 * *&quot;');
  expect(checked).toContain('No worker is running');

  // A mistake in it is told, and nothing is written over it.
  expect((await add({ kind: 'items', time: '25:00', folder: './out' })).text).toContain('Enter a time');
  const broken = `${text}schedules: 5\n`;
  writeFileSync(file, broken);
  const refused = await add({ kind: 'items', time: '02:00', folder: './out' });
  expect([refused.status, readFileSync(file, 'utf8')]).toEqual([422, broken]);
  // Another account gets a profile of its own.
  writeFileSync(file, 'profiles: { main: { apiUrl: "https://x.example.com", keyEnv: OTHER } } # Theirs.\n');
  await add({ kind: 'month', time: '00:30', folder: './out' });
  const { profiles, schedules } = readWorkerConfig(file);
  expect([Object.keys(profiles), schedules['month']?.profile]).toEqual([['main', 'main-2'], 'main-2']);
  expect(readFileSync(file, 'utf8')).toContain('# Theirs.');

  await visit.post('/connect/practice');
  expect((await visit.get('/automatic')).text).toContain('The practice account cannot be scheduled.');
  expect((await add({ kind: 'items', time: '02:00', folder: './out' })).status).toBe(422);
});

test('likely duplicates are shown side by side and left out; only ticked rows are undone', async () => {
  const page = await openPage({ choice: { sandbox: true } });
  const visit = await page.enter();
  const send = async (name: string, list: string, fields: Record<string, string> = {}, compare = false) => {
    const file = (await visit.upload(name, list)).headers.location ?? '';
    await visit.post(`${file}/read`, { collection: await mainCollection(visit, file) });
    const job = (await ended(visit, `${file}/reading`)).replace('/columns', '');
    if (compare) await visit.post(`${job}/compare`);
    const plan = compare ? await ended(visit, `${job}/sending`) : `${job}/plan`;
    const { text } = await visit.get(plan);
    await visit.post(`${job}/send`, fields);
    await ended(visit, `${job}/sending`);
    return { job, text };
  };
  const first = await send('one.csv', 'name,brand\nPuffin,Acme\nHeron,Acme\nStork,Acme\n');
  const again = await send('two.csv', 'name,brand\npuffin,ACME\nCrane,Acme\n', { similar: 'skip' }, true);
  expect(again.text).toContain('Likely duplicates: 1');
  expect(again.text).toContain('Existing item');
  const result = (await visit.get(`${again.job}/result`)).text;
  expect(result).toContain('<span class="value">1</span><span>added</span>');
  expect(result).toContain('<span class="value">1</span><span>left out</span>');

  // Without a tick, nothing is planned.
  expect((await visit.post(`${first.job}/undo`, { some: 'yes' })).headers.location).toContain('#changed');
  expect((await visit.get(`${first.job}/result`)).text.match(/form="undo-rows"/g)).toHaveLength(3);
  await visit.post(`${first.job}/undo`, { some: 'yes', row: '3' });
  const undo = await ended(visit, `${first.job}/sending`);
  const plan = (await visit.get(undo)).text;
  expect(plan).toContain('Heron');
  expect(plan).not.toContain('Stork');
  const undone = undo.replace('/plan', '');
  await visit.post(`${undone}/send`);
  await ended(visit, `${undone}/sending`);
  const taken = (await visit.get(`${undone}/result`)).text;
  expect(taken).toMatch(/data-keep="deleted:[0-9a-f-]{36}"><bdi>Heron/);
  expect(taken).toContain('Undo: one.csv');

  // Of the plans of one file, only the newest waits on the start page.
  const plans = 'name\nOwl\n';
  for (let times = 0; times < 2; times += 1) {
    const file = (await visit.upload('owl.csv', plans)).headers.location ?? '';
    await visit.post(`${file}/read`, { collection: await mainCollection(visit, file) });
    await ended(visit, `${file}/reading`);
  }
  const home = (await visit.get('/')).text;
  expect(home.slice(0, home.indexOf('id="recent"')).match(/<p class="name"><bdi>owl.csv/g)).toHaveLength(1);
});

test('items that a file lacks are shown as archived, in the plan and in the result', async () => {
  const place = newPlace();
  const at = { XDG_STATE_HOME: join(place.folder, 'state') };
  const stock = (skus: string[]) =>
    place.file('stock.csv', ['sku,name', ...skus.map((sku) => `${sku},Toy ${sku}`), ''].join('\n'));
  const words = ['--sandbox', '--collection', 'Main', '--json', '--map', 'custom_fields.sku=sku'];
  stock(['a', 'b', 'c']);
  await place.call(['import', 'stock.csv', ...words], at);
  stock(['a', 'b']);
  const sync = ['--mode', 'upsert', '--match', 'custom_fields.sku', '--missing', 'archive'];
  const dry = await place.call(
    ['import', 'stock.csv', ...words, ...sync, '--max-missing', '50%', '--dry-run'],
    at,
  );
  expect(dry.code, dry.stdout + dry.stderr).toBe(0);
  const { job } = JSON.parse(dry.stdout) as { job: string };
  const page = await openPage({ choice: { sandbox: true }, environment: at });
  const visit = await page.enter();
  const plan = (await visit.get(`/job/${job}/plan`)).text;
  expect(plan).toContain('Items missing from the file, which will be archived: 1 of the collection’s 3.');
  expect(plan).toContain('Archive: the file does not have this item');
  await visit.post(`/job/${job}/send`, { how: 'all' });
  await ended(visit, `/job/${job}/sending`);
  expect((await visit.get(`/job/${job}/result`)).text).toContain('Archive: the file does not have this item');
});

test('the quit button ends the page, says so, and leaves work in progress to be continued', async () => {
  const page = await openPage({ choice: { sandbox: true } });
  const visit = await page.enter();
  const list = `name\n${Array.from({ length: 300 }, (_, row) => `Toy ${row}`).join('\n')}\n`;
  const file = (await visit.upload('toys.csv', list)).headers.location ?? '';
  await visit.post(`${file}/read`, { collection: await mainCollection(visit, file) });
  const job = (await ended(visit, `${file}/reading`)).replace('/columns', '');
  expect((await visit.get('/')).text).toContain('href="/quit"');
  await visit.post(`${job}/send`);
  const asked = (await visit.get('/quit')).text;
  expect(asked.match(/data-primary/g)).toHaveLength(1);
  expect((await page.ask('/quit', { method: 'POST' })).status).not.toBe(200);
  const last = await visit.post('/quit');
  expect(last.text).toContain('shelflift has been closed');
  expect(last.text).not.toContain('<nav');
  await page.served.left;
  await page.served[Symbol.asyncDispose]();
  await using ledger = openSqliteLedger(join(page.folder, 'state/shelflift/sandbox/ledger.db'));
  const found = await ledger.jobs.find(job.replace('/job/', ''));
  const counts = await ledger.rows.counts(found.id);
  expect(counts.sending).toBe(0);
  expect(counts.created + counts.planned).toBe(300);
});

test('the page waits for room under the item limit if it was started with that option', async () => {
  await using sandbox = await startSandbox({ planLimit: 1 });
  const environment = { SHELFLIFT_API_URL: sandbox.url, SHELFLIFT_API_KEY: sandbox.key };
  const page = await openPage({ environment, waits: { waitForLimit: true } });
  const visit = await page.enter();
  const file = (await visit.upload('toys.csv', 'name\nRobot\nRocket\n')).headers.location ?? '';
  await visit.post(`${file}/read`, { collection: await mainCollection(visit, file) });
  const job = (await ended(visit, `${file}/reading`)).replace(/\/columns$/, '');
  await visit.post(`${job}/send`, { how: 'all' });
  await using ledger = openSqliteLedger(join(page.folder, 'state/shelflift/ledger.db'));
  const id = job.replace('/job/', '');
  await vi.waitFor(async () => expect(await nextTryAt(ledger, id)).toBeDefined(), { timeout: 150_000 });
  expect((await visit.get(`${job}/sending`)).status).toBe(200);
});

test('each meaning of a word is a separate answer: "keep" is the status, not a note', async () => {
  const page = await openPage({ choice: { sandbox: true } });
  const visit = await page.enter();
  const toys = 'name,status\nRobot,sell\nRocket,keep\nBear,borrowed\n';
  const file = (await visit.upload('toys.csv', toys)).headers.location ?? '';
  await visit.post(`${file}/read`, { collection: await mainCollection(visit, file) });
  const job = (await ended(visit, `${file}/reading`)).replace('/columns', '');
  const words = (await visit.get(`${job}/words`)).text;
  const [select = '', borrowed = ''] = /<select name="(word-[^"]+)".*?<\/select>/s.exec(words) ?? [];
  expect(select.match(/ selected/g)).toHaveLength(1);
  const values = [...select.matchAll(/<option value="([^"]*)"/g)].map(([, value]) => value);
  expect(new Set(values).size).toBe(values.length);
  await visit.post(`${job}/words`, { [borrowed]: 'keep' });
  const plan = await land(visit, `${job}/plan`);
  expect(plan.text.match(/<td>(?:<bdi>)?Keep/g)).toHaveLength(2);
  expect(plan.text).not.toContain('borrowed');
});

test('the plan shows the names of rows, whichever column they are in, and no fields of rows that are left out', async () => {
  const page = await openPage({ choice: { sandbox: true } });
  const visit = await page.enter();
  const toys = 'brand,release_year,name\nAcme,1985,Robot\nSteiff,99x,Bear\nSiku,1990,Car\n';
  const file = (await visit.upload('toys.csv', toys)).headers.location ?? '';
  await visit.post(`${file}/read`, { collection: await mainCollection(visit, file) });
  const job = (await ended(visit, `${file}/reading`)).replace('/columns', '');
  await visit.post(`${job}/omit`, { row: '4', sheet: '' });
  const rows = async (kind: string) =>
    [...(await visit.get(`${job}/plan?show=${kind}`)).text.matchAll(/<th scope="row">(.*?)<\/tr>/gs)].map(
      ([, row = '']) => row,
    );
  expect((await rows('create')).map((row) => row.replace(/<\/th>.*/s, ''))).toEqual(['<bdi>Robot</bdi>']);
  expect((await rows('invalid')).join()).toMatch(/^<bdi>Bear<\/bdi>/);
  const skipped = await rows('skipped');
  expect(skipped).toHaveLength(1);
  expect(skipped[0]).toMatch(/^<bdi>Car<\/bdi>/);
  for (const field of ['class="changes"', 'Siku', '1990']) expect(skipped[0]).not.toContain(field);
});

test('a workbook can be downloaded with its invalid cells marked, and continues its import when it is uploaded again', async () => {
  const page = await openPage({ choice: { sandbox: true } });
  const visit = await page.enter();
  const file = (await visit.upload('toys.xlsx', WRONG_BOOK)).headers.location ?? '';
  await visit.post(`${file}/read`, { collection: await mainCollection(visit, file) });
  const job = (await ended(visit, `${file}/reading`)).replace('/columns', '');
  expect((await visit.get(`${job}/mend`)).text).toContain(`href="${job}/marked"`);
  const marked = await visit.get(`${job}/marked`);
  expect(marked.headers['content-disposition']).toContain('toys.to-correct.xlsx');

  // As it is: nothing was corrected, and no second import begins.
  const unchanged = (await visit.upload('back.xlsx', marked.bytes)).headers.location ?? '';
  expect((await land(visit, unchanged)).text).toContain('Corrections taken from your workbook: 0.');
  // The name of the job is lost: the screen says which one it is. A program also writes other formats.
  const corrected = makeBook({
    sheets: `<sheetData><row r="1">${cell('A1', 'name')}${cell('B1', 'brand')}</row><row r="2">${cell('A2', 'Robot')}${cell('B2', 'Acme')}</row><row r="3">${cell('A3', 'Rocket')}${cell('B3', 'Acme')}</row></sheetData>`,
  });
  const back = await visit.upload('back.xlsx', corrected, { job: job.replace('/job/', '') });
  expect((await land(visit, back.headers.location ?? '')).path).toBe(`${job}/plan`);
  await visit.post(`${job}/send`, { how: 'all' });
  await ended(visit, `${job}/sending`);
  expect((await visit.get(`${job}/result`)).text).toContain('<span class="value">2</span><span>added</span>');
  const spool = join(page.folder, 'state/shelflift/sandbox/ui/spool');
  expect(readdirSync(spool)).toHaveLength(1);

  const csv = (await visit.upload('toys.csv', TOYS)).headers.location ?? '';
  await visit.post(`${csv}/read`, { collection: await mainCollection(visit, csv) });
  const other = (await ended(visit, `${csv}/reading`)).replace('/columns', '');
  expect((await visit.get(`${other}/mend`)).text).not.toContain('/marked"');
  expect((await visit.get(`${other}/marked`)).status).toBe(422);
});
