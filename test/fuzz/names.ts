/** Names of files, as droppers and other machines choose them; and what rclone says of a file. */
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import type { Clock } from '../../src/base/clock.ts';
import { systemClock } from '../../src/base/clock.ts';
import { shortName } from '../../src/base/short-name.ts';
import { partialName } from '../../src/worker/delivery/parcel.ts';
import { archiveFile, nameIn } from '../../src/worker/hot-folders/archive-file.ts';
import { HotFolder } from '../../src/worker/hot-folders/hot-folder.ts';
import type { Run } from '../../src/worker/queue/run.ts';
import { remotePath } from '../../src/worker/remote/rclone.ts';
import { fillPattern, patternProblem } from '../../src/worker/schedule/file-pattern.ts';
import { isFolder } from '../../src/worker/sources/fetch-source.ts';
import type { Adversary } from './adversary.ts';
import { numbersOf, spoil } from './spoil.ts';

const SEEDS = [
  'toys.csv',
  'Bär 2026.xlsx',
  'a.b.c.ods',
  '-rf.csv',
  'toys (1).csv',
  '名前.csv',
  'x'.repeat(200) + '.csv',
];
const WORDS = [
  '..',
  '.',
  '/',
  '\\',
  '\0',
  '\n',
  '\r',
  '\u001b[2J',
  ' ',
  '~',
  '#',
  '*',
  '?',
  '%',
  '$(id)',
  '`id`',
  ';',
  '|',
  '&&',
  '.ready',
  '.part',
  '.tmp',
  '.results.csv',
  '.rejects.csv',
  '.error.txt',
  '.bak',
  'processing',
  'done',
  '__proto__',
  '\xff\xfe',
  '\ud800',
  '\u202e',
  'e\u0301',
  '🧸'.repeat(40),
  '{{period.end:yyyy}}',
  '{{',
  '}}',
  ':',
  '--option',
  '$&',
  "$'",
];
const STATS = ['{"Path":"a.csv","Name":"a.csv","Size":12,"IsDir":false}', '{"IsDir":true}', 'null', '[]'];
const CONTENT = 'name\nBear\n';
const PERIOD = { start: Date.UTC(2026, 9, 1), end: Date.UTC(2026, 10, 1), timeZone: 'Europe/Berlin' };

export async function names(root: string): Promise<Adversary> {
  const folder = join(root, 'drop');
  let passed = 0;
  const clock: Clock = { ...systemClock, monotonic: () => passed };
  const runs: Run[] = [];
  const watched = new HotFolder(
    { path: folder, profile: 'main', ready: false, polling: false, alertShare: 0.5, import: {} },
    root,
    {
      clock,
      enqueue: (run) => {
        runs.push(run);
        return Promise.resolve();
      },
      once: true,
      tell: () => undefined,
    },
  );
  await watched.scan();
  return {
    async play(number) {
      const random = numbersOf(number * 2_654_435_761 + 14);
      if (random(10) === 0)
        return String(
          isFolder(
            spoil(Buffer.from(STATS[random(STATS.length)] ?? ''), WORDS, random).toString(),
            'drive:a',
          ),
        );
      const bytes = spoil(Buffer.from(SEEDS[random(SEEDS.length)] ?? ''), WORDS, random);
      const name = bytes.toString();
      if (random(3) === 0) return text(name, random);
      const dropped = Buffer.concat([Buffer.from(folder + sep), bytes]);
      // What no file system takes as one name is no name.
      if (bytes.length === 0 || bytes.length > 255 || /[/\0]|^\.{1,2}$/.test(bytes.toString('latin1')))
        return 'no name';
      if (readdirSync(folder).includes(name)) return 'taken';
      writeFileSync(dropped, CONTENT);
      await watched.scan();
      passed += 10_000;
      await watched.scan();
      const run = runs.pop();
      if (run === undefined) {
        rmSync(dropped);
        return 'left alone';
      }
      const { source } = run.work as Extract<Run['work'], { kind: 'import' }>;
      if (typeof source === 'string' || !('claimed' in source))
        throw new Error('the run has no claimed file');
      const which = random(2) === 0 ? 'done' : 'failed';
      const files = await archiveFile(source, which, await nameIn(which, source), [], {
        '.error.txt': 'why',
      });
      for (const file of files) {
        if (!resolve(file).startsWith(join(folder, which) + sep)) throw new Error(`${file} is elsewhere`);
        if (!statSync(file).isFile()) throw new Error(`${file} is no file`);
      }
      if (readFileSync(files[0] ?? '', 'utf8') !== CONTENT)
        throw new Error(`${files[0]} has another content`);
      if (readdirSync(join(folder, 'processing')).length > 0)
        throw new Error('something is left in processing');
      for (const file of files) rmSync(file);
      return which;
    },
    close: () => watched[Symbol.asyncDispose](),
  };
}

function text(name: string, random: (below: number) => number): string {
  const most = 20 + random(200);
  if (Buffer.byteLength(shortName(name, most)) > most)
    throw new Error(`${name} is still longer than ${most}`);
  const part = partialName(name, { name, files: [], key: name, schedule: 'x', period: PERIOD });
  if (part.includes('/')) throw new Error(`${part} leads elsewhere`);
  remotePath('drive:a', name, part);
  if (patternProblem(name) !== undefined) return 'no pattern';
  if (/\{\{|\}\}/.test(fillPattern(name, PERIOD))) throw new Error(`${name} is not filled in`);
  return 'pattern';
}
