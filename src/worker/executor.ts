/** Executes one run to its end, and saves each step so that a kill loses nothing. */
import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { ApiClient } from '../api/client.ts';
import { defined } from '../base/defined.ts';
import { ExitCode } from '../base/exit-code.ts';
import { finishChanges } from '../export/changes/change-state.ts';
import { message } from '../messages/message.ts';
import type { Message } from '../messages/params.ts';
import { LeaseLostError } from '../ledger/ledger.ts';
import { endJobOf } from './cancel.ts';
import type { ReadConfig } from './config/read-config.ts';
import type { Schedule } from './config/schema.ts';
import { deliverRun } from './delivery/deliver-run.ts';
import { nameFor } from './delivery/change-files.ts';
import { finishTold, isCurrent } from './delivery/told.ts';
import { describeDelivery } from './delivery/deliver.ts';
import type { ConnectionContext } from './remote/connection-context.ts';
import { archiveRun } from './hot-folders/archive-run.ts';
import { executeImport, type ExecuteImportDeps } from './execute-import.ts';
import type { CommandOf } from './notify/advice.ts';
import { failureInWords } from './notify/in-words.ts';
import { sayIn } from './notify/language.ts';
import type { Told } from './notify/notifier.ts';
import { importSource } from './sources/import-source.ts';
import { deliveryQueue, type QueueLease } from './queue/queue.ts';
import { ownQueue } from './queue/release.ts';
import { outageWait, REPORTED_AFTER_MS } from './outage.ts';
import {
  addWarning,
  type DeliveryState,
  fileOf,
  forgetFile,
  isFinal,
  type Run,
  type ScheduleWork,
} from './queue/run.ts';
import { watchCancelled } from './queue/runs.ts';
import { isOfStore } from './store-outage.ts';
import { endOf, madeEnd, type RunEnd, runError } from './tasks/end.ts';
import { runTask } from './tasks/run-task.ts';

/** The longest wait between two tries. */
const MAX_BACKOFF_MS = 3_600_000;

export interface ExecutorDeps extends ExecuteImportDeps {
  config: ReadConfig;
  context: ConnectionContext;
  /** Wait before the second try, ms; doubled each time. */
  backoffMs: number;
  tries: number;
  /** Receives the ids of runs that this worker leaves to others. */
  left: Set<string>;
  /** How long this worker waits out an outage. */
  outagePatienceMs: number;
  /** Reports that a schedule or a watched folder has begun to fail, or works again. */
  notify: (subject: string, failed: boolean, what: Told) => Promise<void>;
  /** How e-mails write the command of an action; undefined if there is no command line. */
  command: CommandOf | undefined;
  begun: (run: Run) => void;
  /** Called before the end of a run is recorded. @throws errors of the store */
  ended: (run: Run) => Promise<void>;
  /** Reports a run that succeeded except for a few rows. */
  report: (runId: string, about: string, notice: Message) => Promise<void>;
}

export class Executor {
  readonly #deps: ExecutorDeps;
  /** Run → when this worker began its last try, or the first try of an outage; monotonic ms. */
  readonly #triedAt = new Map<string, number>();

  constructor(deps: ExecutorDeps) {
    this.#deps = deps;
  }

  /** @returns the run in its last state
   * @throws only errors of the store; every other error becomes the end of the run */
  async execute(lease: QueueLease, stop: AbortSignal): Promise<Run | undefined> {
    const { runs } = this.#deps;
    const run = await runs.get(lease.runId);
    if (run?.state === 'cancelled') {
      // The run was not executed here.
      await this.#endCancelled(run, lease);
      return undefined;
    }
    // A kill has left the queue entry of a run that had ended.
    if (run === undefined || isFinal(run)) {
      await lease.finish();
      return undefined;
    }
    const isAway = [run, ...(run.deliveries ?? [])].some(({ awaySince }) => awaySince !== undefined);
    if (!isAway || !this.#triedAt.has(run.id)) this.#triedAt.set(run.id, this.#deps.clock.monotonic());
    using cancelled = watchCancelled(run.id, runs);
    try {
      return await this.#proceed(run, lease, AbortSignal.any([stop, cancelled.signal]));
    } catch (error) {
      // Cancelling writes the run record, so our next save was refused.
      const now = error instanceof LeaseLostError ? await runs.get(run.id) : undefined;
      if (now?.state !== 'cancelled') throw error;
      return this.#endCancelled(now, lease);
    }
  }

  async #proceed(run: Run, lease: QueueLease, stop: AbortSignal): Promise<Run | undefined> {
    if (run.work.kind === 'schedule' && this.#deps.config.schedules[run.work.schedule] === undefined)
      return this.#leave(run, run.work.schedule, lease);
    const { runs, clock, emit, config } = this.#deps;
    // Its schedule has another profile by now, which has a queue of its own.
    const own = run.state === 'delivering' ? undefined : ownQueue(run, config);
    if (own !== undefined && own !== lease.queue) {
      await lease.putBack(run.notBefore, own);
      return undefined;
    }
    if (run.state === 'delivering') {
      // A kill may have left an entry in the export's queue, too. Only the delivery queue may deliver.
      const queue = deliveryQueue(run.id);
      if (lease.queue === queue) return this.#deliver(run, lease, stop);
      await lease.putBack(run.notBefore, queue);
      return undefined;
    }
    // The worker was killed while it archived the file. Only that is left to do.
    if (run.ending !== undefined) {
      delete run.error;
      return this.#finish(run, lease, run.ending.end);
    }
    const begun = clock.now();
    emit({ type: 'begun', run, takenOver: run.state === 'running', waitedMs: begun - run.notBefore });
    run.state = 'running';
    run.startedAt ??= begun;
    delete run.error;
    await runs.save(run);
    this.#deps.begun(run);
    const work = async () =>
      run.work.kind === 'schedule'
        ? this.#runTask(run, lease, stop)
        : executeImport(run, lease, stop, await this.#outDir(run), this.#deps);
    const end = await work().catch((error: unknown) => endOfFailure(error, stop));
    if (end === undefined) return this.#toDelivery(run, lease);
    return this.#finish(run, lease, end);
  }

  /** Another worker may have a newer configuration that contains the schedule. */
  async #leave(run: Run, schedule: string, lease: QueueLease): Promise<undefined> {
    this.#deps.left.add(run.id);
    this.#deps.emit({
      type: 'warning',
      message: `The run ${run.id} is left to other workers, because the schedule ${schedule} is not in this configuration. Cancel it if no worker knows the schedule.`,
    });
    await lease.putBack(run.notBefore);
  }

  /** @returns undefined if the run wrote a file that has to be delivered */
  async #runTask(run: Run, lease: QueueLease, stop: AbortSignal): Promise<RunEnd | undefined> {
    const { config, profiles, context } = this.#deps;
    if (run.work.kind !== 'schedule') throw new Error(`${run.id} is no schedule's`);
    // The worker was killed after the file was in place. A new export would replace it with only the
    // later changes.
    if (run.told !== undefined || run.shown !== undefined) return madeEnd(run);
    const { schedule: name, fire } = run.work;
    const schedule = config.schedules[name];
    const client = profiles.ofLane(lease.lane);
    if (schedule === undefined || client === undefined) {
      const error = runError('no_such_schedule', message('schedule_gone', { schedule: name }));
      return { kind: 'failed', exitCode: ExitCode.usage, error };
    }
    const { import: source } = schedule.task;
    if (source === undefined) return this.#export(run, run.work, schedule, client, stop);
    const { timeZone } = schedule;
    return importSource(run, { schedule: name, source, fire, timeZone, context }, lease, stop, this.#deps);
  }

  async #export(
    run: Run,
    { fire, previous }: ScheduleWork,
    schedule: Schedule,
    client: ApiClient,
    stop: AbortSignal,
  ): Promise<RunEnd | undefined> {
    const { config, spool, clock, emit } = this.#deps;
    const delivered = schedule.deliver.length > 0;
    const result = await runTask(schedule.task, {
      client,
      run: run.id,
      values: this.#deps.ledger.values,
      knownItems: this.#deps.ledger.items,
      isOpenRun: (id) => this.#mayDeliver(id),
      signal: stop,
      clock,
      period: { start: previous, end: fire, timeZone: schedule.timeZone },
      workFolder: delivered ? await spool.folderOfTry(run.id) : undefined,
      placeOf: (path) => this.#placeOf(run, path, schedule),
      configFolder: config.folder,
      onEvent: (event) => emit({ type: 'export', run, event }),
    });
    if ('end' in result) return result.end;
    const { made } = result;
    const tells = defined({ told: made.told, shown: made.shown });
    run.rows = made.rows;
    // Also if there is nothing: an earlier try may have made another file.
    Object.assign(run, { leftOut: made.leftOut, notInTotals: made.notInTotals, leftBlank: made.leftBlank });
    if (!delivered) {
      run.files = made.files;
      Object.assign(run, tells);
      if (Object.keys(tells).length > 0) await this.#deps.runs.save(run);
      return madeEnd(run);
    }
    const files: string[] = [];
    try {
      for (const file of made.files) files.push(await spool.put(run.id, file));
    } catch (error) {
      if (made.told !== undefined) await finishChanges(this.#deps.ledger.values, made.told, false);
      throw error;
    }
    Object.assign(run, tells);
    run.artefact = { name: made.name, files, sha256: made.sha256 };
    run.deliveries = schedule.deliver.map((each) => ({ to: describeDelivery(each), done: false, tries: 0 }));
    return undefined;
  }

  /** The path of a file without a delivery: no file of changes of another run is replaced. */
  async #placeOf(run: Run, path: string, { task }: Schedule): Promise<string> {
    const { ledger, runs } = this.#deps;
    const isChanges = task.changedSinceLast !== undefined;
    const out = await nameFor(
      { run: run.id, isChanges, name: path, placeOf: (each) => each, before: run.out },
      { values: ledger.values, runs },
      (choose) => choose(existsSync),
    );
    if (out !== path) run.renamed = message('file_renamed', { name: path, as: out });
    if (isChanges && out !== run.out) {
      run.out = out;
      await runs.save(run);
    }
    return out;
  }

  /** False also for the run of a schedule that this configuration lacks: nobody may ever deliver its file. */
  async #mayDeliver(id: string): Promise<boolean> {
    const run = await this.#deps.runs.get(id);
    if (run === undefined || isFinal(run) || run.work.kind !== 'schedule') return false;
    return this.#deps.config.schedules[run.work.schedule] !== undefined;
  }

  /** The folder of the submitted file if this machine has it, otherwise the spool. */
  async #outDir(run: Run): Promise<string> {
    const wanted = run.work.kind === 'import' ? run.work.request.outDir : undefined;
    const there = wanted !== undefined && (await stat(wanted).catch(() => undefined))?.isDirectory() === true;
    return there ? wanted : this.#deps.spool.folder(run.id);
  }

  /** Releases the key for the next run while the file is delivered. */
  async #toDelivery(run: Run, lease: QueueLease): Promise<Run> {
    const { clock } = this.#deps;
    run.state = 'delivering';
    run.notBefore = clock.now();
    await this.#putBack(run, lease, deliveryQueue(run.id));
    return run;
  }

  async #putBack(run: Run, lease: QueueLease, queue?: string): Promise<void> {
    await this.#deps.runs.save(run);
    // Another machine may continue, and cannot clean up here. While we hold the lease nobody else uses the folder.
    if (run.ending === undefined) await this.#deps.spool.release(run.id);
    await lease.putBack(run.notBefore, queue);
  }

  async #deliver(run: Run, lease: QueueLease, stop: AbortSignal): Promise<Run> {
    const { clock, ledger, tries, emit } = this.#deps;
    if (!(await isCurrent(run, ledger.values))) {
      const text = `The file of ${run.id} is made again, because a later file has reported its changes.`;
      emit({ type: 'warning', message: text });
      forgetFile(run);
      run.state = 'queued';
      await this.#putBack(run, lease, run.queue);
      return run;
    }
    const around = { ...this.#deps, values: ledger.values, hold: () => lease.hold(), stop };
    const end = await deliverRun(run, around).catch((error: unknown) => endOfFailure(error, stop));
    if (end !== undefined) return this.#finish(run, lease, end);
    const now = clock.now();
    const waiting = (run.deliveries ?? []).filter((each) => !each.done && each.tries < tries);
    const wait = ({ awaySince, tries: tried }: DeliveryState) =>
      awaySince === undefined ? this.#backoff(tried) : this.#outageWait(run, awaySince, now);
    const next = () => Math.min(...waiting.map((each) => (each.notBefore ??= now + wait(each))));
    run.notBefore = stop.aborted ? now : next();
    run.exitCode = stop.aborted ? ExitCode.interrupted : ExitCode.parked;
    if (!stop.aborted) run.failingSince ??= now;
    await this.#putBack(run, lease);
    await this.#tellIfLate(run);
    return run;
  }

  async #finish(run: Run, lease: QueueLease, ended: RunEnd): Promise<Run> {
    const { runs, clock, emit, tries } = this.#deps;
    const now = clock.now();
    const notice = ended.kind === 'done' ? ended.notice : undefined;
    for (const said of [notice, ended.kind === 'done' ? run.renamed : undefined])
      if (said !== undefined) addWarning(run, said);
    const { awaySince } = run;
    let end = this.#counted(run, ended, now);
    const puttingAway = await this.#archiveFile(run, end);
    // A file that cannot be archived is an outage that began with the first try.
    if (puttingAway !== end && awaySince !== undefined) run.awaySince = awaySince;
    if (puttingAway !== end) end = this.#counted(run, puttingAway, now);
    run.exitCode = end.exitCode;
    if (end.error !== undefined) run.error = end.error;
    else if (end.kind === 'done') delete run.error;
    if ('rows' in end && end.rows !== undefined) run.rows = end.rows;
    if ('files' in end && end.files !== undefined) run.files = end.files;
    if (end.kind === 'error') run.tries += 1;
    // A full plan lasts until somebody makes room.
    const isFull = end.kind === 'later' && end.exitCode === ExitCode.limit;
    if (end.kind === 'error' || end.kind === 'away' || isFull) run.failingSince ??= now;
    else if (end.kind !== 'later') delete run.failingSince;
    if (end.kind === 'later' || end.kind === 'away' || (end.kind === 'error' && run.tries < tries)) {
      // A run that is delivering already has its file.
      if (run.state !== 'delivering') run.state = 'queued';
      const since = run.awaySince ?? now;
      const wait = end.kind === 'away' ? this.#outageWait(run, since, now) : this.#backoff(run.tries);
      run.notBefore = now + (end.kind === 'later' ? end.afterMs : wait);
      await this.#putBack(run, lease);
      // A run that was stopped or has yielded did not fail.
      if (run.exitCode !== ExitCode.interrupted) await this.#tellIfLate(run);
    } else {
      const poison = end.kind === 'error' || (end.kind === 'failed' && run.tries >= tries);
      run.state = end.kind === 'done' ? 'done' : poison ? 'parked_poison' : 'failed';
      run.endedAt = now;
      delete run.ending;
      // Nobody looks at a final run again, so this comes first.
      await finishTold(run, { values: this.#deps.ledger.values, runs });
      if (run.state === 'done') {
        delete run.told;
        delete run.shown;
      }
      await this.#deps.ended(run);
      await runs.save(run);
      this.#triedAt.delete(run.id);
      // A parked run may be resumed and needs its files. Dropped files are archived.
      const isKept =
        run.state === 'parked_poison' && !(run.work.kind === 'import' && 'claimed' in run.work.source);
      if (!isKept) await this.#clearSpool(run, run.files ?? []);
      await lease.finish();
      await this.#tell(run);
      if (notice !== undefined)
        await this.#deps.report(
          run.id,
          run.work.kind === 'import' ? fileOf(run.work.source) : run.work.schedule,
          notice,
        );
    }
    emit({ type: 'ended', run, tookMs: now - (run.startedAt ?? now) });
    return run;
  }

  /** Moves a claimed file out of processing/ before its run is final, so that a kill in between repeats it. */
  async #archiveFile(run: Run, end: RunEnd): Promise<RunEnd> {
    if (run.work.kind !== 'import' || !('claimed' in run.work.source)) return end;
    const last = end.kind === 'error' && run.tries + 1 >= this.#deps.tries;
    if (end.kind !== 'done' && end.kind !== 'failed' && !last) return end;
    const which = end.kind === 'done' ? 'done' : 'failed';
    try {
      const outDir = await this.#outDir(run);
      const { source } = run.work;
      const copy = join(this.#deps.spool.folder(run.id), basename(source.claimed));
      return await archiveRun(run, source, { which, end, outDir, copy }, this.#deps);
    } catch (error) {
      return endOfFailure(error);
    }
  }

  /** Keeps what was sent or delivered, and archives the file with the results so far. */
  async #endCancelled(run: Run, lease: QueueLease): Promise<Run> {
    const { ledger, runs, emit, clock } = this.#deps;
    try {
      const claimed =
        run.work.kind === 'import' && 'claimed' in run.work.source ? run.work.source : undefined;
      const isAway = claimed !== undefined && run.ending === undefined && !existsSync(claimed.claimed);
      await finishTold(run, { values: ledger.values, runs });
      await endJobOf(run, ledger, clock);
      if (claimed !== undefined && !isAway) {
        const error = runError('cancelled', message('run_cancelled', {}));
        const end: RunEnd = { kind: 'failed', exitCode: ExitCode.rows, error };
        const outDir = await this.#outDir(run);
        run.files = (await archiveRun(run, claimed, { which: 'failed', end, outDir }, this.#deps)).files;
        delete run.ending;
        await runs.save(run);
      }
      await this.#clearSpool(run, run.files ?? []);
    } catch (error) {
      if (isOfStore(error)) throw error;
      emit({ type: 'warning', message: `Cancelling ${run.id}: ${(error as Error).message}` });
    }
    await lease.finish();
    emit({ type: 'ended', run, tookMs: (run.endedAt ?? 0) - (run.startedAt ?? run.endedAt ?? 0) });
    return run;
  }

  /** Keeps the results of a submitted file in the spool if its folder is on another machine. */
  async #clearSpool({ id }: Run, files: readonly string[]): Promise<void> {
    const { spool } = this.#deps;
    const spooled = spool.folder(id);
    if (!files.some((file) => file.startsWith(spooled))) await spool.remove(id);
  }

  /** Turns an outage that has lasted for days (`retries.outage`) into an error. */
  #counted(run: Run, end: RunEnd, now: number): RunEnd {
    if (end.kind === 'later') return end;
    if (end.kind !== 'away') {
      delete run.awaySince;
      return end;
    }
    run.awaySince ??= now;
    return now - run.awaySince < this.#deps.config.retries.outage ? end : { ...end, kind: 'error' };
  }

  /** With `--once`, leaves the run after a while to the next worker. */
  #outageWait(run: Run, since: number, now: number): number {
    const { backoffMs, config, clock, outagePatienceMs } = this.#deps;
    if (outagePatienceMs === Number.POSITIVE_INFINITY) return outageWait(since, now, backoffMs);
    const met = clock.monotonic() - (this.#triedAt.get(run.id) ?? 0);
    if (met + backoffMs < outagePatienceMs) return Math.min(Math.max(met, backoffMs), outagePatienceMs - met);
    this.#deps.left.add(run.id);
    return outageWait(since, now, config.retries.backoff);
  }

  async #tell(run: Run): Promise<void> {
    const subject = subjectOf(run);
    if (subject === undefined) return;
    const { config, command } = this.#deps;
    const failure = failureInWords(run, sayIn(config.notify?.language), command);
    await this.#deps.notify(subject, run.state !== 'done', failure);
  }

  /** Notifies people before a try that is noticeably late. */
  async #tellIfLate(run: Run): Promise<void> {
    const { failingSince = run.notBefore } = run;
    if (run.notBefore - failingSince > REPORTED_AFTER_MS) await this.#tell(run);
  }

  #backoff(tries: number): number {
    return Math.min(this.#deps.backoffMs * 2 ** Math.max(0, tries - 1), MAX_BACKOFF_MS);
  }
}

/** Errors around a run end it, except errors of the store, which could not record that end. */
function endOfFailure(error: unknown, stop?: AbortSignal): RunEnd {
  if (isOfStore(error)) throw error;
  return endOf(error, stop?.aborted === true);
}

/** The subject of notifications; undefined for a submitted file, whose sender sees how it ends. */
function subjectOf({ work }: Run): string | undefined {
  if (work.kind === 'schedule') return `schedule ${work.schedule}`;
  return 'folder' in work.source ? `folder ${work.source.folder}` : undefined;
}
