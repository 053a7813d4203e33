/** Makes the deliveries of one run. Each has its own tries and is recorded before the next one begins. */
import { ExitCode } from '../../base/exit-code.ts';
import type { Clock } from '../../base/clock.ts';
import { UsageError } from '../../base/errors.ts';
import { message } from '../../messages/message.ts';
import { hashFile } from '../../sheets/hash-file.ts';
import type { KeyValues } from '../../ledger/key-values.ts';
import type { ReadConfig } from '../config/read-config.ts';
import type { Delivery, Schedule } from '../config/schema.ts';
import type { EmitWorker } from '../events.ts';
import type { CommandOf } from '../notify/advice.ts';
import { defined } from '../../base/defined.ts';
import { type DeliveryState, failedDeliveries, type Run } from '../queue/run.ts';
import type { Runs } from '../queue/runs.ts';
import { damaged, type Spool } from '../queue/spool.ts';
import { madeEnd, type RunEnd, runError } from '../tasks/end.ts';
import { nameFor } from './change-files.ts';
import {
  deliver,
  describeDelivery,
  lookAt,
  placeInFolder,
  placeOf,
  RefusedRecipientsError,
} from './deliver.ts';
import { isAway } from '../outage.ts';
import { plainWords, reasonOf } from '../remote/plain-words.ts';
import type { ConnectionContext } from '../remote/connection-context.ts';
import type { Parcel } from './parcel.ts';
import { Retention } from './retention.ts';

export interface DeliverySurroundings {
  config: ReadConfig;
  values: KeyValues;
  runs: Runs;
  spool: Spool;
  context: ConnectionContext;
  emit: EmitWorker;
  clock: Clock;
  /** Maximum tries of each delivery. */
  tries: number;
  /** Called before each delivery. @throws LeaseLostError if another worker has taken the run over */
  hold: () => Promise<void>;
  /** How e-mails write the command of an action. */
  command: CommandOf | undefined;
  /** When aborted, the current delivery ends without counting as a try. */
  stop: AbortSignal;
}

/**
 * @returns how the run ended; undefined if a delivery has to be retried
 * @throws ShelfliftError `spool_damaged`, `lease_lost`, and errors of the store
 */
export async function deliverRun(run: Run, around: DeliverySurroundings): Promise<RunEnd | undefined> {
  const { config, tries, stop } = around;
  if (run.work.kind !== 'schedule') throw new Error(`${run.id} is no schedule's`);
  const { schedule: name, fire, previous } = run.work;
  const schedule = config.schedules[name];
  const { artefact } = run;
  const files = await filesOf(run, around.spool);
  if (schedule === undefined || artefact === undefined || files.length === 0) {
    return {
      kind: 'failed',
      exitCode: ExitCode.usage,
      error: runError('spool_missing', message('file_gone', {})),
    };
  }
  const deliveries = corrected(run.deliveries ?? [], schedule);
  run.deliveries = deliveries;
  const now = around.clock.now();
  // A worker that ends soon does not wait for what it finds waiting.
  const isEarly = now < run.notBefore;
  const isDue = ({ notBefore = 0 }: DeliveryState) => isEarly || notBefore <= now;
  const period = { start: previous, end: fire, timeZone: schedule.timeZone };
  for (const [index, state] of deliveries.entries()) {
    if (state.done || state.tries >= tries || !isDue(state)) continue;
    delete state.notBefore;
    await around.hold();
    const key = `${run.id} ${index} ${artefact.sha256}`;
    const contact = config.notify?.email?.join(', ');
    const { name: as = artefact.name } = state;
    const parcel: Parcel = {
      name: as,
      files,
      key,
      schedule: name,
      period,
      contact,
      reached: state.reached,
    };
    await tryOnce(run, { state, parcel, schedule, delivery: deliveryOf(schedule, state, index) }, around);
    if (stop.aborted && !state.done) return undefined;
  }
  const open = deliveries.filter((each) => !each.done);
  if (open.length === 0) return madeEnd(run);
  if (open.some((each) => each.tries < tries)) return undefined;
  run.tries = tries;
  const said = message('deliveries_failed', { problems: failedDeliveries(run) });
  return { kind: 'failed', exitCode: ExitCode.parked, error: runError('delivery_failed', said) };
}

async function filesOf({ id, artefact }: Run, spool: Spool): Promise<string[]> {
  const files: string[] = [];
  for (const each of artefact?.files ?? []) {
    const file = await spool.fetch(id, each);
    if (file !== undefined) files.push(file);
  }
  const [first] = files;
  if (first !== undefined && (await hashFile(first)) !== artefact?.sha256)
    throw damaged(artefact?.name ?? first);
  return files;
}

/**
 * If the configuration has replaced a target, waiting deliveries go to its replacement. Added targets apply to later
 * runs. A target that was only removed counts as a failure, so that somebody notices.
 */
function corrected(deliveries: readonly DeliveryState[], schedule: Schedule): DeliveryState[] {
  const targets = schedule.deliver.map(describeDelivery);
  const added = targets.filter((to) => !deliveries.some((each) => each.to === to));
  return deliveries.map((state) => {
    const to = state.done || targets.includes(state.to) ? undefined : added.shift();
    return to === undefined ? state : { to, done: false, tries: 0, ...defined({ reached: state.reached }) };
  });
}

/**
 * Prefers the delivery at the same position, because two may have the same description and the configuration may
 * change.
 */
function deliveryOf(schedule: Schedule, { to }: DeliveryState, index: number): Delivery | undefined {
  const meant = (each: Delivery | undefined) => each !== undefined && describeDelivery(each) === to;
  return [schedule.deliver[index], ...schedule.deliver].find(meant);
}

/** The parcel, under another name if a file of changes would replace another one. */
async function named(
  parcel: Parcel,
  {
    run,
    state,
    delivery,
    schedule,
  }: { run: Run; state: DeliveryState; delivery: Delivery; schedule: Schedule },
  { values, runs, context, stop }: Pick<DeliverySurroundings, 'values' | 'runs' | 'context' | 'stop'>,
): Promise<Parcel> {
  const { name: wanted = parcel.name } = run.artefact ?? {};
  if (placeOf(delivery, wanted, context) === undefined) return parcel;
  const isChanges = run.told !== undefined || schedule.task.changedSinceLast !== undefined;
  const name = await nameFor(
    {
      run: run.id,
      isChanges,
      name: wanted,
      placeOf: (each) => placeOf(delivery, each, context) ?? '',
      before: state.name,
    },
    { values, runs },
    (choose) => lookAt(delivery, wanted, { context, values, signal: stop }, choose),
  );
  if (name === state.name) return { ...parcel, name };
  if (name !== wanted) run.renamed = message('file_renamed', { name: wanted, as: name });
  if (isChanges) {
    state.name = name;
    await runs.save(run);
  }
  return { ...parcel, name };
}

async function tryOnce(
  run: Run,
  {
    state,
    parcel: given,
    schedule,
    delivery,
  }: { state: DeliveryState; parcel: Parcel; schedule: Schedule; delivery: Delivery | undefined },
  { config, values, runs, context, emit, stop, clock, command }: DeliverySurroundings,
): Promise<void> {
  const fire = run.work.kind === 'schedule' ? run.work.fire : run.createdAt;
  const { retention } = schedule;
  try {
    if (delivery === undefined) throw new UsageError('no_such_schedule', message('delivery_gone', {}));
    emit({ type: 'delivering', run, to: state.to });
    const parcel = await named(given, { run, state, delivery, schedule }, { values, runs, context, stop });
    const target = placeInFolder(delivery, parcel, context);
    const kept =
      target === undefined || retention === undefined
        ? undefined
        : new Retention(values, `${parcel.schedule} ${state.to}`);
    if (target !== undefined) await kept?.expect(target, fire);
    await deliver(delivery, parcel, { context, values, command }, stop);
    state.done = true;
    delete state.error;
    delete state.said;
    delete state.actions;
    delete state.awaySince;
    if (target !== undefined) run.files = [...(run.files ?? []), target];
    emit({ type: 'delivered', run, to: state.to });
    if (target !== undefined && retention !== undefined)
      await kept
        ?.keepNewest(target, fire, retention.keep)
        .catch((error: unknown) =>
          emit({ type: 'warning', message: `old files of ${parcel.schedule}: ${(error as Error).message}` }),
        );
  } catch (error) {
    if (stop.aborted) return;
    const now = clock.now();
    const since = isAway(error) ? (state.awaySince ?? now) : undefined;
    if (since === undefined || now - since >= config.retries.outage) state.tries += 1;
    if (since === undefined) delete state.awaySince;
    else state.awaySince = since;
    Object.assign(state, reasonOf(error));
    if (error instanceof RefusedRecipientsError) {
      state.reached = error.sent.reached;
      state.lacking = error.sent.refused;
    }
    state.error = plainWords(error);
    emit({ type: 'delivery_failed', run, to: state.to, message: state.error });
  }
  await runs.save(run);
}
