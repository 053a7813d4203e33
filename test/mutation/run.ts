/**
 * The mutation score of the folders that must not be wrong: `npm run test:mutation -- GROUP …`, all groups by default,
 * or `GROUP/NAME` for the file NAME.ts of a group.
 * A mutant counts as found if a test of its group fails with it, or does not end. What was found is kept in
 * `mutation-GROUP.jsonl` in the folder of temporary files, and a run continues it: remove it to begin anew.
 */
import { spawn } from 'node:child_process';
import { appendFileSync, globSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { entries } from './log.ts';
import { mutate } from './mutants.ts';

interface Group {
  /** The sources, as globs. */
  sources: string[];
  /** Test files that use them in their own process: the quick ones first. */
  tests: string[];
}

/** Each has a test file of its own. */
const PACING = [
  'rate-cap',
  'concurrency',
  'spent-units',
  'competition',
  'window-length',
  'window-border',
  'rate-search',
  'rate-limit-headers',
  'advertised-budget',
  'pacer',
  'limiter',
];

const GROUPS: Record<string, Group> = {
  interpret: {
    sources: ['src/api/interpret.ts'],
    tests: ['test/api/interpret.test.ts', 'test/api/echoed-key.test.ts'],
  },
  listing: {
    sources: ['src/listing/*.ts'],
    tests: [
      'test/listing/{completeness-counter,first-count,list-counter,retry-reads,read-listings,reading-told}.test.ts',
      'test/listing/{every-item,read-passes,uuid-set,read-items}.test.ts',
      'test/import/{moving-list,short-lists.slow,short-items.slow}.test.ts',
    ],
  },
  engine: {
    sources: ['src/import/engine/*.ts'],
    tests: [
      'test/import/{absence,equality,reading,row-requests}.test.ts',
      'test/import/settling.test.ts',
      'test/import/not-kept.test.ts',
      'test/mapping/{round-trip,text-form}.test.ts',
      'test/import/lagging-list.slow.test.ts',
    ],
  },
  pacing: {
    sources: PACING.map((name) => `src/api/${name}.ts`),
    tests: [...PACING, 'pacing-figures'].map((name) => `test/api/${name}.test.ts`),
  },
};

/** A process that notes nothing for so long is in a loop that a mutant made endless. */
const MAX_SILENCE_MS = 60_000;
/** Processes of a group: each mutant that hangs ends one. */
const MAX_PROCESSES = 40;

async function play({ sources, tests }: Group, log: string): Promise<void> {
  for (let left = MAX_PROCESSES; left > 0; left -= 1) {
    const files = tests.flatMap((glob) => globSync(glob));
    const args = [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--config',
      'test/mutation/vitest.config.ts',
      ...files,
    ];
    const child = spawn(process.execPath, args, {
      stdio: 'ignore',
      // A group of its own, because its workers must end with it.
      detached: true,
      env: { ...process.env, MUTATION_LOG: log, MUTATE: sources.join(' ') },
    });
    const began = Date.now();
    const watch = setInterval(() => {
      const noted = statSync(log, { throwIfNoEntry: false })?.mtimeMs ?? 0;
      if (Date.now() - Math.max(began, noted) > MAX_SILENCE_MS && child.pid !== undefined)
        process.kill(-child.pid, 'SIGKILL');
    }, 1000);
    await new Promise((resolve) => child.once('exit', resolve));
    clearInterval(watch);
    const last = entries(log).at(-1);
    if (last?.tries === undefined && last?.late !== true) return;
    if (last.tries !== undefined)
      appendFileSync(log, `${JSON.stringify({ found: last.tries, late: true })}\n`);
  }
}

function report(name: string, { sources }: Group, log: string): void {
  const noted = entries(log);
  const found = new Map(noted.flatMap((each) => (each.found === undefined ? [] : [[each.found, each]])));
  const reached = new Set(noted.flatMap((each) => [...(each.reached ?? []), ...(each.loaded ?? [])]));
  const rows = sources.toSorted().map((file) => {
    const row = { file, mutants: 0, found: 0, late: 0, survived: 0, unreached: 0 };
    for (const mutant of mutate(file, readFileSync(file, 'utf8')).mutants) {
      const by = found.get(mutant.name);
      const missed = reached.has(mutant.name) ? 'survived' : 'unreached';
      row.mutants += 1;
      row[by === undefined ? missed : by.late === true ? 'late' : 'found'] += 1;
      if (by === undefined) console.log(`${missed}  ${mutant.name}  |  ${mutant.text}`);
    }
    return row;
  });
  console.table(rows);
  const sum = (key: 'mutants' | 'found' | 'late') => rows.reduce((so, row) => so + row[key], 0);
  const share = (100 * (sum('found') + sum('late'))) / sum('mutants');
  console.log(`${name}: ${share.toFixed(1)} % of ${sum('mutants')} mutants found.`);
}

const wanted = process.argv.slice(2);
for (const asked of wanted.length > 0 ? wanted : Object.keys(GROUPS)) {
  const [name = '', file] = asked.split('/');
  const group = GROUPS[name];
  if (group === undefined) throw new Error(`No group is named ${name}.`);
  const sources = group.sources
    .flatMap((glob) => globSync(glob))
    .filter((each) => file === undefined || basename(each) === `${file}.ts`);
  const log = join(tmpdir(), `mutation-${asked.replace('/', '-')}.jsonl`);
  await play({ ...group, sources }, log);
  report(asked, { ...group, sources }, log);
}
