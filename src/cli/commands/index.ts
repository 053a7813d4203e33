/**
 * All commands, in the order of --help. The file of a command is loaded only if its name is on the command line:
 * --help, --version and shell completion are used often, and should not load all commands.
 */
import type { Argv } from 'yargs';
import type { CommandBody } from '../command-body.ts';

const ENTRIES = {
  import: entry(
    'import <file..>',
    'Import a spreadsheet as items.',
    async () => (await import('./import.ts')).importCommand,
  ),
  set: entry(
    'set <change..>',
    'Change many items: from a list, from a file by any key, or from a selection.',
    async () => (await import('./set.ts')).setCommand,
  ),
  jobs: entry(
    'jobs',
    'Manage jobs: list, show, submit, resume, apply, mend, cancel, undo, prune, results, resolve.',
    async () => (await import('./jobs.ts')).jobsCommand,
  ),
  why: entry(
    'why <item>',
    'Explain each field of an item: the file, row, job and request that set it.',
    async () => (await import('./why.ts')).whyCommand,
  ),
  export: entry(
    'export',
    'Export items, listings, collections or sales as CSV, XLSX or NDJSON.',
    async () => (await import('./export.ts')).exportCommand,
  ),
  diff: entry(
    'diff <before> <after>',
    'Compare two exports: added, removed and changed items.',
    async () => (await import('./diff.ts')).diffCommand,
  ),
  report: entry(
    'report',
    'Write a report as a workbook or page: inventory, listings, sales.',
    async () => (await import('./report.ts')).reportCommand,
  ),
  worker: entry(
    'worker',
    'Run schedules, submitted files and watched folders.',
    async () => (await import('./worker.ts')).workerCommand,
  ),
  schedule: entry(
    'schedule',
    'Manage schedules: list, run, pause, resume.',
    async () => (await import('./schedule.ts')).scheduleCommand,
  ),
  dupes: entry(
    'dupes',
    'Find groups of items that look the same.',
    async () => (await import('./dupes.ts')).dupesCommand,
  ),
  ui: entry(
    'ui [file]',
    'Open shelflift as a page in the browser.',
    async () => (await import('./ui.ts')).uiCommand,
  ),
  mcp: entry(
    'mcp',
    'Let an assistant prepare plans (Model Context Protocol); a person decides.',
    async () => (await import('./mcp.ts')).mcpCommand,
  ),
  template: entry(
    'template',
    'Manage import templates: list, show, infer, check, new.',
    async () => (await import('./template.ts')).templateCommand,
  ),
  profile: entry(
    'profile',
    'Save addresses and keys by name: add, list, use.',
    async () => (await import('./profile.ts')).profileCommand,
  ),
  doctor: entry(
    'doctor',
    'Check address, key, scopes, limits and store, and say what to do.',
    async () => (await import('./doctor.ts')).doctorCommand,
  ),
  store: entry(
    'store',
    'Maintain the ledger: copy, backup, check, prune.',
    async () => (await import('./store.ts')).storeCommand,
  ),
  sandbox: entry(
    'sandbox',
    'Serve the reference API on this machine.',
    async () => (await import('./sandbox.ts')).sandboxCommand,
  ),
};

/** Adds every command: in full if its name is among `words`, otherwise only its name. */
export async function addCommands<T>(yargs: Argv<T>, words: readonly string[]): Promise<void> {
  for (const [name, add] of Object.entries(ENTRIES)) await add(yargs, words.includes(name));
}

function entry<Flags>(command: string, describe: string, load: () => Promise<CommandBody<Flags>>) {
  return async (yargs: Argv<object>, whole: boolean): Promise<void> => {
    const body = whole ? await load() : { handler: () => undefined };
    yargs.command<Flags>({ command, describe, ...body });
  };
}
