import type { Argv, CommandModule } from 'yargs';
import { ExitCode } from '../../exit-code.ts';
import type { CommandBody } from '../command-body.ts';
import { examples } from '../examples.ts';
import type { GlobalFlags } from '../globals.ts';
import { print, printJson } from '../show/output.ts';
import { storeOf } from '../settings.ts';
import { counted } from '../../counted.ts';

export const storeCommand: CommandBody<object> = {
  builder: (yargs) =>
    yargs
      .command(copy)
      .command(backup)
      .command(check)
      .command(prune)
      .demandCommand(1, 'Name what to do with the store: copy, backup, check or prune.')
      .strict()
      .epilogue('The store is where shelflift keeps what happened to each row: --store, or SHELFLIFT_STORE.'),
  handler: () => undefined,
};

type CopyFlags = GlobalFlags & { from: string; to: string };

const copy: CommandModule<object, CopyFlags> = {
  command: 'copy',
  describe: 'the whole store into another, empty one, in a file or on a server',
  builder: (yargs) =>
    yargs
      .option('from', {
        type: 'string',
        demandOption: true,
        describe: 'a file, or postgres://…',
        requiresArg: true,
      })
      .option('to', { type: 'string', demandOption: true, describe: 'the same', requiresArg: true })
      .example(
        examples({
          '$0 store copy --from ledger.db --to postgres://shelf@db.example.com/shelf':
            'from one machine to many; the password is taken from PGPASSWORD',
        }),
      ),
  handler: async (flags) => {
    const { copyWithSpool } = await import('../../worker/queue/store-copies.ts');
    const report = await copyWithSpool(flags.from, flags.to);
    if (flags.json === true) printJson(report);
    else {
      print(
        `copied ${counted(report.jobs, 'job')} with ${counted(report.rows, 'row')}: ${report.from} → ${report.to}`,
      );
      print(`  read back and compared: sha256 ${report.sha256}`);
      if (report.waiting_files > 0) print(`  with ${waiting(report.waiting_files)}`);
      print('  Go on with one of the two only: a job that is resumed in both sends its rows twice.');
    }
  },
};

const backup: CommandModule<object, GlobalFlags & { file: string }> = {
  command: 'backup <file>',
  describe: 'the store as it is at this instant into a file, while jobs go on',
  builder: (yargs) =>
    yargs
      .positional('file', { type: 'string', demandOption: true, describe: 'made; --store takes it as it is' })
      .example(examples({ '$0 store backup ledger-backup.db': 'then checked, as store check does' })),
  handler: async (flags) => {
    const { backupWithSpool } = await import('../../worker/queue/store-copies.ts');
    const report = await backupWithSpool(storeOf(flags, process.env), flags.file);
    if (flags.json === true) printJson(report);
    else {
      print(
        `${report.file}: ${counted(report.jobs, 'job')} with ${counted(report.rows, 'row')} of ${report.store}, checked`,
      );
      if (report.waiting_files > 0)
        print(`  with ${waiting(report.waiting_files)}, in ${report.file}.spool: keep it beside the file`);
    }
  },
};

function waiting(files: number): string {
  return `${counted(files, 'file that waits', 'files that wait')} for an import or a delivery`;
}

const check: CommandModule<object, GlobalFlags> = {
  command: 'check',
  describe: 'is the store whole: pages, states, ownership of items, counts',
  builder: (yargs) => yargs.example(examples({ '$0 store check': 'reads everything, changes nothing' })),
  handler: async (flags) => {
    const { checkStore } = await import('../../ledger/upkeep/check-store.ts');
    const report = await checkStore(storeOf(flags, process.env));
    process.exitCode = report.ok ? ExitCode.ok : ExitCode.rows;
    if (flags.json === true) printJson(report);
    else if (report.ok)
      print(`${report.store}: whole; ${counted(report.jobs, 'job')} with ${counted(report.rows, 'row')}`);
    else print(`${report.store} is not whole:\n${report.problems.map((each) => `  ${each}`).join('\n')}`);
  },
};

type PruneFlags = GlobalFlags & { 'older-than'?: string };

const prune: CommandModule<object, PruneFlags> = {
  command: 'prune',
  describe: 'forget the cells and payloads of old jobs, and make room; what became of each row stays',
  builder: (yargs) =>
    yargs
      .option('older-than', {
        type: 'string',
        describe: 'jobs that have not moved for so long [90d, the least]; they can no longer be undone',
        requiresArg: true,
      })
      .example(
        examples({ '$0 store prune --older-than 90d': 'once a month, say' }),
      ) as unknown as Argv<PruneFlags>,
  handler: async (flags) => {
    const { withLedger } = await import('../session.ts');
    const { parseDuration } = await import('../../duration.ts');
    const { pruneJobs } = await import('../../import/jobs/prune-jobs.ts');
    const { compactStore } = await import('../../ledger/upkeep/compact-store.ts');
    const age = flags['older-than'];
    const olderThan = age === undefined ? {} : { olderThanMs: parseDuration(age, '--older-than') };
    const { jobs, dryRuns, store } = await withLedger(flags, async (ledger) => ({
      store: ledger.location,
      ...(await pruneJobs(ledger, { ...olderThan, now: Date.now() })),
    }));
    const { freedBytes } = await compactStore(storeOf(flags, process.env));
    if (flags.json === true) printJson({ store, jobs, dry_runs: dryRuns, freed_bytes: freedBytes });
    else {
      const what = `${counted(jobs.length, 'job')} and ${counted(dryRuns.length, 'dry run')}`;
      print(`${store}: pruned ${what}; ${(freedBytes / 1e6).toFixed(1)} MB freed`);
    }
  },
};
