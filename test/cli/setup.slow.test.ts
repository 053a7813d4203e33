import { expect, test } from 'vitest';
import { ProgressLine } from '../../src/cli/show/progress.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { toys } from '../support/csv.ts';
import { beginImport, newPlace } from './run-shelflift.ts';

test('one Ctrl-C lets the requests in flight finish, exits with 130, and prints the command that continues', async () => {
  await using api = await startSandbox({ latencyMs: 40 });
  const place = newPlace({ SHELFLIFT_API_URL: api.url, SHELFLIFT_API_KEY: api.key });
  place.file('toys.csv', toys(100));
  const store = ['--store', 'my store.db'];
  const { child, run } = await beginImport(place, api, [
    'import',
    'toys.csv',
    '--collection',
    'Main',
    ...store,
  ]);
  child.kill('SIGINT');
  const { code, stdout, stderr } = await run;
  expect(code).toBe(130);
  expect(stderr).toContain('Stopping: requests in progress are finished first');
  expect(stdout).toContain('interrupted');
  const line = /shelflift jobs resume .*/.exec(stdout)?.[0] ?? '';
  expect(line).toMatch(/ --store 'my store\.db'$/);
  const sent = api.control.items().length;
  expect(sent).toBeLessThan(100);

  api.control.setLatency(0);
  const resumed = await place.shell(`${line} --json`);
  expect(JSON.parse(resumed.stdout)).toMatchObject({ state: 'done', rows: { read: 100, created: 100 } });
  expect(api.control.items()).toHaveLength(100);
});

test('on a pipe, progress is printed as a line every few seconds, and once at the end', () => {
  const written: string[] = [];
  const line = new ProgressLine({ write: (text) => written.push(text) });
  for (let done = 1; done <= 100; done += 1) line.update(`${done} of 100`);
  line.end();
  expect(written).toEqual(['1 of 100\n', '100 of 100\n']);
});

test('on a pipe, the end of each stage is shown before the next message', () => {
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

test('messages are written above the progress line', () => {
  let screen = '';
  const line = new ProgressLine({ write: (text) => (screen += text), isTTY: true, columns: 20 });
  line.update('a line that is much too long for this');
  line.say('note: careful');
  line.update('later');
  line.end();
  const shown = '\r\u001b[2Ka line that is muc…';
  expect(screen).toBe(`${shown}\r\u001b[2Knote: careful\n\r\u001b[2Klater\n`);
});
