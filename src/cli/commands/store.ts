import type { CommandModule } from 'yargs';
import { ExitCode } from '../../base/exit-code.ts';
import type { CommandBody } from '../command-body.ts';
import { examples } from '../examples.ts';
import { addFlags, type FlagsOf, type GlobalFlags } from '../flags.ts';
import { print, printJson } from '../show/output.ts';
import { storeOf } from '../../account/store-of.ts';
import { counted } from '../../base/counted.ts';

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

const copy: CommandModule<object, FlagsOf<'store copy'>> = {
  command: 'copy',
  describe: 'Copy the whole store into another, empty one, in a file or on a server.',
  builder: (yargs) =>
    addFlags(yargs, 'store copy').example(
      examples({
        '$0 store copy --from ledger.db --to postgres://shelf@db.example.com/shelf':
          'from one machine to many; PGPASSWORD has the password',
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

const backup: CommandModule<object, FlagsOf<'store backup'>> = {
  command: 'backup <file>',
  describe: 'Back up the store to a file while jobs continue.',
  builder: (yargs) =>
    addFlags(yargs, 'store backup').example(
      examples({ '$0 store backup ledger-backup.db': 'the backup is checked as by store check' }),
    ),
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
  describe: 'Check that the store is intact: pages, states, ownership of items, counts.',
  builder: (yargs) => yargs.example(examples({ '$0 store check': 'reads everything, changes nothing' })),
  handler: async (flags) => {
    const { checkStore } = await import('../../ledger/upkeep/check-store.ts');
    const { STORED_TEXTS } = await import('../../import/stored-texts.ts');
    const report = await checkStore(storeOf(flags, process.env), STORED_TEXTS);
    process.exitCode = report.ok ? ExitCode.ok : ExitCode.rows;
    if (flags.json === true) printJson(report);
    else if (report.ok)
      print(`${report.store}: whole; ${counted(report.jobs, 'job')} with ${counted(report.rows, 'row')}`);
    else print(`${report.store} is not whole:\n${report.problems.map((each) => `  ${each}`).join('\n')}`);
  },
};

const prune: CommandModule<object, FlagsOf<'store prune'>> = {
  command: 'prune',
  describe: 'Delete the cells of old jobs, and old readings of the inventory; the outcome of each row stays.',
  builder: (yargs) =>
    addFlags(yargs, 'store prune').example(
      examples({ '$0 store prune --older-than 90d': 'once a month, say' }),
    ),
  handler: async (flags) => {
    const { withLedger } = await import('../session.ts');
    const { readOptions } = await import('../read-options.ts');
    const { PruneOptions } = await import('../options.ts');
    const { KEPT_MS, pruneJobs } = await import('../../import/jobs/prune-jobs.ts');
    const { compactStore } = await import('../../ledger/upkeep/compact-store.ts');
    const { pruneReadings } = await import('../../export/keep/readings.ts');
    const options = readOptions(PruneOptions, flags);
    const now = Date.now();
    const { jobs, dryRuns, store, bytes, readings } = await withLedger(flags, async (ledger) => ({
      store: ledger.location,
      ...(await pruneJobs(ledger, { ...options, now })),
      readings: await pruneReadings(ledger.values, now - (options.olderThanMs ?? KEPT_MS), false),
    }));
    const { freedBytes, inUse } = await compactStore(storeOf(flags, process.env));
    if (flags.json === true)
      printJson({
        store,
        jobs,
        dry_runs: dryRuns,
        readings,
        freed_bytes: freedBytes,
        forgotten_bytes: bytes,
      });
    else {
      const what = `${counted(jobs.length, 'job')}, ${counted(dryRuns.length, 'dry run')} and ${counted(readings, 'reading')} of the inventory`;
      const forgotten = `${(bytes / 1e6).toFixed(1)} MB of cells and payloads forgotten`;
      // A server's files hardly ever shrink: what is free in them takes the next rows.
      const given =
        inUse === true
          ? 'nothing given back to the disk, because another process has the store open'
          : `${(freedBytes / 1e6).toFixed(1)} MB given back to the disk`;
      print(`${store}: pruned ${what}; ${forgotten}, ${given}`);
    }
  },
};
