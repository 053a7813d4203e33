/** The page's forms: uploads as multipart, and fields, ids and queries on each of its addresses. */
import { globSync, readFileSync } from 'node:fs';
import { systemClock } from '../../src/base/clock.ts';
import { readFileForm } from '../../src/ui/multipart.ts';
import { openUi } from '../../src/ui/server.ts';
import { enter, type Visit } from '../ui/visit.ts';
import type { Adversary } from './adversary.ts';
import { numbersOf, spoil } from './spoil.ts';

type Random = (below: number) => number;

/** What a text field of a hostile form may have. */
const VALUES = [
  '',
  '0',
  '-1',
  '1e9',
  'NaN',
  'yes',
  'all',
  'xlsx',
  'de',
  'name',
  'custom_fields.x',
  'ignore',
  'keep',
  'tag',
  'update',
  '<xss>',
  '"><xss>',
  "' OR 1=1 --",
  '\0',
  '\r\nSet-Cookie: a=b',
  '\ud800',
  '\u202e',
  '__proto__',
  'constructor',
  '🧸',
  '../../etc/passwd',
  '/etc/passwd',
  'C:\\x',
  '{}',
  '[]',
  '[1,2',
  '{"a":{"b":1}}',
  '9'.repeat(400),
  'x'.repeat(70_000),
  '2|name|Bear',
  '2:B',
  '2',
  'A',
  'B',
  'no_name',
  'bad_year',
  'Robot',
  '(a+)+$',
  'http://127.0.0.1:1',
  'last',
  'robot = 1',
];
const IDS = [
  '..',
  '%2e%2e',
  '..%2f..%2fetc%2fpasswd',
  '%00',
  '%',
  '%ff',
  '%f0%9f%a7%b8',
  'last',
  '__proto__',
  'constructor',
  '-',
  '0'.repeat(16),
  'f'.repeat(5000),
  '000000-00000000',
  "'%20OR%201=1",
  '%3Cxss%3E',
  '*',
  '?',
  '#',
  '%0d%0aX:%20y',
  '%20%20',
];
const QUERIES = [
  '',
  '?after=-1',
  '?after=1e400',
  '?n=NaN',
  '?row=%00',
  '?show=%3Cxss%3E',
  '?reason=__proto__',
  '?token=',
  '?%',
];
const MULTIPART = 'multipart/form-data; boundary=';
const MULTIPART_WORDS = [
  '\r\n',
  '\n',
  '--',
  '--mark',
  '\r\n--mark',
  '\r\n--mark--',
  '"',
  '%22',
  ';',
  'filename="',
  'name="',
  'Content-Disposition: ',
  '\0',
  '\r\n\r\n',
  "filename*=UTF-8''x",
  ' '.repeat(500),
  'x'.repeat(20_000),
  '\r\n--mar',
  '\xff\xfe',
];

/** Every address of the page, as its screens name them. */
function addresses(): { method: string; path: string }[] {
  return globSync('src/ui/{server.ts,screens/**/*.ts,jobs/*.ts}').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/\bapp\.(get|post)\(\s*'([^']+)'/g)].map(
      ([, method = '', path = '']) => ({
        method: method.toUpperCase(),
        path,
      }),
    ),
  );
}

/** Names of fields that the screens read. */
function fields(): string[] {
  const names = globSync('src/ui/**/*.ts').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/\bname="([a-zA-Z]+)"|\.get\('([a-zA-Z]+)'\)/g)].map(
      ([, a, b]) => a ?? b ?? '',
    ),
  );
  return [...new Set([...names, 'use-A', 'use-B'])].filter((name) => name !== '_token');
}

export async function forms(folder: string): Promise<Adversary> {
  const { url, served } = await openUi({
    choice: { sandbox: true },
    port: 0,
    settings: { timeoutMs: 30_000 },
    environment: { HOME: folder, XDG_STATE_HOME: folder, XDG_CONFIG_HOME: folder },
  });
  const visit = await enter(url);
  const ids = await someIds(visit);
  const all = addresses();
  const words = (await visit.get(`/job/${ids[0] ?? ''}/words`)).text;
  const asked = [...words.matchAll(/name="((?:word|all|rate)-[^"]+)"/g)].map(([, name]) => name);
  const names = [...fields(), ...asked];
  return {
    async play(number) {
      const random = numbersOf(number * 2_654_435_761 + 15);
      const kind = random(20);
      if (kind < 15) return upload(random);
      const { method, path } = all[random(all.length)] ?? { method: 'GET', path: '/' };
      const to = path.replaceAll(
        /:\w+/g,
        () => (random(3) > 0 ? ids : IDS)[random(random(2) === 0 ? 2 : IDS.length)] ?? 'x',
      );
      if (method === 'GET') return judge(await visit.get(to + (QUERIES[random(QUERIES.length)] ?? '')), to);
      const given = Array.from({ length: random(5) }, () => [
        names[random(names.length)] ?? '',
        VALUES[random(VALUES.length)] ?? '',
      ]);
      if (random(8) === 0) {
        const body = spoil(
          Buffer.from(
            new URLSearchParams([['_token', visit.token], ...(given as [string, string][])]).toString(),
          ),
          VALUES.slice(0, 30),
          random,
        );
        return judge(await visit.send(to, 'application/x-www-form-urlencoded', body), to);
      }
      return judge(await visit.post(to, Object.fromEntries(given) as Record<string, string>), to);
    },
    close: async () => {
      await served?.[Symbol.asyncDispose]();
    },
  };
}

/** Of a file that was read, and of the job that came of it. */
async function someIds(visit: Visit): Promise<string[]> {
  const uploaded = await visit.upload(
    'toys.csv',
    'name,brand,release_year\nRobot,Acme,1985\nBear,Steiff,1902\n',
  );
  const file = uploaded.headers.location ?? '';
  const collection = /<option value="([^"]+)"[^>]*>Main</.exec((await visit.get(file)).text)?.[1] ?? '';
  await visit.post(`${file}/read`, { collection });
  for (;;) {
    const { status, headers } = await visit.get(`${file}/reading`);
    const job = /^\/job\/([^/]+)/.exec(headers.location ?? '')?.[1];
    if (status === 303 && job !== undefined) return [job, file.replace('/file/', '')];
    await systemClock.sleep(20);
  }
}

function judge({ status, text }: { status: number; text: string }, to: string): string {
  if (status >= 500 || /\n\s+at .*:\d+:\d+|node:internal/.test(text))
    throw new Error(`${to}: ${status} ${/class="quote">([^<]*)/.exec(text)?.[1] ?? text.slice(0, 500)}`);
  if (text.includes('<xss>')) throw new Error(`${to} shows markup of a stranger`);
  return String(status);
}

/** A good form is read to the byte, however it is cut; a spoiled one is read or refused, and never for ever. */
async function upload(random: Random): Promise<string> {
  const content = spoil(Buffer.from('name,brand\r\nBear,Steiff\r\n'), MULTIPART_WORDS, random);
  const note = VALUES[random(VALUES.length - 20)] ?? '';
  const good = Buffer.concat([
    Buffer.from(`--mark\r\nContent-Disposition: form-data; name="note"\r\n\r\n${note}\r\n`),
    Buffer.from(
      '--mark\r\nContent-Disposition: form-data; name="file"; filename="a %22b%22.csv"\r\nContent-Type: text/csv\r\n\r\n',
    ),
    content,
    Buffer.from('\r\n--mark--\r\n'),
  ]);
  const isGood = random(3) === 0 && !content.includes('\r\n--mark') && !note.includes('\r\n--mark');
  const body = isGood ? good : spoil(good, MULTIPART_WORDS, random);
  const form = await readFileForm(`${MULTIPART}${random(2) === 0 ? 'mark' : '"mark"'}`, pieces(body, random));
  const chunks: Uint8Array[] = [];
  for await (const chunk of form.content) chunks.push(chunk);
  if (!isGood) return 'read';
  if (
    form.name !== 'a "b".csv' ||
    form.fields.get('note') !== Buffer.from(note).toString() ||
    !Buffer.concat(chunks).equals(content)
  )
    throw new Error(`a good form was read wrong: ${JSON.stringify(body.toString('latin1'))}`);
  return 'good';
}

// oxlint-disable-next-line typescript/require-await -- bodies come so
async function* pieces(body: Buffer, random: Random): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < body.length; ) {
    const to = at + 1 + random(random(2) === 0 ? 5 : 5000);
    yield body.subarray(at, to);
    at = to;
  }
}
