/** Each screen in both languages: what reads alike in both was not translated, unless it is the file's own. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { ended, openPage } from './open-page.ts';
import type { Answer, Visit } from './visit.ts';

const SAMPLES = join(import.meta.dirname, '../../samples');

/** Texts of a page, and of the attributes that people hear or see. */
function textsOf({ text }: Answer): Set<string> {
  const body = text
    .slice(text.indexOf('</head>'))
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
  const attributes = [...body.matchAll(/(?:title|aria-label|placeholder|data-label)="([^"]*)"/g)];
  const parts = [
    ...body.replaceAll(/<[^>]*>/g, '\n').split('\n'),
    ...attributes.map(([, value]) => value ?? ''),
  ];
  return new Set(
    parts.map((part) => part.trim()).filter((part) => (part.match(/\p{L}{2,}/gu) ?? []).length > 2),
  );
}

/** What a German page says in English: nothing of `own`, which is what the file says. */
async function untranslated(visit: Visit, path: string, own: string): Promise<string[]> {
  const [english, german] = await Promise.all(
    ['en', 'de'].map((language) => visit.get(path, { 'Accept-Language': language })),
  );
  if (english === undefined || german === undefined) return ['no answer'];
  expect([english.status, path]).toEqual([german.status, path]);
  const known = textsOf(english);
  const alike = [...textsOf(german)].filter((text) => known.has(text) && !isOwn(text, own));
  const marked = german.text.replace(/<button name="language" value="en"[^>]*>/, '').match(/lang="en"[^<]*/g);
  return [...alike, ...(marked ?? [])].map((text) => `${path}: ${text}`);
}

/** A text of the file, alone or behind the name of its column, cut or not; an id; and what an undo writes into items. */
function isOwn(text: string, own: string): boolean {
  const plain = text.replace(/ ?…$/, '');
  return (
    own.includes(plain) ||
    own.includes(plain.replace(/^[^:]*: /, '')) ||
    /^[0-9a-f]{8}-[0-9a-f-]{27}$/.test(text) ||
    text.startsWith('created by job ')
  );
}

/** Names of collections, and an expression. */
const OWN =
  '1 EUR in USD estimated_value&gt;=50 Main Trains Building sets Dolls & plush Action figures Die-cast';

test('each screen of an import is in German, with its notes, problems and confirmations', async () => {
  const page = await openPage({ choice: { sandbox: true } });
  const visit = await page.enter();
  const found: string[] = [];
  const walk = async (name: string, content: string) => {
    const own = `${OWN}\n${content.replaceAll('"', '')}`;
    const look = async (path: string) => found.push(...(await untranslated(visit, path, own)));
    const file = (await visit.upload(name, content)).headers.location ?? '';
    await look(file);
    const collection = /<option value="([0-9a-f-]{36})"[^>]*>(?!Main<)/.exec(
      (await visit.get(file)).text,
    )?.[1];
    await visit.post(`${file}/read`, { collection: collection ?? '' });
    const job = (await ended(visit, `${file}/reading`)).replace(/\/columns$/, '');
    await look(`${job}/columns`);
    await look(`${job}/words`);
    const mend = (await visit.get(`${job}/mend`)).text;
    for (const [, reason = ''] of mend.matchAll(/href="(\?reason=[^"]+)"/g))
      await look(`${job}/mend${reason}`);
    await visit.post(`${job}/cells`, { cells: JSON.stringify([{ row: 3, column: 'Year', text: '1990' }]) });
    await visit.post(`${job}/cells`, {
      cells: JSON.stringify([{ row: 999_999, column: 'Year', text: '1990' }]),
    });
    await look(`${job}/mend`);
    for (const kind of ['create', 'invalid', 'skipped', 'held', 'unchanged'])
      await look(`${job}/plan?show=${kind}`);
    await visit.post(`${job}/send`, { how: 'all' });
    await look(await ended(visit, `${job}/sending`));
    const item = /href="(\/item\/[^"]+)"/.exec((await visit.get(`${job}/result`)).text)?.[1];
    if (item === undefined) throw new Error(`nothing of ${name} was sent`);
    await look(item);
    await visit.post(`${job}/undo`);
    await look(await ended(visit, `${job}/sending`));
    await look('/');
    await look('/history');
    await look(job);
  };
  await walk('mistakes.csv', readFileSync(join(SAMPLES, 'with-mistakes.csv'), 'utf8'));
  await walk(
    'list.csv',
    'Name,Year,Condition,Price,Qty,brand\nRobot One Red,ca. 1985,Z7,$ 5,1,Acme\nBear Two Blue,1955,good,€ 7,3,\nTotal value,,,12,,\nRocket Six Seven,1990,loose mint,$ 6,1,Acme\n',
  );
  expect(found).toEqual([]);
});

test('error pages and all other screens of the page are in German', async () => {
  const sandbox = await startSandbox();
  onTestFinished(() => sandbox.close());
  const page = await openPage({
    environment: { SHELFLIFT_API_URL: sandbox.url, SHELFLIFT_API_KEY: sandbox.key },
  });
  const visit = await page.enter();
  const found: string[] = [];
  for (const path of [
    '/connect',
    '/connect/check',
    '/file',
    '/file?do=change',
    '/duplicates',
    '/reports',
    '/automatic',
    '/quit',
    '/nothing/here',
    '/job/none',
    '/file/0000000000000000',
  ])
    found.push(...(await untranslated(visit, path, OWN)));
  for (const [name, content] of [
    ['empty.csv', ''],
    ['picture.csv', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 1])],
    ['page.xls', '<html><body>no</body></html>'],
  ] as const) {
    const file = (await visit.upload(name, content)).headers.location ?? '';
    found.push(...(await untranslated(visit, file, OWN)));
  }
  const refused = (language: string) =>
    visit.post(
      '/connect/new',
      { address: 'no address', key: 'x', name: 'toys' },
      { 'Accept-Language': language },
    );
  const known = textsOf(await refused('en'));
  found.push(...[...textsOf(await refused('de'))].filter((text) => known.has(text)));
  expect(found).toEqual([]);
});

test('a configuration with a mistake is refused in German', async () => {
  const page = await openPage({ choice: { sandbox: true } });
  const config = join(page.folder, 'shelflift.yaml');
  const yaml = 'schedules:\n  nightly: { cron: "61 * * * *", export: items }\n';
  writeFileSync(config, yaml);
  const other = await openPage({ choice: { sandbox: true }, configFile: config });
  const visit = await other.enter();
  expect(await untranslated(visit, '/automatic', OWN + config + yaml)).toEqual([]);
});
