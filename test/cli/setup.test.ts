import { once } from 'node:events';
import { mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { ProgressLine } from '../../src/cli/show/progress.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts';
import { ended, newPlace, type Place } from './run-shelflift.ts';

function manyToys(count: number, prefix = 'Toy'): string {
  return `name,brand\n${Array.from({ length: count }, (_, index) => `${prefix} ${index},Acme\n`).join('')}`;
}

/** An import that is under way, and too slow to end by itself: its process, and a promise of how it ends. */
async function begin(place: Place, api: Sandbox, argv: string[]) {
  const child = place.start(argv);
  const run = ended(child);
  while (api.control.items().length < 5) {
    if (child.exitCode !== null) throw new Error((await run).stderr);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  api.control.setLatency(1_000);
  return { child, run };
}

test('Ctrl-C once: what is under way ends, exit 130, and the line that goes on with it', async () => {
  await using api = await startSandbox({ latencyMs: 40 });
  const place = newPlace({ SHELFLIFT_API_URL: api.url, SHELFLIFT_API_KEY: api.key });
  place.file('toys.csv', manyToys(400));
  const store = ['--store', 'my store.db'];
  const { child, run } = await begin(place, api, ['import', 'toys.csv', '--collection', 'Main', ...store]);
  child.kill('SIGINT');
  const { code, stdout, stderr } = await run;
  expect(code).toBe(130);
  expect(stderr).toContain('Stopping: what is under way is finished first');
  expect(stdout).toContain('interrupted');
  const line = /shelflift jobs resume .*/.exec(stdout)?.[0] ?? '';
  expect(line).toMatch(/ --store 'my store\.db'$/);
  const sent = api.control.items().length;
  expect(sent).toBeLessThan(400);

  api.control.setLatency(0);
  const resumed = await place.shell(`${line} --json`);
  expect(JSON.parse(resumed.stdout)).toMatchObject({ state: 'done', rows: { read: 400, created: 400 } });
  expect(api.control.items()).toHaveLength(400);
});

test('Ctrl-C twice leaves at once, and nothing is lost or doubled', async () => {
  await using api = await startSandbox({ latencyMs: 60 });
  const place = newPlace({ SHELFLIFT_API_URL: api.url, SHELFLIFT_API_KEY: api.key });
  place.file('toys.csv', manyToys(400));
  const { child, run } = await begin(place, api, ['import', 'toys.csv', '--collection', 'Main']);
  child.kill('SIGINT');
  await once(child.stderr ?? child, 'data');
  child.kill('SIGINT');
  expect((await run).code).toBe(130);
  api.control.setLatency(0);
  const resumed = await place.call(['jobs', 'resume', 'last', '--json', '--quiet-period', '500ms']);
  expect(JSON.parse(resumed.stdout)).toMatchObject({ state: 'done', rows: { created: 400 } });
  expect(api.control.items()).toHaveLength(400);
});

test('Ctrl-C ends an export, and the wait for the sandbox: exit 130, no file, no stack trace', async () => {
  await using api = await startSandbox({ latencyMs: 300, seed: 1, seedItems: 3000 });
  const place = newPlace({ SHELFLIFT_API_URL: api.url, SHELFLIFT_API_KEY: api.key });
  const data = join(place.folder, '.state/shelflift/sandbox/data.db');
  mkdirSync(dirname(data), { recursive: true });
  await using holder = await startSandbox({ dataFile: data });
  expect(holder.port).toBeGreaterThan(0);
  for (const argv of [
    ['export', 'items', '--out', 'items.csv', '--verbose'],
    ['export', 'items', '--out', 'items.csv', '--verbose', '--json'],
    ['export', 'sales', '--sandbox'],
  ]) {
    const child = place.start(argv);
    const run = ended(child);
    await once(child.stderr ?? child, 'data');
    child.kill('SIGINT');
    const { code, stdout, stderr } = await run;
    expect(code, stderr).toBe(130);
    expect(stderr).not.toContain('defect');
    if (argv.includes('--json')) expect(JSON.parse(stdout)).toMatchObject({ error: { code: 'interrupted' } });
  }
  expect(readdirSync(place.folder).filter((name) => name.startsWith('items'))).toEqual([]);
});

test('a pipe that closes early ends the output without a word', async () => {
  await using api = await startSandbox({ seed: 1, seedItems: 2000 });
  const place = newPlace({ SHELFLIFT_API_URL: api.url, SHELFLIFT_API_KEY: api.key });
  const { stdout, stderr } = await place.shell(
    'shelflift export items --out - --quiet | head -1; echo "${PIPESTATUS[0]}"; shelflift --help | head -1',
  );
  expect(stdout).toMatch(/^object,id,[^\n]*\n0\nshelflift <command>\n$/);
  expect(stderr).toBe('');
});

test('an import goes on when nobody reads its progress any more', async () => {
  await using api = await startSandbox();
  const place = newPlace({ SHELFLIFT_API_URL: api.url, SHELFLIFT_API_KEY: api.key });
  place.file('toys.csv', manyToys(50));
  await place.shell('shelflift import toys.csv --collection Main --verbose 2>&1 >result.txt | head -1');
  expect(api.control.items()).toHaveLength(50);
});

test('on a terminal progress is one line that is redrawn; with --quiet there is none', async () => {
  await using api = await startSandbox({ latencyMs: 5 });
  const place = newPlace({ SHELFLIFT_API_URL: api.url, SHELFLIFT_API_KEY: api.key });
  place.file('toys.csv', manyToys(300));
  const onTerminal = (command: string) =>
    place.shell(`script -qfec "stty cols 60; ${command}" out.txt >/dev/null; cat out.txt`);
  const { stdout } = await onTerminal('shelflift import toys.csv --collection Main');
  // oxlint-disable-next-line no-control-regex -- what a terminal is told
  const drawn = stdout.split(/\r\u001b\[2K/);
  expect(drawn.length).toBeGreaterThan(3);
  for (const line of drawn.slice(1, -1)) expect(line.split('\r\n', 1)[0]?.length).toBeLessThan(60);
  expect(drawn.at(-1)).toMatch(/^sending: 300 of 300 \(100 %\), .*\r\njob \S+: done/);

  // None of these was imported before: nothing is asked.
  place.file('more.csv', manyToys(301, 'Doll'));
  const quiet = await onTerminal('shelflift import more.csv --collection Main --quiet');
  expect(quiet.stdout).toContain('done');
  expect(quiet.stdout).not.toContain('\u001b[2K');
});

test('on a pipe progress is a line every few seconds, and the last state', () => {
  const written: string[] = [];
  const line = new ProgressLine({ write: (text) => written.push(text) });
  for (let done = 1; done <= 100; done += 1) line.update(`${done} of 100`);
  line.end();
  expect(written).toEqual(['1 of 100\n', '100 of 100\n']);
});

test('on a pipe each stage is shown to its end, before what is said next', () => {
  const written: string[] = [];
  const line = new ProgressLine({ write: (text) => written.push(text) });
  for (let done = 1; done <= 100; done += 1) line.update(`reading: ${done} %`);
  for (let done = 1; done <= 100; done += 1) line.update(`writing: ${done} %`);
  line.update('comparing with the items: 1');
  line.update('no answer; trying again');
  line.say('note: careful');
  line.end();
  expect(written).toEqual([
    'reading: 1 %\n',
    'reading: 100 %\n',
    'writing: 100 %\n',
    'no answer; trying again\n',
    'note: careful\n',
  ]);
});

test('what must stay is written above the line that is redrawn', () => {
  let screen = '';
  const line = new ProgressLine({ write: (text) => (screen += text), isTTY: true, columns: 20 });
  line.update('a line that is much too long for this');
  line.say('note: careful');
  line.update('later');
  line.end();
  const shown = '\r\u001b[2Ka line that is muc…';
  expect(screen).toBe(`${shown}\r\u001b[2Knote: careful\n\r\u001b[2Klater\n`);
});
