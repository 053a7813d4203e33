import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { newPlace, TOYS } from './run-shelflift.ts';

it.each([
  ['export', 'items', '--out', 'items.csv'],
  ['import', 'toys.csv', '--collection', 'Main'],
  ['doctor'],
])('server text shown by %s cannot clear the screen', async (...argv) => {
  const server = createServer((_, answer) => {
    answer.writeHead(403, { 'Content-Type': 'application/json', 'X-Request-Id': 'r1' });
    answer.end(JSON.stringify({ error: { type: 'no', message: 'not\u001b[2J you\u009b2J\r either' } }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const place = newPlace({
    SHELFLIFT_API_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    SHELFLIFT_API_KEY: 'a-key-of-nobody',
  });
  place.file('toys.csv', TOYS);
  const { code, stdout, stderr } = await place.call(argv);
  expect([2, 5]).toContain(code);
  // oxlint-disable-next-line no-control-regex -- just these must not be there
  expect(stdout + stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
});

it('headers and cells of a file cannot move the cursor', async () => {
  const place = newPlace();
  const hostile = '\u001b]0;x\u0007\u009b2J';
  place.file('a.csv', `name,Br${hostile}and,${hostile}Price\nA,${hostile},1\n`);
  const { stdout, stderr } = await place.call([
    'import',
    'a.csv',
    '--sandbox',
    '--collection',
    'Main',
    '--dry-run',
  ]);
  // oxlint-disable-next-line no-control-regex -- just these must not be there
  expect(stdout + stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
});
