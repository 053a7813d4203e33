/**
 * All commands, in the order of --help. A command's own file is loaded only when its name is among the words
 * typed: --help, --version and shell completion are asked for often, and should not pay for all of them.
 */
import type { Argv } from 'yargs';
import type { CommandBody } from '../command-body.ts';

const ENTRIES = {
  import: entry(
    'import <file..>',
    'spreadsheet → items',
    async () => (await import('./import.ts')).importCommand,
  ),
  set: entry(
    'set <change..>',
    'the same change to many items, without a spreadsheet',
    async () => (await import('./set.ts')).setCommand,
  ),
  jobs: entry(
    'jobs',
    'the life of a job: list, show, resume, apply, cancel, undo, prune, results',
    async () => (await import('./jobs.ts')).jobsCommand,
  ),
  export: entry(
    'export',
    'API → CSV, XLSX or NDJSON: items, listings, collections, sales',
    async () => (await import('./export.ts')).exportCommand,
  ),
  report: entry(
    'report',
    'a workbook or page that a person reads: inventory, listings, sales',
    async () => (await import('./report.ts')).reportCommand,
  ),
  worker: entry(
    'worker',
    'runs schedules, submitted files and watched folders',
    async () => (await import('./worker.ts')).workerCommand,
  ),
  schedule: entry(
    'schedule',
    'what runs by itself: list, run, pause, resume',
    async () => (await import('./schedule.ts')).scheduleCommand,
  ),
  dupes: entry(
    'dupes',
    'groups of items that look the same',
    async () => (await import('./dupes.ts')).dupesCommand,
  ),
  template: entry(
    'template',
    'import templates: list, show, infer, check, new',
    async () => (await import('./template.ts')).templateCommand,
  ),
  profile: entry(
    'profile',
    'addresses and keys kept by name: add, list, use',
    async () => (await import('./profile.ts')).profileCommand,
  ),
  doctor: entry(
    'doctor',
    'checks address, key, scopes, limits and store, and says what to do',
    async () => (await import('./doctor.ts')).doctorCommand,
  ),
  store: entry(
    'store',
    "the ledger's upkeep: copy, backup, check, prune",
    async () => (await import('./store.ts')).storeCommand,
  ),
  sandbox: entry(
    'sandbox',
    'serves the reference API on this machine',
    async () => (await import('./sandbox.ts')).sandboxCommand,
  ),
};

/** Adds every command: whole where its name is among `words`, else by name alone. */
export async function addCommands<T>(yargs: Argv<T>, words: readonly string[]): Promise<void> {
  for (const [name, add] of Object.entries(ENTRIES)) await add(yargs, words.includes(name));
}

function entry<Flags>(command: string, describe: string, load: () => Promise<CommandBody<Flags>>) {
  return async (yargs: Argv<object>, whole: boolean): Promise<void> => {
    const body = whole ? await load() : { handler: () => undefined };
    yargs.command<Flags>({ command, describe, ...body });
  };
}
