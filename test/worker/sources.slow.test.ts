import { lookup, type LookupOptions } from 'node:dns';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createClient } from '../../src/api/client.ts';
import { RequestMeter } from '../../src/api/meter.ts';
import { systemClock } from '../../src/base/clock.ts';
import { commandOf } from '../../src/cli/show/actions.ts';
import { correctJob } from '../../src/import/correction/correct-job.ts';
import { resumeJob, undoJob } from '../../src/import/run.ts';
import type { JobDeps } from '../../src/import/job/deps.ts';
import { english } from '../../src/messages/message.ts';
import { checkWorkerConfig } from '../../src/worker/config/check-config.ts';
import type { SandboxOptions } from '../../src/sandbox/settings.ts';
import { failureInWords } from '../../src/worker/notify/in-words.ts';
import { openQueue } from '../../src/worker/queue/open-queue.ts';
import { ask, openHttps } from '../../src/worker/remote/https.ts';
import { Runs } from '../../src/worker/queue/runs.ts';
import { Spool } from '../../src/worker/queue/spool.ts';
import type { Run } from '../../src/worker/queue/run.ts';
import { reviveRun } from '../../src/worker/revive.ts';
import { isPublicAddress } from '../../src/worker/remote/public-address.ts';
import { download } from '../../src/worker/sources/download.ts';
import { temporaryFolder } from '../support/open-import.ts';
import { DAY, TUESDAY } from './example-config.ts';
import { httpsServer } from './https-server.ts';
import { openWorker, type WorkerPlace } from './open-worker.ts';
import { sftpServer } from './sftp-server.ts';
import { CERTIFICATE } from './test-certificate.ts';

const SOURCE = (from: string, more = '') => `
retries: { tries: 2, backoff: 1ms }
schedules:
  stock:
    profile: main
    cron: "0 6 * * *"
    timeZone: Europe/Berlin
    task: { import: { ${from}, collection: Main${more} } }
`;
const HTTPS = (url: string, more = '') =>
  SOURCE(`url: "${url}", allowPrivate: true, caFile: cert.pem${more}`);

async function place(yaml: string, options: SandboxOptions = {}): Promise<WorkerPlace> {
  const opened = await openWorker(yaml, options);
  writeFileSync(join(opened.folder, 'cert.pem'), CERTIFICATE);
  await opened.once({ now: TUESDAY });
  return opened;
}

const names = ({ sandbox }: WorkerPlace) =>
  sandbox.control
    .items()
    .map(({ name }) => name)
    .sort();
const day = (count: number) => ({ now: TUESDAY + count * DAY });

test('a file is fetched on a schedule and imported; later runs import only new rows, or nothing if it is unchanged', async () => {
  let table = 'name,brand\nRobot,Acme\nBear,Steiff\n';
  let etag: string | undefined = '"one"';
  const server = await httpsServer((request, response) => {
    if (etag !== undefined) response.setHeader('etag', etag);
    if (etag !== undefined && request.headers['if-none-match'] === etag) response.writeHead(304).end();
    else response.end(table);
  });
  await using own = await place(HTTPS(`${server.url}/stock.csv?token=hunter2`, ', outDir: ./imported'));
  const first = await own.once(day(1));
  expect(first).toMatchObject({ exitCode: 0, runs: [{ state: 'done', rows: 2, priority: 'write' }] });
  expect(names(own)).toEqual(['Bear', 'Robot']);
  expect(readdirSync(join(own.folder, 'imported')).sort()).toEqual([
    'stock-2026-06-17-0600.csv',
    'stock-2026-06-17-0600.results.csv',
  ]);
  // The query of an address may be a secret.
  expect(JSON.stringify(first)).not.toContain('hunter2');

  const unchanged = await own.once(day(2));
  expect(unchanged.runs[0]).toMatchObject({ state: 'done', rows: 0, error: { code: 'nothing_new' } });

  // The same size: only the content says that it is another.
  table = 'name,brand\nRobot,Acme\nDoll,Steiff\n';
  etag = '"two"';
  expect((await own.once(day(3))).runs[0]).toMatchObject({ state: 'done', rows: 2 });
  expect(names(own)).toEqual(['Bear', 'Doll', 'Robot']);

  etag = undefined;
  expect((await own.once(day(4))).runs[0]).toMatchObject({ rows: 0, error: { code: 'nothing_new' } });
  table += 'Ball,Steiff\n';
  expect((await own.once(day(5))).runs[0]).toMatchObject({ state: 'done', rows: 3 });
  expect(names(own)).toEqual(['Ball', 'Bear', 'Doll', 'Robot']);
  expect(server.asked).toHaveLength(5);
});

test('a file that is fetched in the minute of another one does not replace that file and its results', async () => {
  let table = 'name\nRobot\n';
  const server = await httpsServer((_request, response) => void response.end(table));
  const often = HTTPS(`${server.url}/stock.csv`, ', outDir: ./imported').replace(
    '0 6 * * *',
    '*/20 0 6 * * *',
  );
  await using own = await place(often);
  const six = Date.UTC(2026, 5, 17, 4);
  await own.once({ now: six });
  table = 'name\nBear\n';
  await own.once({ now: six + 20_000 });
  const text = (name: string) => readFileSync(join(own.folder, 'imported', name), 'utf8');
  expect(text('stock-2026-06-17-0600.csv')).toContain('Robot');
  expect(text('stock-2026-06-17-0600.results.csv')).toContain('Robot');
  expect(text('stock-2026-06-17-0600-2.csv')).toContain('Bear');
  expect(text('stock-2026-06-17-0600-2.results.csv')).toContain('Bear');
});

test.each(['one machine', 'another machine'])(
  'a run that was stopped during its import continues with the fetched file, whatever the source then has (%s)',
  async (where) => {
    let table = 'name\nRobot\nBear\n';
    const server = await httpsServer((_request, response) => void response.end(table));
    await using own = await place(HTTPS(`${server.url}/stock.csv`));
    const spoolOf = (worker: string) =>
      where === 'one machine' ? {} : { spool: new Spool(join(own.folder, worker), own.ledger.values) };
    const stop = new AbortController();
    const stopped = await own.once({
      ...day(1),
      ...spoolOf('first'),
      signal: stop.signal,
      graceMs: 1,
      emit: (event) => event.type === 'import' && stop.abort(),
    });
    expect(stopped.exitCode).toBe(130);
    table = 'name\nOther\n';
    const { runs } = await own.once({ ...day(1), ...spoolOf('second') });
    expect(runs[0]).toMatchObject({ state: 'done', rows: 2 });
    expect(names(own)).toEqual(['Bear', 'Robot']);
    expect(server.asked).toHaveLength(1);
  },
);

async function byHand<T>(own: WorkerPlace, work: (deps: JobDeps) => Promise<T>): Promise<T> {
  const meter = new RequestMeter();
  await using client = createClient({
    apiUrl: own.sandbox.url,
    key: own.sandbox.key,
    onRequest: meter.onRequest,
  });
  const { signal } = new AbortController();
  return await work({ client, ledger: own.ledger, meter, clock: systemClock, signal, emit: () => undefined });
}

const undo = (own: WorkerPlace, run: Run | undefined, first?: number) =>
  byHand(own, (deps) =>
    undoJob(run?.id ?? '', deps, { run: { yes: true, ...(first === undefined ? {} : { first }) } }),
  );

test('a fetched file whose import was undone is imported again, although its content is the same', async () => {
  const server = await httpsServer((_request, response) => void response.end('name\nRobot\nBear\n'));
  await using own = await place(HTTPS(`${server.url}/stock.csv`));
  const [first] = (await own.once(day(1))).runs;
  await undo(own, first);
  const active = () => own.sandbox.control.items().filter(({ status }) => status !== 'archived').length;
  expect(active()).toBe(0);
  expect((await own.once(day(2))).runs[0]).toMatchObject({ state: 'done', exitCode: 0, rows: 2 });
  expect(active()).toBe(2);
  expect((await own.once(day(3))).runs[0]).toMatchObject({ error: { code: 'nothing_new' } });
});

test('a fetched file is imported again if an earlier import of some of its rows was undone', async () => {
  let table = 'name\nRobot\nBear\n';
  const server = await httpsServer((_request, response) => void response.end(table));
  await using own = await place(HTTPS(`${server.url}/stock.csv`));
  const [first] = (await own.once(day(1))).runs;
  table += 'Doll\n';
  await own.once(day(2));
  await undo(own, first);
  const { runs } = await own.once(day(3));
  // The row that was sent on the second day may belong to another file: it is held, and said.
  expect(runs[0]).toMatchObject({ state: 'done', exitCode: 3, rows: 3 });
  const active = own.sandbox.control.items().filter(({ status }) => status !== 'archived');
  expect(active.map(({ name }) => name).sort()).toEqual(['Bear', 'Doll', 'Robot']);
});

test('a fetched file that was read during an undo of its import is imported again once the undo has ended', async () => {
  const server = await httpsServer((_request, response) => void response.end('name\nRobot\nBear\n'));
  await using own = await place(HTTPS(`${server.url}/stock.csv`));
  const [first] = (await own.once(day(1))).runs;
  const { summary } = await undo(own, first, 1);
  expect(summary.rows).toMatchObject({ updated: 1, pending: 1 });
  // Whether the other row is taken back is not known yet.
  expect((await own.once(day(2))).runs[0]).toMatchObject({ state: 'done', exitCode: 3, rows: 2 });
  await byHand(own, (deps) => resumeJob(summary.job, deps, { yes: true }));
  expect((await own.once(day(3))).runs[0]).toMatchObject({ state: 'done', exitCode: 0, rows: 2 });
  const active = own.sandbox.control.items().filter(({ status }) => status !== 'archived');
  expect(active.map(({ name }) => name).sort()).toEqual(['Bear', 'Robot']);
});

test('a fetched file that was lost from the spool before its import is fetched again', async () => {
  const server = await httpsServer((_request, response) => void response.end('name\nRobot\n'));
  await using own = await place(HTTPS(`${server.url}/stock.csv`));
  const stop = new AbortController();
  await own.once({
    ...day(1),
    once: false,
    signal: stop.signal,
    graceMs: 1,
    emit: (event) => event.type === 'begun' && stop.abort(),
  });
  const runs = new Runs(own.ledger);
  const run = await runs.get('stock@2026-06-17T04:00:00.000Z');
  if (run === undefined) throw new Error('no run');
  run.fetched = { name: 'lost.csv', sha256: '0', settings: '' };
  await runs.save(run);
  expect((await own.once(day(1))).runs[0]).toMatchObject({ state: 'done', rows: 1 });
});

test('a file with invalid rows is a failed run, and is imported once it is corrected at the source', async () => {
  let table = 'name,release_year\nRobot,soon\nBear,1999\n';
  const server = await httpsServer((_request, response) => void response.end(table));
  await using own = await place(HTTPS(`${server.url}/stock.csv`));
  const wrong = await own.once(day(1));
  expect(wrong).toMatchObject({ exitCode: 3, runs: [{ state: 'failed' }] });
  expect(names(own)).toEqual([]);
  const [failed] = wrong.runs;
  const told = failed && failureInWords(failed, english, (action) => commandOf(action, {})).message;
  // `jobs resume` would go on with the file that was read.
  expect(told).toContain('To fetch the corrected file and import it: shelflift schedule run stock');
  expect(told).not.toContain('jobs resume');
  table = table.replace('soon', '1985');
  expect((await own.once(day(2))).runs[0]).toMatchObject({ state: 'done' });
  expect(names(own)).toEqual(['Bear', 'Robot']);
});

test.each([
  'https://localhost:PORT/a',
  'https://127.0.0.1:PORT/a',
  'https://[::1]:PORT/a',
  'https://0x7f.1:PORT/a',
])('a private address is refused before anything is sent there: %s', async (url) => {
  const server = await httpsServer((_request, response) => void response.end('name\nRobot\n'));
  await using own = await place(
    SOURCE(`url: "${url.replace('PORT', String(server.port))}", caFile: cert.pem`),
  );
  const { exitCode, runs } = await own.once(day(1));
  expect([exitCode, runs[0]?.error?.code]).toEqual([2, 'remote_refused']);
  expect(runs[0]?.error?.remedy).toContain('allowPrivate: true');
  expect(server.asked).toEqual([]);
});

test.each([
  '10.1.2.3',
  '169.254.169.254',
  '100.64.0.1',
  '192.168.0.1',
  '::1',
  'fe80::1',
  'fd00::1',
  '::ffff:10.0.0.1',
  '64:ff9b::a00:1',
  '2002:a00:1::',
  'localhost',
  '224.0.0.1',
  '0.0.0.0',
])('%s is not a public address', (address) => expect(isPublicAddress(address)).toBe(false));

test.each(['8.8.8.8', '172.15.0.1', '172.32.0.1', '2606:4700::1111', '[2a00:1450::1]'])(
  '%s is a public address',
  (address) => expect(isPublicAddress(address)).toBe(true),
);

test('a name that resolves to a public address first and to a private address on connection is refused', async () => {
  const server = await httpsServer((_request, response) => void response.end('secret'));
  let looked = 0;
  const rebinding = ((_name: string, _options: object, done: (...found: unknown[]) => void) => {
    looked += 1;
    done(null, [{ address: looked === 1 ? '203.0.114.1' : '127.0.0.1', family: 4 }]);
  }) as unknown as typeof lookup;
  // Whoever checks it beforehand sees the public one.
  rebinding('files.example.com', { all: true }, () => undefined);
  const agent = openHttps({ allowPrivate: false, ca: CERTIFICATE, lookup: rebinding });
  const asking = ask(
    new URL(`https://files.example.com:${server.port}/`),
    { method: 'GET' },
    { agent, signal: AbortSignal.timeout(60_000) },
  );
  await expect(asking).rejects.toMatchObject({ code: 'remote_refused' });
  expect([looked, server.asked]).toEqual([2, []]);
  await agent.destroy();
});

/** Downloads with names that all lead to this machine. */
async function downloaded(url: string, redirects: string[] = [], maxBytes = 1000) {
  const agent = openHttps({
    allowPrivate: true,
    ca: CERTIFICATE,
    lookup: ((_name: string, options: LookupOptions, done: () => void) =>
      lookup('localhost', options, done)) as typeof lookup,
  });
  const to = join(await temporaryFolder(), 'file');
  const around = { agent, redirects, etag: undefined, maxBytes, signal: AbortSignal.timeout(60_000) };
  try {
    await download(new URL(url), to, around);
    return readFileSync(to, 'utf8');
  } catch (error) {
    expect(existsSync(to)).toBe(false);
    throw error;
  } finally {
    await agent.destroy();
  }
}

test('redirects are followed on the same host, to listed hosts, and to the hosts of published Google sheets', async () => {
  let leads = '/there';
  const server = await httpsServer((request, response) => {
    if (request.url === '/here') response.writeHead(307, { location: leads }).end();
    else response.end(`${request.headers.host ?? ''}${request.url ?? ''}`);
  });
  const { port } = server;
  const at = (host: string) => `https://${host}:${port}`;
  expect(await downloaded(`${at('a.example.com')}/here`)).toBe(`a.example.com:${port}/there`);
  leads = `${at('b.example.com')}/there`;
  await expect(downloaded(`${at('a.example.com')}/here`)).rejects.toMatchObject({
    code: 'remote_refused',
    remedy: expect.stringContaining(`redirects: [b.example.com:${port}]`) as string,
  });
  expect(server.asked.filter((each) => each.endsWith('/there'))).toHaveLength(1);
  for (const allowed of [`b.example.com:${port}`, '*.example.com'])
    expect(await downloaded(`${at('a.example.com')}/here`, [allowed])).toBe(`b.example.com:${port}/there`);
  leads = 'http://a.example.com/there';
  await expect(downloaded(`${at('a.example.com')}/here`)).rejects.toThrow('only https: is followed');
  leads = '/here';
  await expect(downloaded(`${at('a.example.com')}/here`)).rejects.toThrow('more than 5 times');
});

test('a forbidden response of a source is refused, and leaves no file', async () => {
  const server = await httpsServer(({ url }, response) => {
    if (url === '/large') response.end('x'.repeat(1001));
    else if (url === '/page') response.setHeader('content-type', 'text/html; charset=utf-8').end('<p>log in');
    else if (url === '/zipped') response.setHeader('content-encoding', 'gzip').end('x');
    else response.writeHead(Number(url?.slice(1))).end();
  });
  const at = (path: string) => downloaded(`${server.url}/${path}`);
  await expect(at('large')).rejects.toMatchObject({ code: 'remote_refused' });
  await expect(at('page')).rejects.toThrow('sends a web page, not a table');
  await expect(at('zipped')).rejects.toThrow('compressed (gzip)');
  await expect(at('403')).rejects.toMatchObject({ code: 'remote_refused' });
  await expect(at('404')).rejects.toMatchObject({ code: 'remote_missing' });
  // Nothing was known, so this answer says nothing.
  await expect(at('304')).rejects.toMatchObject({ code: 'remote_refused' });
  for (const status of ['429', '500', '503'])
    await expect(at(status)).rejects.toMatchObject({ code: 'remote_away' });
  await expect(downloaded('https://localhost:9/x')).rejects.toMatchObject({ code: 'remote_away' });
});

test('a run waits for the folder of its file and results as for the folder of a delivery', async () => {
  const server = await httpsServer((_request, response) => void response.end('name\nRobot\n'));
  const share = join(await temporaryFolder(), 'share');
  await using own = await place(HTTPS(`${server.url}/stock.csv`, `, outDir: "${share}/imported"`));
  let waited = 0;
  const { runs } = await own.once({
    ...day(1),
    emit: (event) => {
      if (event.type !== 'ended') return;
      waited += existsSync(share) ? 0 : 1;
      mkdirSync(share, { recursive: true });
    },
  });
  expect(waited).toBe(1);
  expect(runs[0]).toMatchObject({ state: 'done', tries: 0, rows: 1 });
  expect(readdirSync(join(share, 'imported'))).toContain('stock-2026-06-17-0600.results.csv');
});

test('an unreachable source does not count as a try, and is fetched once it is reachable again', async () => {
  let away = true;
  const server = await httpsServer(
    (_request, response) => void response.writeHead(away ? 503 : 200).end('name\nRobot\n'),
  );
  await using own = await place(HTTPS(`${server.url}/stock.csv`));
  const waiting = await own.once({
    ...day(1),
    emit: (event) => {
      if (event.type === 'ended' && server.asked.length > 0) away = false;
    },
  });
  expect(waiting.runs[0]).toMatchObject({ state: 'done', tries: 0, rows: 1 });
});

const SFTP = ({ port, fingerprint }: { port: number; fingerprint: string }, file = 'out/stock.csv') =>
  SOURCE(
    `sftp: { host: 127.0.0.1, port: ${port}, user: books, hostKey: "${fingerprint}", passwordEnv: SFTP_PASSWORD, file: ${file} }`,
  );
const environment = { SFTP_PASSWORD: 'hunter2' };

test('a file is fetched by SFTP; the run waits for a missing file, and is then parked', async () => {
  const root = await temporaryFolder();
  const server = await sftpServer(root, true);
  await using own = await place(SFTP(server, 'stock.csv'));
  const missing = await own.once({ ...day(1), environment });
  expect(missing).toMatchObject({
    exitCode: 6,
    runs: [{ state: 'parked_poison', error: { code: 'remote_missing' } }],
  });
  writeFileSync(join(root, 'stock.csv'), 'name\nRobot\nBear\n');
  expect((await own.once({ ...day(2), environment })).runs[0]).toMatchObject({ state: 'done', rows: 2 });
  expect((await own.once({ ...day(3), environment })).runs[0]).toMatchObject({
    error: { code: 'nothing_new' },
  });
  expect(names(own)).toEqual(['Bear', 'Robot']);
});

test('a host with a key other than the pinned key gets no password, and nothing is read from it', async () => {
  const server = await sftpServer(await temporaryFolder(), true);
  await using own = await place(SFTP({ ...server, fingerprint: `SHA256:${'A'.repeat(43)}` }));
  const { exitCode, runs } = await own.once({ ...day(1), environment });
  expect([exitCode, runs[0]?.error?.message]).toEqual([1, expect.stringContaining('shows the host key')]);
  expect(server.operations).toEqual([]);
});

test.each([
  ['url: "http://example.com/a.csv"', 'begins with https:, found http:'],
  ['url: "https://me:hunter2@example.com/a.csv"', 'a name or password does not belong in an address'],
  [
    'url: "https://example.com/a.csv", urlEnv: STOCK_URL',
    'expected one of url, urlEnv, urlFile, sftp, rclone',
  ],
  ['redirects: [example.com]', 'expected one of url, urlEnv, urlFile, sftp, rclone'],
  [
    'url: "https://example.com/a.csv", redirects: ["https://b"]',
    'expected a host, such as files.example.com',
  ],
  ['url: "https://example.com/a.csv", map: { nmae: A }', 'there is no field "nmae"'],
])('a source is checked with the configuration: %s', async (from, says) => {
  const folder = await temporaryFolder();
  const file = join(folder, 'shelflift.yaml');
  const profile = 'profiles:\n  main: { apiUrl: "https://inventory.example.com", keyEnv: THE_KEY }\n';
  writeFileSync(file, profile + SOURCE(from));
  const checking = checkWorkerConfig(file, {});
  await expect(checking).rejects.toThrow(says);
  await expect(checking).rejects.not.toThrow('hunter2');
});

test('an import accepts neither an output file nor a delivery', async () => {
  const folder = await temporaryFolder();
  const file = join(folder, 'shelflift.yaml');
  const yaml = SOURCE('url: "https://example.com/a.csv"').replace(' } }\n', ' }, out: a.csv }\n');
  writeFileSync(file, `profiles: {}\n${yaml}    deliver: [{ folder: out }]\n`);
  const checking = checkWorkerConfig(file, {});
  await expect(checking).rejects.toThrow('task.out: cannot be combined with import');
  await expect(checking).rejects.toThrow('an import makes no file to deliver');
});

test('the check reports a missing secret of a source', async () => {
  const folder = await temporaryFolder();
  const file = join(folder, 'shelflift.yaml');
  const profile = 'profiles:\n  main: { apiUrl: "https://inventory.example.com", keyEnv: THE_KEY }\n';
  writeFileSync(file, profile + SOURCE('urlEnv: STOCK_URL'));
  const { warnings } = await checkWorkerConfig(file, { THE_KEY: 'x' });
  expect(warnings).toMatchObject([
    {
      path: 'schedules.stock.task.import.urlEnv',
      said: { code: 'is_not_set', params: { variable: 'STOCK_URL' } },
    },
  ]);
});

test('a failed import that is tried again goes on with the file that it has read, and the next run fetches the newer one', async () => {
  let table = 'name,release_year\nRobot,1985\nBear,soon\n';
  const server = await httpsServer((_, response) => void response.end(table));
  await using own = await place(HTTPS(`${server.url}/stock.csv`));
  const first = await own.once(day(1));
  expect(first.runs[0]?.state).toBe('failed');
  const id = first.runs[0]?.id ?? '';
  await using client = createClient({ apiUrl: own.sandbox.url, key: own.sandbox.key });
  const deps = {
    client,
    ledger: own.ledger,
    meter: new RequestMeter(),
    clock: systemClock,
    signal: new AbortController().signal,
    emit: () => undefined,
  };
  const year = { type: 'cell', row: 3, column: 'release_year', text: '1990' } as const;
  await correctJob(id, { changes: [year] }, deps);
  table = 'name,release_year\nRobot,1985\nBear,1990\nDoll,1991\n';
  await using queue = await openQueue(own.ledger);
  await reviveRun(id, { ledger: own.ledger, queue, now: TUESDAY + DAY });
  await own.once(day(1));
  expect(names(own)).toEqual(['Bear', 'Robot']);
  await own.once(day(2));
  expect(names(own)).toEqual(['Bear', 'Doll', 'Robot']);
});

test.each([
  ['', undefined],
  [', although the import waits for room in the plan', 1],
])(
  'a row that the template could not read is imported once the template is corrected%s',
  async (_, planLimit) => {
    const template = (words: string) => `name: stock
columns:
  name: { from: name }
  condition: { from: state, words: { ${words} } }
`;
    const table = 'name,state\nRobot,neu\nCar,neu\nBall,seltsam\n';
    const server = await httpsServer((_request, response) => void response.end(table));
    const yaml = HTTPS(`${server.url}/stock.csv`, ', template: stock.yaml, skipInvalid: true');
    await using own = await place(yaml, planLimit === undefined ? {} : { planLimit });
    writeFileSync(join(own.folder, 'stock.yaml'), template('neu: loose_mint'));
    expect((await own.once(day(1))).runs[0]).toMatchObject(
      planLimit === undefined ? { state: 'done', exitCode: 3 } : { state: 'queued', exitCode: 4 },
    );
    writeFileSync(join(own.folder, 'stock.yaml'), template('neu: loose_mint, seltsam: loose_good'));
    own.sandbox.control.setPlanLimit(100);
    for (const days of [1.5, 2]) await own.once(day(days));
    expect(names(own)).toEqual(['Ball', 'Car', 'Robot']);
  },
);
