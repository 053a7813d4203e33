import type { CommandModule } from 'yargs';
import { ExitCode } from '../../base/exit-code.ts';
import type { CommandBody } from '../command-body.ts';
import { examples } from '../examples.ts';
import { addFlags, type FlagsOf, type GlobalFlags } from '../flags.ts';
import { print, printJson } from '../show/output.ts';
import { storeOf } from '../../account/store-of.ts';
import { english, message } from '../../messages/message.ts';
import { inLines, say } from '../show/say.ts';

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
      const { jobs, rows, from, to, sha256, waiting_files: files } = report;
      print(
        inLines([
          message('store_copied', { jobs, rows, from, to }),
          message('store_read_back', { sha256 }),
          ...(files > 0 ? [message('with_waiting_files', { files })] : []),
          message('go_on_with_one_store', {}),
        ]),
      );
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
      const { file, store, jobs, rows, waiting_files: files } = report;
      const spool = message('waiting_files_beside', { files, folder: `${file}.spool` });
      print(
        inLines([message('store_backed_up', { file, store, jobs, rows }), ...(files > 0 ? [spool] : [])]),
      );
    }
  },
};

const check: CommandModule<object, GlobalFlags> = {
  command: 'check',
  describe: 'Check that the store is intact: pages, states, ownership of items, counts.',
  builder: (yargs) => yargs.example(examples({ '$0 store check': 'reads everything, changes nothing' })),
  handler: async (flags) => {
    const { checkStore } = await import('../../ledger/upkeep/check-store.ts');
    const { STORED_TEXTS } = await import('../../import/stored-texts.ts');
    const report = await checkStore(storeOf(flags, process.env), STORED_TEXTS);
    process.exitCode = report.ok ? ExitCode.ok : ExitCode.rows;
    const { ok, store, jobs, rows, problems } = report;
    if (flags.json === true) printJson({ ...report, problems: problems.map(english) });
    else {
      if (ok) print(say(message('store_is_whole', { store, jobs, rows })));
      else
        print(
          [say(message('store_not_whole', { store })), ...problems.map((each) => `  ${say(each)}`)].join(
            '\n',
          ),
        );
    }
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
      const pruned = { store, jobs: jobs.length, dryRuns: dryRuns.length, readings, megabytes: bytes / 1e6 };
      print(
        inLines([
          message('store_pruned', pruned),
          inUse === true
            ? message('store_in_use_elsewhere', {})
            : message('space_given_back', { megabytes: freedBytes / 1e6 }),
        ]),
      );
    }
  },
};
