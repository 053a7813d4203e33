/**
 * Power cuts: a kill keeps what the system has not written yet, a power cut does not. A command's writes are recorded;
 * then the disk is put into a state that a cut may leave, the server into the state of that moment, and the command is
 * given again.
 */
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRandom } from '../../src/sandbox/random.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { BIN, callMain } from '../cli/run-shelflift.ts';
import { SCENARIOS } from '../support/scenarios.ts';
import { seed } from '../support/seed.ts';
import { afterCut, type Left, restore } from './after-cut.ts';
import { inodeOf, record, type Recording } from './record.ts';

/** A thousand in all, where all random scenarios are played. */
const CUTS = Math.ceil(SCENARIOS / 30);
const KEY = 'ck_live_power_cuts_0123456789abcdef';
/** The server comes back at the same address: nobody else uses this one, and so nobody takes its port meanwhile. */
const HOST = `127.83.${process.pid & 255}.${1 + ((process.pid >> 8) % 254)}`;
const CHANGES = ['export', 'items', '--json', '--changed-since-last', 'monthly', '--out'];
const NAMES = Array.from({ length: 60 }, (_, index) => `Toy ${index}`);
const TOYS = `name,estimated_value\n${NAMES.map((name, index) => `${name},${index}.50`).join('\n')}\n`;

let root = '';
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'shelflift-power-'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

interface Case {
  name: string;
  /** @param url address of the API */
  files: (url: string) => Readonly<Record<string, string>>;
  argv: readonly string[];
  /** What is given after the cut; default: the same. */
  again?: readonly string[];
  /** Of all cuts: a worker takes longer than a command. Default 1. */
  share?: number;
  /** Items that are there from the start. */
  seedItems?: number;
  /** Before the command is given again: files under their final names must be whole. */
  whole: (folder: string) => void;
  /** After it. */
  done: (folder: string, names: string[]) => void;
}

const CASES: Case[] = [
  {
    name: 'import',
    files: () => ({ 'toys.csv': TOYS }),
    argv: ['import', 'toys.csv', '--collection', 'Main', '--quiet-period', '60ms', '--json'],
    whole: (folder) => resultsAreWhole(join(folder, 'toys.results.csv')),
    done: (folder, names) => {
      expect(names).toEqual([...NAMES].sort());
      resultsAreWhole(join(folder, 'toys.results.csv'), true);
    },
  },
  {
    name: 'export',
    files: () => ({}),
    seedItems: 300,
    argv: ['export', 'items', '--out', 'items.csv', '--json'],
    whole: (folder) => exportIsWhole(join(folder, 'items.csv')),
    done: (folder) => exportIsWhole(join(folder, 'items.csv'), true),
  },
  {
    name: 'changes since the last export',
    files: () => ({}),
    seedItems: 300,
    argv: [...CHANGES, 'items.csv'],
    again: [...CHANGES, 'items-2.csv'],
    whole: (folder) => exportIsWhole(join(folder, 'items.csv')),
    done: (folder) => {
      // What the first file does not tell, the next one does.
      if (!existsSync(join(folder, 'items.csv'))) exportIsWhole(join(folder, 'items-2.csv'), true);
    },
  },
  {
    name: 'watched folder',
    share: 0.2,
    files: (url) => ({
      'shelflift.yaml': `profiles:\n  main: { apiUrl: "${url}", keyEnv: SHELFLIFT_API_KEY }\nhotFolders:\n  - { path: ./drop, profile: main, import: { collection: Main } }\n`,
      'drop/': '',
      'drop/toys.csv': TOYS,
      'drop/toys.csv.ready': '',
    }),
    argv: ['worker', '--once', '--quiet-period', '60ms', '--json'],
    whole: (folder) => resultsAreWhole(join(folder, 'drop/done/toys.results.csv')),
    done: (folder, names) => {
      expect(names).toEqual([...NAMES].sort());
      resultsAreWhole(join(folder, 'drop/done/toys.results.csv'), true);
      expect(readFileSync(join(folder, 'drop/done/toys.csv'), 'utf8')).toBe(TOYS);
      const there = (...path: string[]) => readdirSync(join(folder, 'drop', ...path)).sort();
      expect([there(), there('processing'), there('failed'), there('done')]).toEqual([
        ['done', 'failed', 'processing'],
        [],
        [],
        ['toys.csv', 'toys.results.csv'],
      ]);
    },
  },
];

it.each(CASES)(
  'after a power cut, each row is still sent once, and no file is incomplete: $name',
  async (each) => {
    const folder = join(root, each.name.replaceAll(' ', '-'));
    const data = join(root, 'server.db');
    rmSync(data, { force: true });
    const options = {
      dataFile: data,
      host: HOST,
      key: KEY,
      ...(each.seedItems === undefined ? {} : { seed: 1, seedItems: each.seedItems }),
    };
    let port = 0;
    let recording: Recording;
    {
      await using api = await startSandbox(options);
      port = api.port;
      restore(folder, new Map());
      recording = await record([process.execPath, BIN, ...each.argv], {
        folder,
        files: each.files(api.url),
        env: environment(folder, api.url),
        trace: join(root, 'trace'),
      });
    }
    const { operations, before, inodes, code, output } = recording;
    expect(code, output).toBe(0);
    const random = createRandom(seed);
    const created = createdTimes(data);
    const most = Math.ceil(CUTS * (each.share ?? 1));
    for (let cuts = 0; cuts < most; ) {
      const cut = before + Math.floor(random() * (operations.length - before + 1));
      const from = operations[cut - 1]?.at ?? 0;
      const to = operations[cut]?.at ?? from + 1;
      // Between the two; the server had what it has of earlier milliseconds.
      const moment = Math.max(from, (operations[before]?.at ?? 0) - 0.01) + (to - from) * random();
      if (cut === before || created.has(Math.floor(moment * 1000))) continue;
      cuts += 1;
      const then = join(root, 'server-then.db');
      serverAt(data, then, Math.floor(moment * 1000));
      const left = afterCut(operations.slice(0, cut), random);
      restore(folder, left);
      keepInodes(join(folder, 'ledger.db'), left, inodes);
      const what = `seed ${seed}, cut ${cuts} before operation ${cut} of ${operations.length}`;
      await using api = await startSandbox({ ...options, dataFile: then, port });
      each.whole(folder);
      const call = (argv: readonly string[]) =>
        callMain([...argv], folder, { ...process.env, ...environment(folder, api.url) });
      let again = await call(each.again ?? each.argv);
      // The file belongs to a job that has not sent all rows.
      if (again.code === 130)
        again = await call(['jobs', 'resume', 'last', '--quiet-period', '60ms', '--json']);
      const unwritten = /jobs results (\S+)$/m.exec(again.stderr)?.[1];
      if (unwritten !== undefined) again = await call(['jobs', 'results', unwritten]);
      expect(again.code, `${what}\n${again.stderr}\n${again.stdout}`).toBe(0);
      const names = api.control.items().map(({ name }) => name);
      try {
        each.done(folder, names.sort());
      } catch (error) {
        throw new Error(`${what}\n${again.stdout}`, { cause: error });
      }
    }
  },
  3_600_000,
);

function environment(folder: string, url: string): NodeJS.ProcessEnv {
  return {
    SHELFLIFT_API_URL: url,
    SHELFLIFT_API_KEY: KEY,
    SHELFLIFT_STORE: join(folder, 'ledger.db'),
    HOME: root,
    XDG_STATE_HOME: join(folder, 'state'),
    XDG_CONFIG_HOME: join(folder, 'config'),
    UV_USE_IO_URING: '0',
  };
}

function createdTimes(data: string): Set<number> {
  const database = new DatabaseSync(data);
  const rows = database.prepare('SELECT created FROM items').all();
  database.close();
  return new Set(rows.map((row) => Number(row['created'])));
}

/** A claimed file is told by its inode, which a disk keeps through a power cut: the store is told the new ones. */
function keepInodes(
  store: string,
  left: ReadonlyMap<string, Left>,
  inodes: ReadonlyMap<number, string>,
): void {
  if (!existsSync(store)) return;
  const database = new DatabaseSync(store);
  try {
    for (const [path, { file }] of left) {
      const before = inodes.get(file);
      if (before === undefined) continue;
      const [from, to] = [before, inodeOf(path)].map((inode) => `"identity":":${inode}"`);
      database.prepare('UPDATE runs SET record = replace(record, ?, ?)').run(from ?? '', to ?? '');
    }
  } catch (error) {
    // The cut came before the store had its tables.
    if (!String(error).includes('no such table')) throw error;
  } finally {
    database.close();
  }
}

/** The server's data without what it made from this moment on, ms since the epoch. */
function serverAt(data: string, then: string, moment: number): void {
  for (const end of ['', '-wal', '-shm']) rmSync(then + end, { force: true });
  copyFileSync(data, then);
  const database = new DatabaseSync(then);
  database.prepare('DELETE FROM items WHERE created >= ?').run(moment);
  database.close();
}

function resultsAreWhole(file: string, mustBe = false): void {
  if (!mustBe && !existsSync(file)) return;
  const rows = parse(readFileSync(file), { columns: true, bom: true }) as Record<string, string>[];
  expect(rows.length).toBe(NAMES.length);
}

function exportIsWhole(file: string, mustBe = false): void {
  if (!mustBe && !existsSync(file)) return;
  const rows = parse(readFileSync(file), { columns: true, bom: true });
  expect(rows.length).toBe(300);
}
