/** An import while a worker has it in hand: its file is fetched, its warnings are kept, and its key is given to reads. */
import { basename, join } from 'node:path';
import type { Clock } from '../clock.ts';
import { ShelfliftError } from '../errors.ts';
import { ExitCode } from '../exit-code.ts';
import type { RunOptions } from '../import/job/options.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { EmitWorker } from './events.ts';
import { type Claimed, copyClaimed } from './hot-folders/claimed.ts';
import type { Profiles } from './profiles.ts';
import type { Queue, Service, Turn } from './queue/queue.ts';
import { fileOf, type Run } from './queue/run.ts';
import type { Runs } from './queue/runs.ts';
import type { Spool } from './queue/spool.ts';
import type { RunEnd } from './tasks/end.ts';
import { isThere, runImport } from './tasks/run-import.ts';

/** How long an import keeps its key before it gives way to a read that waits. */
const YIELD_AFTER_MS = 10_000;
const YIELD_LOOK_MS = 2_000;
const MOST_WARNINGS = 20;
/** Of a file that was claimed by an earlier version. */
const ALERT_SHARE = 0.5;

export interface ImportInHandDeps {
  ledger: Ledger;
  runs: Runs;
  queue: Queue;
  service: Service;
  profiles: Profiles;
  spool: Spool;
  clock: Clock;
  emit: EmitWorker;
  /** Options of every import, from the command line. */
  run: RunOptions;
}

/** @param outDir where results go */
export async function importInHand(
  run: Run,
  turn: Turn,
  stop: AbortSignal,
  outDir: string,
  deps: ImportInHandDeps,
): Promise<RunEnd> {
  const { ledger, profiles, spool, clock, emit, queue, service } = deps;
  if (run.work.kind !== 'import') throw new Error(`${run.id} is no import`);
  const { source, request } = run.work;
  const client = profiles.ofLane(turn.lane);
  if (client === undefined) throw new Error(`no client for ${turn.lane}`);
  const file =
    'spool' in source
      ? await spool.fetch(run.id, source.name)
      : await claimedFile(run.id, source, spool.folder(run.id), ledger, stop);
  if (file === undefined) {
    const message = 'the copy of the submitted file is gone from the spool';
    return { kind: 'failed', exitCode: ExitCode.usage, error: { code: 'spool_missing', message } };
  }
  const template =
    'spool' in source && source.template !== undefined
      ? await spool.fetch(run.id, source.template)
      : undefined;
  // Kept at once: a run that is killed and gone on with says it no second time.
  let noted = Promise.resolve();
  const yielding = new AbortController();
  const since = clock.monotonic();
  const look = setInterval(() => {
    if (clock.monotonic() - since < YIELD_AFTER_MS) return;
    void queue
      .readWaits(turn.lane, service)
      .then((waits) => {
        if (!waits || yielding.signal.aborted) return;
        emit({ type: 'yielded', run });
        yielding.abort(new ShelfliftError('interrupted', 'gave way to an export of the same key'));
      })
      .catch(() => undefined);
  }, YIELD_LOOK_MS);
  try {
    const about = { jobId: run.id, file, knownAs: fileOf(source), outDir };
    const dropped = 'claimed' in source ? { alertShare: source.alertShare ?? ALERT_SHARE } : {};
    return await runImport(
      { ...request, ...(template === undefined ? {} : { template }), ...about, ...dropped },
      {
        client,
        ledger,
        clock,
        signal: AbortSignal.any([stop, yielding.signal]),
        run: deps.run,
        emit: (event) => {
          if (event.type === 'warning')
            // What cannot be noted stops nothing: the next save meets what is wrong.
            noted = noted.then(() => warn(run, event.message, deps.runs)).catch(() => undefined);
          emit({ type: 'import', run, event });
        },
      },
    );
  } finally {
    clearInterval(look);
    await noted;
  }
}

/** A file that was read whole is not needed again; its name still is. */
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

async function warn(run: Run, message: string, runs: Runs): Promise<void> {
  run.warnings = [...new Set([...(run.warnings ?? []), message])].slice(0, MOST_WARNINGS);
  await runs.save(run);
}
