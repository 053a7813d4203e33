import { expect, it } from 'vitest';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { refusingPort } from '../support/refusing-port.ts';
import { newPlace, TOYS } from './run-shelflift.ts';

const COMMANDS: string[][] = [
  ['import', 'toys.csv', '--collection', 'Main'],
  ['export', 'items', '--out', 'items.csv'],
  ['report', 'inventory', '--out', 'inventory.csv'],
  ['dupes'],
];

it.each(COMMANDS)('%s waits out an outage', async (...argv) => {
  await using api = await startSandbox();
  const place = newPlace({ SHELFLIFT_API_URL: api.url, SHELFLIFT_API_KEY: api.key });
  place.file('toys.csv', TOYS);
  api.control.insertItems([{ name: 'Robot' }]);
  for (const kind of ['html502', 'error500', 'dropBefore'] as const) api.control.failNext(kind);
  const { code, stderr } = await place.call(argv);
  expect(code, stderr).toBe(0);
});

it.each(COMMANDS)('%s with --wait 0s does not wait for an unreachable API', async (...argv) => {
  const place = newPlace({
    SHELFLIFT_API_URL: `http://127.0.0.1:${await refusingPort()}`,
    SHELFLIFT_API_KEY: 'a-key-of-nobody',
  });
  place.file('toys.csv', TOYS);
  const { code, stderr } = await place.call([...argv, '--wait', '0s', '--verbose']);
  expect(code, stderr).toBe(6);
  expect(stderr).not.toMatch(/trying again/i);
});
