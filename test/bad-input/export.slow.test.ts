import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts';
import { newPlace } from '../cli/run-shelflift.ts';
import { type BadInput, check, checkWords } from './check.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox({ seed: 1, seedItems: 3000 });
});
afterAll(() => sandbox.close());

const EXPORTS: BadInput[] = [
  {
    name: 'no --out',
    make: () => ['export', 'items'],
    exit: 2,
    code: 'no_out',
    says: [/--out/],
  },
  {
    name: '--out names a folder',
    make: (at) => {
      mkdirSync(join(at.folder, 'items.csv'));
      return ['export', 'items', '--out', 'items.csv'];
    },
    exit: 2,
    code: 'cannot_write',
    says: ['items.csv', /a folder already has that name/, /Name a file inside it/],
  },
  {
    name: '--out in a missing folder',
    make: () => ['export', 'items', '--out', 'reports/items.csv'],
    exit: 2,
    code: 'cannot_write',
    says: ['reports/items.csv', /there is no folder/],
  },
  {
    name: '--out in a folder that is a file',
    make: (at) => {
      at.file('toys.csv', 'mine');
      return ['export', 'items', '--out', 'toys.csv/items.csv'];
    },
    exit: 2,
    code: 'cannot_write',
    says: ['toys.csv/items.csv', /toys.csv is a file/, /another place/],
  },
  {
    name: '--out with an unknown ending',
    make: () => ['export', 'items', '--out', 'items.pdf'],
    exit: 2,
    code: 'unknown_format',
    says: ['items.pdf', /\.csv, \.xlsx or \.ndjson/],
  },
  {
    name: '--out equal to the log file',
    make: () => ['export', 'items', '--out', 'items.csv', '--log-file', './items.csv'],
    exit: 2,
    code: 'output_is_input',
    says: ['items.csv', /--log-file/],
  },
  {
    name: 'an unknown status',
    make: () => ['export', 'items', '--out', 'items.csv', '--status', 'lost'],
    exit: 2,
    code: 'unknown_status',
    says: ['"lost"', /keep, sell, trade, sold or archived/],
  },
  {
    name: 'an unknown column',
    make: () => ['export', 'collections', '--out', 'c.csv', '--columns', 'id,colour'],
    exit: 2,
    code: 'unknown_column',
    says: ['colour', /is_public/],
  },
  {
    name: 'a missing manifest',
    make: (at) => {
      at.file('items.csv', 'id\n');
      return ['export', 'verify', 'items.csv'];
    },
    exit: 2,
    code: 'no_manifest',
    says: [/items\.csv\.manifest\.json|manifest/],
  },
];

it.each(EXPORTS)('$name', async (bad) => {
  const { at } = await check({ asksNothing: true, ...bad }, sandbox);
  expect(readdirSync(at.folder).filter((name) => name.includes('tmp') || name.endsWith('.part'))).toEqual([]);
});

it('export --overwrite replaces a file only once the export is complete', async () => {
  const at = newPlace({ SHELFLIFT_API_URL: sandbox.url, SHELFLIFT_API_KEY: 'wrong-key-wrong-key' });
  at.file('items.csv', 'mine\n');
  const run = await at.call(['export', 'items', '--out', 'items.csv', '--overwrite', '--json']);
  expect(run.code).toBe(5);
  expect(readFileSync(join(at.folder, 'items.csv'), 'utf8')).toBe('mine\n');
});

it('closing stdout early (| head) causes no error and no stack trace', async () => {
  const at = newPlace({ SHELFLIFT_API_URL: sandbox.url, SHELFLIFT_API_KEY: sandbox.key });
  const run = await at.shell('shelflift export items --out - --quiet | head -n 1; echo "${PIPESTATUS[0]}"');
  const [header, code] = run.stdout.split('\n');
  expect(header).toMatch(/^id,name|^object,id/);
  expect([code, run.stderr]).toEqual(['0', '']);
  const words = await at.shell('shelflift jobs list --help | head -n 1');
  expect([words.code, words.stderr]).toEqual([0, '']);
});

it('a full disk behind stdout is reported, but not as a bug in shelflift', async () => {
  const at = newPlace({ SHELFLIFT_API_URL: sandbox.url, SHELFLIFT_API_KEY: sandbox.key });
  const run = await at.shell('shelflift export items --out - > /dev/full');
  checkWords({ exit: 6, says: [/disk is full/] }, run, [sandbox.key]);
});
