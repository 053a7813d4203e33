/** Executes an import run of a submitted or dropped file. */
import { basename, join } from 'node:path';
import { RequestMeter } from '../api/meter.ts';
import type { Clock } from '../base/clock.ts';
import { saidOf, ShelfliftError } from '../base/errors.ts';
import { message } from '../messages/message.ts';
import type { Message } from '../messages/params.ts';
import { ExitCode } from '../base/exit-code.ts';
import type { RunOptions } from '../import/job/options.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { FilePassword } from '../sheets/table.ts';
import type { EmitWorker } from './events.ts';
import { type Claimed, copyClaimed } from './hot-folders/claimed.ts';
import type { Profiles } from './profiles.ts';
import type { Queue, QueueLease, Service } from './queue/queue.ts';
import { addWarning, fileOf, type Run } from './queue/run.ts';
import type { Runs } from './queue/runs.ts';
import type { Spool } from './queue/spool.ts';
import { type RunEnd, runError } from './tasks/end.ts';
import { type FileRequest, isThere, runImport } from './tasks/run-import.ts';

/** An import yields its key to a waiting read after this long. */
const YIELD_AFTER_MS = 10_000;
const YIELD_LOOK_MS = 2_000;
const MAX_WARNINGS = 20;

export interface ExecuteImportDeps {
  ledger: Ledger;
  runs: Runs;
  queue: Queue;
  service: Service;
  profiles: Profiles;
  spool: Spool;
  clock: Clock;
  emit: EmitWorker;
  /** Gives the password of protected workbooks. */
  filePassword: FilePassword;
  /** Options of every import, from the command line. */
  run: RunOptions;
}

/** @param outDir where results go */
export async function executeImport(
  run: Run,
  lease: QueueLease,
  stop: AbortSignal,
  outDir: string,
  deps: ExecuteImportDeps,
): Promise<RunEnd> {
  const { ledger, spool } = deps;
  if (run.work.kind !== 'import') throw new Error(`${run.id} is no import`);
  const { source, request } = run.work;
  const file =
    'spool' in source
      ? await spool.fetch(run.id, source.name)
      : await claimedFile(run.id, source, spool.folder(run.id), ledger, stop);
  if (file === undefined) {
    const error = runError('spool_missing', message('submitted_copy_gone', {}));
    return { kind: 'failed', exitCode: ExitCode.usage, error };
  }
  const template =
    'spool' in source && source.template !== undefined
      ? await spool.fetch(run.id, source.template)
      : undefined;
  const dropped = 'claimed' in source ? { alertShare: source.alertShare } : {};
  const about = { jobId: run.id, file, knownAs: fileOf(source), outDir };
  return importFor(
    run,
    { ...request, ...(template === undefined ? {} : { template }), ...about, ...dropped },
    lease,
    stop,
    deps,
  );
}

/** Imports a file for a run: keeps its warnings, and yields its key to waiting reads. */
export async function importFor(
  run: Run,
  request: FileRequest,
  lease: QueueLease,
  stop: AbortSignal,
  deps: ExecuteImportDeps,
): Promise<RunEnd> {
  const { ledger, profiles, clock, emit, queue, service, filePassword } = deps;
  const client = profiles.ofLane(lease.lane);
  if (client === undefined) throw new Error(`no client for ${lease.lane}`);
  // Saved at once, so that a run that is killed and resumed does not repeat its warnings.
  let noted = Promise.resolve();
  let sent: number | undefined;
  const yielding = new AbortController();
  /** Since when this turn has sent rows: an import that yielded while it prepares would begin again each time. */
  let sending: number | undefined;
  const look = setInterval(() => {
    if (sending === undefined || clock.monotonic() - sending < YIELD_AFTER_MS) return;
    void queue
      .readWaits(lease.lane, service)
      .then((waits) => {
        if (!waits || yielding.signal.aborted) return;
        emit({ type: 'yielded', run });
        yielding.abort(new ShelfliftError('interrupted', message('import_yielded', {})));
      })
      .catch(() => undefined);
  }, YIELD_LOOK_MS);
  try {
    const meter = new RequestMeter();
    return await runImport(
      { ...request, queuedAt: run.createdAt },
      {
        client: client.withListener(meter.onRequest),
        ledger,
        meter,
        clock,
        filePassword,
        signal: AbortSignal.any([stop, yielding.signal]),
        emit: (event) => {
          if (event.type === 'warning')
            // A warning that cannot be saved does not stop the import: the next save fails for the same reason.
            noted = noted.then(() => warn(run, saidOf(event), deps.runs)).catch(() => undefined);
          if (event.type === 'sending') {
            sent ??= event.done;
            if (event.done > sent) {
              sending ??= clock.monotonic();
              // What failed before works again.
              delete run.failingSince;
            }
          }
          emit({ type: 'import', run, event });
        },
      },
      deps.run,
    );
  } finally {
    clearInterval(look);
    await noted;
  }
}

/** The claimed file of an import; once the import has read it, only its name is needed. */
async function claimedFile(
  runId: string,
  source: Claimed,
  folder: string,
  ledger: Ledger,
  stop: AbortSignal,
): Promise<string> {
  if (await isThere(ledger, runId)) return join(folder, basename(source.claimed));
  return copyClaimed(source, folder, stop);
}

async function warn(run: Run, said: Message, runs: Runs): Promise<void> {
  if ((run.warnings ?? []).length < MAX_WARNINGS) addWarning(run, said);
  await runs.save(run);
}
