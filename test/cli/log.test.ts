import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SCOPES } from '../../src/api/schemas.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { openTextLog, workerLog } from '../../src/cli/worker/worker-log.ts';
import { newPlace, TOYS } from './run-shelflift.ts';

interface Line {
  level: number;
  time: string;
  msg: string;
  method?: string;
  path?: string;
  status?: number;
  ms?: number;
  requestId?: string;
  error?: string;
}

function linesOf(file: string): Line[] {
  return readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}

test('--verbose shows each request, --log-file writes them as JSON lines, and both agree with the server', async () => {
  const seen: string[] = [];
  await using api = await startSandbox({ onRequest: ({ requestId }) => seen.push(requestId) });
  const place = newPlace({ SHELFLIFT_API_URL: api.url, SHELFLIFT_API_KEY: api.key });
  place.file('toys.csv', TOYS);
  const log = ['--log-file', 'log.jsonl'];
  const run = await place.call(['import', 'toys.csv', '--collection', 'Main', '--verbose', ...log]);
  expect(run.code).toBe(0);
  const lines = linesOf(join(place.folder, 'log.jsonl'));
  expect(new Set(lines.map(({ requestId }) => requestId))).toEqual(new Set(seen));
  expect(lines).toHaveLength(seen.length);
  for (const line of lines) {
    expect(line).toMatchObject({ msg: 'request', path: expect.stringMatching(/^\/(items|collections)/) });
    expect(line.time).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/);
    expect(run.stderr).toContain(`${line.method} ${line.path} ${line.status} `);
    expect(run.stderr).toContain(` ms ${line.requestId}\n`);
  }
  expect(lines.filter(({ status }) => status === 201)).toHaveLength(3);

  // A second run adds to it: the summary, and whose it is.
  await place.call(['export', 'sales', ...log]);
  expect(linesOf(join(place.folder, 'log.jsonl'))).toHaveLength(lines.length + 2);
  expect(statSync(join(place.folder, 'log.jsonl')).mode & 0o077).toBe(0);
});

test('an unwritable log file is reported before anything is sent', async () => {
  await using api = await startSandbox();
  const place = newPlace({ SHELFLIFT_API_URL: api.url, SHELFLIFT_API_KEY: api.key });
  const run = await place.call(['export', 'sales', '--log-file', 'no/such/folder.jsonl', '--json']);
  expect(run.code).toBe(2);
  expect(JSON.parse(run.stdout)).toMatchObject({ error: { code: 'log_file_unwritable' } });
  expect(api.control.counts().requests).toBe(0);
});

test('the key is never written to output, logs, ledger, configuration, results or exports', async () => {
  const secret = 'sk-secret-4f1d0c77';
  await using api = await startSandbox({ key: secret });
  const poor = api.control.addKey(SCOPES.filter((scope) => scope === 'collections:read')).secret;
  const place = newPlace();
  place.file('toys.csv', `${TOYS},Acme,1985\n`);
  const common = ['--verbose', '--log-file', 'log.jsonl'];
  const environment = { SHELFLIFT_API_URL: api.url, SHELFLIFT_API_KEY: secret };
  const told: string[] = [];
  const run = async (argv: string[], key = secret) => {
    const keyed = { ...environment, SHELFLIFT_API_KEY: key };
    const { stdout, stderr } = await place.call([...argv, ...common], keyed, `${key}\n`);
    told.push(stdout, stderr);
  };
  await run(['profile', 'add', 'main', '--api-url', api.url]);
  await run(['profile', 'list', '--json']);
  await run(['doctor']);
  await run(['import', 'toys.csv', '--collection', 'Main', '--skip-invalid']);
  await run(['export', 'items', '--out', 'items.xlsx']);
  await run(['export', 'items', '--out', 'items.csv', '--profile', 'main']);
  // Failures quote what was sent; not the key.
  await run(['import', 'toys.csv', '--collection', 'Main', '--force', '--skip-invalid'], poor);
  await run(['export', 'sales'], `${secret} with-spaces`);
  await run(['doctor'], 'wrong-key-3e9a');
  api.control.setFaults({ html502: 1 });
  await run(['export', 'sales', '--wait', '100ms']);

  expect(told.join('').length).toBeGreaterThan(2000);
  const files = readdirSync(place.folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const names = files.map((file) => file.slice(place.folder.length + 1));
  expect(names).toEqual(expect.arrayContaining(['log.jsonl', 'toys.results.csv', 'items.csv', 'items.xlsx']));
  expect(names.some((name) => name.endsWith('ledger.db'))).toBe(true);
  const written = files.filter((file) => !file.endsWith('/keys/main.key'));
  expect(written).toHaveLength(files.length - 1);
  for (const each of [secret, poor, 'wrong-key-3e9a']) {
    expect(told.join('\n')).not.toContain(each);
    for (const file of written) expect(readFileSync(file, 'latin1'), file).not.toContain(each);
  }
});

test('a worker prints lines of text without control characters on a terminal', () => {
  const lines: string[] = [];
  const tell = workerLog(
    openTextLog((line) => lines.push(line)),
    false,
  );
  tell({ type: 'started', profiles: ['main'], schedules: [], hotFolders: ['/drop', '/in'] });
  tell({ type: 'warning', message: 'a \u001B[31mred\nshare' });
  const texts = lines.map((line) => line.replace(/^\d\d:\d\d:\d\d /, ''));
  expect(texts).toEqual(['worker started: profiles main, hotFolders /drop /in\n', 'a  [31mred share\n']);
});
