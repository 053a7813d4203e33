/** What a process does at a signal, on a terminal and on a pipe. `setup.test.ts` has the one of each that matters most. */
import { once } from 'node:events';
import { mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { toys } from '../support/csv.ts';
import { beginImport, ended, newPlace } from './run-shelflift.ts';

test.each(['SIGTERM', 'SIGHUP'] as const)(
  '%s ends an import with exit code 130, and sent rows are recorded',
  async (signal) => {
    await using api = await startSandbox({ latencyMs: 40 });
    const place = newPlace({ SHELFLIFT_API_URL: api.url, SHELFLIFT_API_KEY: api.key });
    place.file('toys.csv', toys(100));
    const { child, run } = await beginImport(place, api, [
      'import',
      'toys.csv',
      '--collection',
      'Main',
      '--json',
    ]);
    child.kill(signal);
    // A terminal that closes sends it twice.
    if (signal === 'SIGHUP') child.kill(signal);
    const { code, stdout } = await run;
    expect(code).toBe(130);
    expect(JSON.parse(stdout)).toMatchObject({
      state: 'interrupted',
      rows: { read: 100, created: api.control.items().length },
    });
  },
);

test('Ctrl-C twice exits at once, and nothing is lost or duplicated', async () => {
  await using api = await startSandbox({ latencyMs: 60 });
  const place = newPlace({ SHELFLIFT_API_URL: api.url, SHELFLIFT_API_KEY: api.key });
  place.file('toys.csv', toys(100));
  const { child, run } = await beginImport(place, api, ['import', 'toys.csv', '--collection', 'Main']);
  child.kill('SIGINT');
  await once(child.stderr ?? child, 'data');
  child.kill('SIGINT');
  expect((await run).code).toBe(130);
  api.control.setLatency(0);
  const resumed = await place.call(['jobs', 'resume', 'last', '--json', '--quiet-period', '500ms']);
  expect(JSON.parse(resumed.stdout)).toMatchObject({ state: 'done', rows: { created: 100 } });
  expect(api.control.items()).toHaveLength(100);
});

test('Ctrl-C ends an export, and the wait for the sandbox, with exit code 130, no file and no stack trace', async () => {
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

test('an import continues when nobody reads its progress any more', async () => {
  await using api = await startSandbox();
  const place = newPlace({ SHELFLIFT_API_URL: api.url, SHELFLIFT_API_KEY: api.key });
  place.file('toys.csv', toys(50));
  await place.shell('shelflift import toys.csv --collection Main --verbose 2>&1 >result.txt | head -1');
  expect(api.control.items()).toHaveLength(50);
});

test('on a terminal, progress is one line that is redrawn; with --quiet it is not shown', async () => {
  // Twenty round trips, and time for a line in each.
  await using api = await startSandbox({ latencyMs: 100 });
  const place = newPlace({ SHELFLIFT_API_URL: api.url, SHELFLIFT_API_KEY: api.key });
  place.file('toys.csv', toys(80));
  const onTerminal = (command: string) =>
    place.shell(`script -qfec "stty cols 60; ${command}" out.txt >/dev/null; cat out.txt`);
  const { stdout } = await onTerminal('shelflift import toys.csv --collection Main --max-concurrency 4');
  // oxlint-disable-next-line no-control-regex -- what a terminal is told
  const drawn = stdout.split(/\r\u001b\[2K/);
  expect(drawn.length).toBeGreaterThan(3);
  for (const line of drawn.slice(1, -1)) expect(line.split('\r\n', 1)[0]?.length).toBeLessThan(60);
  expect(drawn.at(-1)).toMatch(/^sending: 80 of 80 rows \(100%\), .*\r\njob \S+: done/);

  // None of these was imported before: nothing is asked.
  place.file('more.csv', toys(20, 'Doll'));
  const quiet = await onTerminal('shelflift import more.csv --collection Main --quiet');
  expect(quiet.stdout).toContain('done');
  expect(quiet.stdout).not.toContain('\u001b[2K');
});

test('Ctrl-C at the question of an undo says that nothing was sent, and how to continue', async () => {
  await using api = await startSandbox();
  const at = newPlace({ SHELFLIFT_API_URL: api.url, SHELFLIFT_API_KEY: api.key, SHELFLIFT_STORE: 'l.db' });
  at.file('toys.csv', toys(2));
  await at.call(['import', 'toys.csv', '--collection', 'Main', '--json']);
  const line = `mkfifo in; exec 3<>in; script -qfec "shelflift jobs undo last" out <in >/dev/null &
    until grep -q 'Undo the creation' out 2>/dev/null; do sleep 0.05; done; printf '\\003' >&3
    wait $!; echo "code $?"; cat out`;
  const { stdout } = await at.shell(line);
  expect(stdout).toContain('code 130');
  expect(stdout).toMatch(/2 pending/);
  expect(stdout).toMatch(/shelflift jobs resume \S+/);
  const resumed = await at.call(['jobs', 'resume', 'last', '--json']);
  expect([resumed.code, JSON.parse(resumed.stdout)]).toMatchObject([2, { error: { code: 'not_confirmed' } }]);
  expect(api.control.items().map(({ status }) => status)).toEqual(['keep', 'keep']);
});

test('after a kill while a file is read, the file must be imported again, and no older job is resumed', async () => {
  await using api = await startSandbox();
  const at = newPlace({ SHELFLIFT_API_URL: api.url, SHELFLIFT_API_KEY: api.key, SHELFLIFT_STORE: 'l.db' });
  at.file('small.csv', toys(2, 'Older'));
  at.file('large.csv', toys(20_000, 'Large'));
  // It kills itself when it has told of the first rows: from outside, a kill may come when all are read.
  const hook = at.file(
    'hook.mjs',
    `const write = process.stderr.write;
     process.stderr.write = function (text, ...rest) {
       if (/reading: [\\d,]+ rows/.test(String(text))) process.kill(process.pid, 'SIGKILL');
       return write.call(this, text, ...rest);
     };`,
  );
  await at.call(['import', 'small.csv', '--collection', 'Main', '--json']);
  const child = at.start(['import', 'large.csv', '--collection', 'Main'], {
    NODE_OPTIONS: `--import=${pathToFileURL(hook).href}`,
  });
  await ended(child);
  expect(child.signalCode).toBe('SIGKILL');
  const resumed = await at.call(['jobs', 'resume', 'last', '--json']);
  expect(resumed.code).toBe(2);
  expect(JSON.parse(resumed.stdout)).toMatchObject({ error: { code: 'no_such_job' } });
  expect(resumed.stderr).toContain('Run that command again');
});
