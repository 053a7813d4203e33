/** One run, from the moment it is in hand to its end, and what of it is kept so that a kill loses nothing. */
import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { ExitCode } from '../exit-code.ts';
import { settleChanges, takeUpChanges } from '../export/changes/change-state.ts';
import { LeaseLostError } from '../ledger/ledger.ts';
import { endJobOf } from './cancel.ts';
import type { ReadConfig } from './config/read-config.ts';
import { deliverRun } from './delivery/deliver-run.ts';
import { describeDelivery } from './delivery/deliver.ts';
import type { Place } from './delivery/place.ts';
import { putAwayRun } from './hot-folders/put-away-run.ts';
import { importInHand, type ImportInHandDeps } from './import-in-hand.ts';
import { deliveryQueue, type Turn } from './queue/queue.ts';
import { outageWait, REPORTED_AFTER_MS } from './outage.ts';
import { type DeliveryState, fileOf, forgetFile, isFinal, type Run } from './queue/run.ts';
import { watchCancelled } from './queue/watch-cancelled.ts';
import { isOfStore } from './store-outage.ts';
import { endOf, type RunEnd } from './tasks/end.ts';
import { runTask } from './tasks/run-task.ts';

/** No wait between two tries is longer. */
const LONGEST_BACKOFF_MS = 3_600_000;

export interface ExecutorDeps extends ImportInHandDeps {
  config: ReadConfig;
  place: Place;
  /** Wait before the second try, ms; doubled each time. */
  backoffMs: number;
  tries: number;
  /** How long this worker waits for what cannot be reached, ms. */
  outagePatienceMs: number;
  /** Told when a subject (a schedule, a watched folder) begins to fail, or works again. */
  notify: (subject: string, failed: boolean, message: string) => Promise<void>;
  /** Told once, of a run that has ended well but for a few rows. */
  report: (runId: string, message: string) => Promise<void>;
}

export class Executor {
  readonly #deps: ExecutorDeps;
  /** Run → when this worker began the first try that met an outage, or the last try, monotonic ms. */
  readonly #triedAt = new Map<string, number>();
  readonly #left = new Set<string>();

  constructor(deps: ExecutorDeps) {
    this.#deps = deps;
  }

  /** Never throws for what a run does; a store that fails does throw. @returns the run as it was left */
  async execute(turn: Turn, stop: AbortSignal): Promise<Run | undefined> {
    const { runs } = this.#deps;
    const run = await runs.get(turn.runId);
    if (run?.state === 'cancelled') {
      // Nothing of it ran here.
      await this.#endCancelled(run, turn);
      return undefined;
    }
    // An entry that a kill left behind when its run had ended.
    if (run === undefined || isFinal(run)) {
      await turn.finish();
      return undefined;
    }
    const isAway = [run, ...(run.deliveries ?? [])].some(({ awaySince }) => awaySince !== undefined);
    if (!isAway || !this.#triedAt.has(run.id)) this.#triedAt.set(run.id, this.#deps.clock.monotonic());
    using cancelled = watchCancelled(run.id, runs);
    try {
      return await this.#proceed(run, turn, AbortSignal.any([stop, cancelled.signal]));
    } catch (error) {
      // Who cancels a run writes it, so that whatever we wrote since was refused.
      const now = error instanceof LeaseLostError ? await runs.get(run.id) : undefined;
      if (now?.state !== 'cancelled') throw error;
      return this.#endCancelled(now, turn);
    }
  }

  async #proceed(run: Run, turn: Turn, stop: AbortSignal): Promise<Run | undefined> {
    if (run.work.kind === 'schedule' && this.#deps.config.schedules[run.work.schedule] === undefined)
      return this.#leave(run, run.work.schedule, turn);
    const { runs, clock, emit } = this.#deps;
    if (run.state === 'delivering') {
      // Also an entry that a kill has left in the queue of the export: only one queue may deliver.
      const queue = deliveryQueue(run.id);
      if (turn.queue === queue) return this.#deliver(run, turn, stop);
      await turn.putBack(run.notBefore, queue);
      return undefined;
    }
    // A kill while its file was being put away: that is all that is left to do.
    if (run.ending !== undefined) {
      delete run.error;
      return this.#settle(run, turn, run.ending.end);
    }
    const begun = clock.now();
    emit({ type: 'begun', run, takenOver: run.state === 'running', waitedMs: begun - run.notBefore });
    run.state = 'running';
    run.startedAt ??= begun;
    delete run.error;
    await runs.save(run);
    const work = async () =>
      run.work.kind === 'schedule'
        ? this.#export(run, turn, stop)
        : importInHand(run, turn, stop, await this.#outDir(run), this.#deps);
    const end = await work().catch((error: unknown) => endOfFailure(error, stop));
    if (end === undefined) return this.#toDelivery(run, turn);
    return this.#settle(run, turn, end);
  }

  /** Its schedule may be in the configuration of another worker, which is newer than ours. */
  async #leave(run: Run, schedule: string, turn: Turn): Promise<undefined> {
    this.#left.add(run.id);
    this.#deps.emit({
      type: 'warning',
      message: `${run.id} is left to other workers: the schedule ${schedule} is not in this configuration. If it is in none: shelflift jobs cancel ${run.id}`,
    });
    await turn.putBack(run.notBefore);
  }

  /** undefined where a file was made that is to be delivered. */
  async #export(run: Run, turn: Turn, stop: AbortSignal): Promise<RunEnd | undefined> {
    const { config, profiles, spool, emit } = this.#deps;
    if (run.work.kind !== 'schedule') throw new Error(`${run.id} is no schedule's`);
    // A kill after its file was in its place: made again, it would replace that with what changed since.
    if (run.told !== undefined) return placedEnd(run);
    const { schedule: name, fire, previous } = run.work;
    const schedule = config.schedules[name];
    const client = profiles.ofLane(turn.lane);
    if (schedule === undefined || client === undefined) {
      const message = `the schedule ${name} is not in the configuration any more`;
      return { kind: 'failed', exitCode: ExitCode.usage, error: { code: 'no_such_schedule', message } };
    }
    const delivered = schedule.deliver.length > 0;
    const result = await runTask(schedule.task, {
      client,
      run: run.id,
      values: this.#deps.ledger.values,
      signal: stop,
      period: { start: previous, end: fire, timeZone: schedule.timeZone },
      workFolder: delivered ? spool.folder(run.id) : undefined,
      configFolder: config.folder,
      onEvent: (event) => emit({ type: 'export', run, event }),
    });
    if ('end' in result) return result.end;
    const { made } = result;
    run.rows = made.rows;
    if (!delivered) {
      run.files = made.files;
      if (made.told !== undefined) {
        run.told = made.told;
        await this.#deps.runs.save(run);
      }
      return placedEnd(run);
    }
    try {
      if (spool.shared) for (const file of made.files) await spool.put(run.id, file);
    } catch (error) {
      if (made.told !== undefined) await settleChanges(this.#deps.ledger.values, made.told, false);
      throw error;
    }
    if (made.told !== undefined) run.told = made.told;
    run.artefact = { name: made.name, files: made.files.map((file) => basename(file)), sha256: made.sha256 };
    run.deliveries = schedule.deliver.map((each) => ({ to: describeDelivery(each), done: false, tries: 0 }));
    return undefined;
  }

  /** Beside the file that was submitted, where that folder is on this machine; else in the spool. */
  async #outDir(run: Run): Promise<string> {
    const wanted = run.work.kind === 'import' ? run.work.request.outDir : undefined;
    const there = wanted !== undefined && (await stat(wanted).catch(() => undefined))?.isDirectory() === true;
    return there ? wanted : this.#deps.spool.folder(run.id);
  }

  /** A file of changes whose run had ended is made again where a later one has told what it holds. */
  async #isCurrent({ id, told, deliveries = [] }: Run): Promise<boolean> {
    if (told === undefined || deliveries.every(({ done }) => done)) return true;
    return takeUpChanges(this.#deps.ledger.values, told, id);
  }

  /** Whatever a run has told counts, once it is sure to be at its readers. */
  async #settleTold({ told }: Run, delivered: boolean): Promise<void> {
    if (told !== undefined) await settleChanges(this.#deps.ledger.values, told, delivered);
  }

  /** The key is free for the next run while a file is on its way. */
  async #toDelivery(run: Run, turn: Turn): Promise<Run> {
    const { clock } = this.#deps;
    run.state = 'delivering';
    run.notBefore = clock.now();
    await this.#putBack(run, turn, deliveryQueue(run.id));
    return run;
  }

  async #putBack(run: Run, turn: Turn, queue?: string): Promise<void> {
    await this.#deps.runs.save(run);
    // Another machine may go on, and would not clean up here. In our turn: nobody else uses the folder now.
    if (run.ending === undefined) await this.#deps.spool.release(run.id);
    await turn.putBack(run.notBefore, queue);
  }

  async #deliver(run: Run, turn: Turn, stop: AbortSignal): Promise<Run> {
    const { clock, ledger, tries, emit } = this.#deps;
    if (!(await this.#isCurrent(run))) {
      const message = `${run.id} is made again: a later file has told its changes meanwhile`;
      emit({ type: 'warning', message });
      forgetFile(run);
      run.state = 'queued';
      await this.#putBack(run, turn, run.queue);
      return run;
    }
    const around = { ...this.#deps, values: ledger.values, hold: () => turn.hold(), stop };
    const end = await deliverRun(run, around).catch((error: unknown) => endOfFailure(error, stop));
    if (end !== undefined) return this.#settle(run, turn, end);
    const now = clock.now();
    const waiting = (run.deliveries ?? []).filter((each) => !each.done && each.tries < tries);
    const wait = ({ awaySince, tries: tried }: DeliveryState) =>
      awaySince === undefined ? this.#backoff(tried) : this.#outageWait(run, awaySince, now);
    run.notBefore = now + (stop.aborted ? 0 : Math.max(...waiting.map(wait)));
    run.exitCode = stop.aborted ? ExitCode.interrupted : ExitCode.parked;
    await this.#putBack(run, turn);
    for (const { to, awaySince = now, error } of waiting)
      if (now - awaySince >= REPORTED_AFTER_MS) await this.#tell(run, `${to}: ${error ?? ''}`);
    return run;
  }

  async #settle(run: Run, turn: Turn, ended: RunEnd): Promise<Run> {
    const { runs, clock, emit, tries } = this.#deps;
    const now = clock.now();
    const notice = ended.kind === 'done' ? ended.notice : undefined;
    if (notice !== undefined) run.warnings = [...new Set([...(run.warnings ?? []), notice])];
    const { awaySince } = run;
    let end = this.#counted(run, ended, now);
    const puttingAway = await this.#putAway(run, end);
    // That its file cannot be put away is an outage like any other, which began with the first try.
    if (puttingAway !== end && awaySince !== undefined) run.awaySince = awaySince;
    if (puttingAway !== end) end = this.#counted(run, puttingAway, now);
    run.exitCode = end.exitCode;
    if (end.error !== undefined) run.error = end.error;
    else if (end.kind === 'done') delete run.error;
    if ('rows' in end && end.rows !== undefined) run.rows = end.rows;
    if ('files' in end && end.files !== undefined) run.files = end.files;
    if (end.kind === 'error') run.tries += 1;
    if (end.kind === 'later' || end.kind === 'away' || (end.kind === 'error' && run.tries < tries)) {
      // What was made is never made again.
      if (run.state !== 'delivering') run.state = 'queued';
      const since = run.awaySince ?? now;
      const wait = end.kind === 'away' ? this.#outageWait(run, since, now) : this.#backoff(run.tries);
      run.notBefore = now + (end.kind === 'later' ? end.afterMs : wait);
      await this.#putBack(run, turn);
      if (end.kind === 'away' && now - since >= REPORTED_AFTER_MS) await this.#tell(run, end.error.message);
    } else {
      const poison = end.kind === 'error' || (end.kind === 'failed' && run.tries >= tries);
      run.state = end.kind === 'done' ? 'done' : poison ? 'parked_poison' : 'failed';
      run.endedAt = now;
      delete run.ending;
      // Before the run is final: nobody looks at it again after that.
      await this.#settleTold(run, run.state === 'done');
      if (run.state === 'done') delete run.told;
      await runs.save(run);
      this.#triedAt.delete(run.id);
      // What is parked may be revived: what it needs for that stays; a dropped file is put away.
      const isKept =
        run.state === 'parked_poison' && !(run.work.kind === 'import' && 'claimed' in run.work.source);
      if (!isKept) await this.#clearSpool(run, run.files ?? []);
      await turn.finish();
      await this.#tell(run, run.error?.message ?? 'it works again');
      if (notice !== undefined && run.work.kind === 'import')
        await this.#deps.report(run.id, `${fileOf(run.work.source)}: ${notice}`);
    }
    emit({ type: 'ended', run, seconds: (now - (run.startedAt ?? now)) / 1000 });
    return run;
  }

  /** A claimed file leaves processing/ before its run is final: a kill in between moves it again. */
  async #putAway(run: Run, end: RunEnd): Promise<RunEnd> {
    if (run.work.kind !== 'import' || !('claimed' in run.work.source)) return end;
    const last = end.kind === 'error' && run.tries + 1 >= this.#deps.tries;
    if (end.kind !== 'done' && end.kind !== 'failed' && !last) return end;
    const which = end.kind === 'done' ? 'done' : 'failed';
    try {
      const outDir = await this.#outDir(run);
      return await putAwayRun(run, run.work.source, { which, end, outDir }, this.#deps);
    } catch (error) {
      return endOfFailure(error);
    }
  }

  /** What it had sent or delivered stays; its file is put away with what is known of its rows. */
  async #endCancelled(run: Run, turn: Turn): Promise<Run> {
    const { ledger, runs, emit, clock } = this.#deps;
    try {
      const claimed =
        run.work.kind === 'import' && 'claimed' in run.work.source ? run.work.source : undefined;
      const isAway = claimed !== undefined && run.ending === undefined && !existsSync(claimed.claimed);
      await this.#settleTold(run, false);
      await endJobOf(run, ledger, clock);
      if (claimed !== undefined && !isAway) {
        const error = { code: 'cancelled', message: 'it was cancelled: what was sent before stays' };
        const end: RunEnd = { kind: 'failed', exitCode: ExitCode.rows, error };
        const outDir = await this.#outDir(run);
        run.files = (await putAwayRun(run, claimed, { which: 'failed', end, outDir }, this.#deps)).files;
        delete run.ending;
        await runs.save(run);
      }
      await this.#clearSpool(run, run.files ?? []);
    } catch (error) {
      if (isOfStore(error)) throw error;
      emit({ type: 'warning', message: `${run.id} is cancelled: ${(error as Error).message}` });
    }
    await turn.finish();
    emit({ type: 'ended', run, seconds: ((run.endedAt ?? 0) - (run.startedAt ?? run.endedAt ?? 0)) / 1000 });
    return run;
  }

  /** Results of a submitted file stay in the spool where its own folder is not on this machine. */
  async #clearSpool({ id }: Run, files: readonly string[]): Promise<void> {
    const { spool } = this.#deps;
    const spooled = spool.folder(id);
    if (!files.some((file) => file.startsWith(spooled))) await spool.remove(id);
  }

  /** An outage that has lasted for days is an error like any other. */
  #counted(run: Run, end: RunEnd, now: number): RunEnd {
    if (end.kind === 'later') return end;
    if (end.kind !== 'away') {
      delete run.awaySince;
      return end;
    }
    run.awaySince ??= now;
    return now - run.awaySince < this.#deps.config.retries.outage ? end : { ...end, kind: 'error' };
  }

  /** With `--once` the run is left after a while, to whoever is started next. */
  #outageWait(run: Run, since: number, now: number): number {
    const { backoffMs, config, clock, outagePatienceMs } = this.#deps;
    if (outagePatienceMs === Number.POSITIVE_INFINITY) return outageWait(since, now, backoffMs);
    const met = clock.monotonic() - (this.#triedAt.get(run.id) ?? 0);
    if (met + backoffMs < outagePatienceMs) return Math.min(Math.max(met, backoffMs), outagePatienceMs - met);
    this.#left.add(run.id);
    return outageWait(since, now, config.retries.backoff);
  }

  /** True where this worker waits for the run no more. */
  hasLeft(runId: string): boolean {
    return this.#left.has(runId);
  }

  async #tell(run: Run, message: string): Promise<void> {
    const subject = subjectOf(run);
    if (subject !== undefined) await this.#deps.notify(subject, run.state !== 'done', message);
  }

  #backoff(tries: number): number {
    return Math.min(this.#deps.backoffMs * 2 ** Math.max(0, tries - 1), LONGEST_BACKOFF_MS);
  }
}

/** Of a file that is made in its place. */
function placedEnd({ rows = 0, files = [] }: Run): RunEnd {
  return { kind: 'done', exitCode: ExitCode.ok, rows, files };
}

/** What failed around a run counts as its own end; but what fails in the store, no run can tell the store. */
function endOfFailure(error: unknown, stop?: AbortSignal): RunEnd {
  if (isOfStore(error)) throw error;
  return endOf(error, stop?.aborted === true);
}

/** What notifications are about; a single submitted file is nobody's routine. */
function subjectOf({ work }: Run): string | undefined {
  if (work.kind === 'schedule') return `schedule ${work.schedule}`;
  return 'folder' in work.source ? `folder ${work.source.folder}` : undefined;
}
