/**
 * `npm run demo`: the whole way once, for real. A server of the API, an untidy spreadsheet, a rate limit, a
 * SIGKILL in the middle, a full plan; then the files that come out, and the proof that each row is there once.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parse } from 'csv-parse/sync';
import { createClient } from '../../src/api/client.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';

const root = resolve(import.meta.dirname, '../..');
const cli = join(root, 'src/cli/bin.ts');
const sample = join(root, 'samples/untidy-1000.csv');
const out = join(root, 'demo-output');

const SEEDED = 60;
const PLAN_LIMIT = SEEDED + 700;
const KILL_AT = SEEDED + 300;
const COLLECTION = 'Action figures';

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });

await using sandbox = await startSandbox({
  seed: 7,
  seedItems: SEEDED,
  rateLimit: '100/1s',
  planLimit: PLAN_LIMIT,
});
const environment = {
  ...process.env,
  SHELFLIFT_API_URL: sandbox.url,
  SHELFLIFT_API_KEY: sandbox.key,
  SHELFLIFT_STORE: join(out, 'ledger.db'),
};
const collectionId = sandbox.teams[0]?.collections.find(({ name }) => name === COLLECTION)?.id;
const seeded = sandbox.control
  .items()
  .filter((item) => item.collection_id === collectionId)
  .map((item) => keyOf(item.custom_fields?.['sku'], item.name));
const itemsThere = () => sandbox.control.items().length;

heading('A server to try things on');
say(`The reference server of the API runs at ${sandbox.url}: ${SEEDED} toys are there already,`);
say(`100 requests a second are allowed, and the plan has room for ${PLAN_LIMIT} items.`);

heading('Import about 1,000 untidy rows, and kill the import in the middle');
say(
  'The short --quiet-period is safe here, because this server applies a request at once or never. A real one',
);
say('may apply it later: the default waits 10 s after a broken connection, and 60 s after a kill.');
const importing = [
  'import',
  sample,
  '--template',
  'action-figures',
  '--collection',
  COLLECTION,
  '--out-dir',
  out,
];
const first = start([...importing, '--quiet-period', '1s']);
await until(() => itemsThere() >= KILL_AT || first.exitCode !== null);
first.kill('SIGKILL');
await once(first, 'exit');
say(`\nKilled (SIGKILL) with ${itemsThere() - SEEDED} of the rows on the server.`);

heading('Resume: it goes on where it was, until the plan is full');
const parked = await run(['jobs', 'resume', 'last', '--quiet-period', '1s']);
expectCode(parked, 4, 'the plan limit');

heading('The plan is raised: resume again');
sandbox.control.setPlanLimit(null);
const done = await run(['jobs', 'resume', 'last', '--quiet-period', '1s']);
expectCode(done, 0, 'the end of the import');

heading('The same file once more adds nothing');
expectCode(await run([...importing, '--quiet']), 0, 'a file that was applied before');

heading('And out again');
expectCode(await run(['export', 'items', '--out', join(out, 'items.xlsx')]), 0, 'the export of items');
expectCode(
  await run(['export', 'listings', '--out', join(out, 'listings.csv')]),
  0,
  'the export of listings',
);
expectCode(await run(['export', 'sales']), 0, 'the sales summary');

heading('Is each row there once?');
await using client = createClient({ apiUrl: sandbox.url, key: sandbox.key });
const there = new Map<string, number>();
let total = 0;
for await (const item of client.items()) {
  total += 1;
  if (item.collection_id !== collectionId) continue;
  count(there, keyOf(item.custom_fields?.['sku'], item.name));
}
for (const before of seeded) count(there, before, -1);
const wanted = new Map<string, number>();
const rows = parse<Record<string, string>>(readFileSync(join(out, 'untidy-1000.results.csv')), {
  delimiter: ';',
  columns: true,
});
for (const row of rows) count(wanted, keyOf(row['Nr.'] ?? '', row['Bezeichnung'] ?? ''));
let missing = 0;
let tooMany = 0;
for (const key of new Set([...wanted.keys(), ...there.keys()])) {
  const difference = (there.get(key) ?? 0) - (wanted.get(key) ?? 0);
  if (difference < 0) missing -= difference;
  else tooMany += difference;
}
say(
  'Read back through the API, and compared by number and name (rows that are equal are toys of their own):',
);
say(`rows of the file:          ${rows.length}`);
say(`items on the server:       ${total} = ${SEEDED} from before + ${total - SEEDED} new`);
say(`rows without an item:      ${missing}`);
say(`items without a row:       ${tooMany}`);
say(`\nThe files are in ${out}`);

if (missing > 0 || tooMany > 0 || total - SEEDED !== rows.length) {
  say('\nThis is not as it should be.');
  process.exitCode = 1;
}

function keyOf(number: unknown, name: string): string {
  return `${typeof number === 'string' ? number : ''}|${name.trim()}`;
}

function count(counts: Map<string, number>, key: string, by = 1): void {
  counts.set(key, (counts.get(key) ?? 0) + by);
}

function start(args: string[]): ChildProcess {
  process.stdout.write(
    `\n$ shelflift ${args.map((arg) => (arg.includes(' ') ? `"${arg}"` : arg.replace(`${root}/`, ''))).join(' ')}\n`,
  );
  return spawn(process.execPath, [cli, ...args], { env: environment, stdio: 'inherit' });
}

async function run(args: string[]): Promise<number> {
  const [code] = (await once(start(args), 'exit')) as [number];
  return code;
}

function expectCode(code: number, expected: number, what: string): void {
  if (code === expected) return;
  throw new Error(`${what} ended with exit code ${code}, expected ${expected}`);
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((wake) => setTimeout(wake, 20));
}

function heading(text: string): void {
  process.stdout.write(`\n== ${text}\n`);
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
