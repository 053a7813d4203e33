/**
 * Judges every change of an item against the server's own log: a job changes what its rows name and nothing else, makes
 * a value of the one that the item has at that moment, makes it once, and takes back only its own; and whoever is told
 * that nothing is wrong finds it so.
 */
import type { Change, Ended, Fields, Given, TimedHistory, TimedJob, TimedRequest } from './history.ts';

/** The API has no conditional write: what another person does between the last look and the request is not seen, ms. */
const LAST_LOOK_MS = 5_000;
/** What is sent whole is read so long before it is sent at most; what the server has shown meanwhile may go unused, ms. */
const JUST_READ_MS = 1_100;
/** An undo marks the items that it archives with this. */
const MARK = 'custom_fields.shelflift_undone';

/** @returns what went against the promise; nothing if all is well */
export function judgeChanges(history: TimedHistory): string[] {
  const jobs = new Map(history.jobs.map((job) => [job.id, job]));
  const log = history.changes.map((change): Logged => {
    const asked = history.requests[change.request ?? -1];
    const job = jobs.get(asked?.job ?? '');
    return { ...change, ...(asked === undefined || job === undefined ? {} : { by: { job, asked } }) };
  });
  return [...new Changes(log, jobs).wrong, ...wrongEnds(history.ends, jobs, log)];
}

/** A change, and who made it: another person, if nobody is named. */
interface Logged extends Change {
  by?: By;
}

interface By {
  job: TimedJob;
  asked: TimedRequest;
}

/** A field of an item that a job has changed. */
interface Written extends Difference, By {
  item: string;
  /** Another person wrote it after the last look, or was to be overwritten. */
  isMeant: boolean;
}

/** Each change in the log, one after the other. */
class Changes {
  readonly wrong: string[] = [];
  readonly #log: readonly Logged[];
  readonly #jobs: ReadonlyMap<string, TimedJob>;
  /** Jobs whose raises of an item's value are in effect. */
  readonly #raises = new Map<string, Set<TimedJob>>();
  /** Items that a job has changed. */
  readonly #changed = new Map<TimedJob, Set<string>>();

  constructor(log: readonly Logged[], jobs: ReadonlyMap<string, TimedJob>) {
    this.#log = log;
    this.#jobs = jobs;
    const writings = new Map<string, Logged>();
    for (const change of log) {
      const { item, by, before, after } = change;
      if (by !== undefined && before === undefined) this.#checkCreate(change, by);
      if (by !== undefined && before !== undefined) {
        this.#checkKey(change, by, writings);
        this.#checkConsent(change, by);
      }
      for (const difference of differences(before, after)) {
        const place = `${item} ${difference.field}`;
        const over = writings.get(place);
        writings.set(place, change);
        if (by === undefined && difference.field === VALUE) this.#raises.delete(item);
        if (by === undefined || before === undefined) continue;
        const isUnseen = over !== undefined && over.by === undefined && isSinceLook(over.at, by.asked);
        const isMeant = isUnseen || by.asked.overwrites === true;
        const written = { ...difference, ...by, item, isMeant };
        if (by.job.undoes !== undefined) this.#checkUndo(written);
        else if (by.job.given !== undefined) this.#checkRow(written);
      }
    }
  }

  /** A row that stands for one thing is sent only while the thing is not there. */
  #checkCreate({ item, after }: Logged, { job, asked }: By): void {
    const { name } = after;
    if (job.given?.some((row) => row.once === true && row.fields['name'] === name) !== true) return;
    const before = aliveAt(name, job.begunAt, this.#log);
    const there = aliveAt(name, asked.at, this.#log).find(
      (other) => other !== item && before.includes(other),
    );
    if (there !== undefined) this.wrong.push(`job ${job.id} made ${text(name)} again: ${there} was there`);
  }

  /** A row changes the item that has its key. */
  #checkKey({ item, before = {} }: Logged, { job, asked }: By, writings: ReadonlyMap<string, Logged>): void {
    for (const { key } of rowsOf(job, item)) {
      if (key === undefined || isAlike(flat(before).get(key.field), key.value)) continue;
      const over = writings.get(`${item} ${key.field}`);
      const age = Math.max(asked.recheckMs ?? 0, LAST_LOOK_MS);
      if (over === undefined || asked.overwrites === true || isSinceLook(over.at, asked, age)) continue;
      this.wrong.push(
        `job ${job.id} changed ${item} for the key ${key.value}, which is ${text(flat(before).get(key.field))} since ${over.at}`,
      );
    }
  }

  /** So many items and no more are changed without a question. */
  #checkConsent({ item }: Logged, { job, asked }: By): void {
    if (asked.agreed === true || asked.mostChanges === undefined || job.undoes !== undefined) return;
    const changed = this.#changed.get(job) ?? new Set();
    this.#changed.set(job, changed.add(item));
    if (changed.size === asked.mostChanges + 1)
      this.wrong.push(
        `job ${job.id} changed more than ${asked.mostChanges} items, and nobody has agreed to that`,
      );
  }

  #checkRow(written: Written): void {
    const { item, field, was, is, job, asked, isMeant } = written;
    const rows = rowsOf(job, item).filter((row) => names(row, field));
    if (rows.length === 0 && !isMeant) this.wrong.push(`${nameOf(written)}: no row of it names that`);
    const raises = field === VALUE ? rows.filter((row) => row.value !== undefined) : [];
    const [first] = raises;
    if (first === undefined) return;
    if (!isMeant && !raises.some((row) => isNear(raised(was, row), is)))
      this.wrong.push(`${nameOf(written)}: not ${raises.map(ruleOf).join(' or ')}`);
    const inEffect = this.#raises.get(item) ?? new Set();
    const equal = [...inEffect].find((each) =>
      rowsOf(each, item).some((row) => ruleOf(row) === ruleOf(first)),
    );
    if (equal === job || (equal !== undefined && asked.agreed !== true))
      this.wrong.push(`${nameOf(written)}, for the second time: job ${equal.id} did so before`);
    this.#raises.set(item, inEffect.add(job));
  }

  /** A field gets a value back that the undone job has found there; or the item that it made is archived. */
  #checkUndo(written: Written): void {
    const { item, field, is, job } = written;
    const [undone, ...further] = this.#undoneBy(job);
    if (field === VALUE) {
      const root = further.at(-1) ?? undone;
      const raises = this.#raises.get(item);
      // The undo of an undo makes the raise again.
      if (root !== undefined) raises?.[further.length % 2 === 0 ? 'delete' : 'add'](root);
    }
    const own = this.#log.filter((each) => each.item === item && each.by?.job === undone);
    const isMade = own.some((each) => each.before === undefined);
    if (isMade && (field === MARK || (field === 'status' && is === 'archived'))) return;
    // What a person has done to the item since the job may have looked at it last, the job has not seen.
    const unseen = own.flatMap(({ at, by }) => {
      const since = (by?.asked.at ?? at) - Math.max(by?.asked.recheckMs ?? 0, LAST_LOOK_MS);
      return this.#log.filter(
        (each) => each.item === item && each.by === undefined && each.at >= since && each.at <= at,
      );
    });
    const found = [...own, ...unseen].flatMap(({ before, after }) =>
      before === undefined ? [] : differences(before, after),
    );
    if (!found.some((each) => each.field === field && text(each.was) === text(is)))
      this.wrong.push(`${nameOf(written)}: job ${undone?.id} has not found it so`);
  }

  /** The job that an undo undoes, and what that undoes, and so on. */
  #undoneBy({ undoes }: TimedJob): TimedJob[] {
    const undone = this.#jobs.get(undoes ?? '');
    return undone === undefined ? [] : [undone, ...this.#undoneBy(undone)];
  }
}

/** Whoever is told that nothing is wrong finds each row done. */
function wrongEnds(
  ends: readonly Ended[],
  jobs: ReadonlyMap<string, TimedJob>,
  log: readonly Logged[],
): string[] {
  return ends.flatMap((end) => {
    const job = jobs.get(end.job);
    const isOver = end.state === 'done' || end.state === 'already_applied';
    if (end.exitCode !== 0 || !isOver || job === undefined) return [];
    const what = `job ${job.id} ended with 0 (${end.state}) at ${end.at}`;
    if (end.open > 0) return [`${what}, and ${end.open} rows of it are open`];
    if (end.doubles > 0) return [`${what}, and names ${end.doubles} doubles`];
    // A resume of what has ended tells its end again, whatever has become of it since.
    if (ends.some((each) => each.job === end.job && each.state === 'done' && each.at <= end.begunAt))
      return [];
    const until = log.filter(({ at }) => at <= end.at);
    if (job.undoes !== undefined)
      return keptBy(job, jobs, until).map((item) => `${what}, and has left ${item}`);
    return (job.given ?? [])
      .filter((row) => !isDone(row, job, end, until) && !isAwaited(row, end, jobs, ends))
      .map(({ item, fields }) => `${what}, and ${item ?? text(fields['name'])} is not as it was to be`);
  });
}

/** Items that are still as the undone job has made them. */
function keptBy(undo: TimedJob, jobs: ReadonlyMap<string, TimedJob>, log: readonly Logged[]): string[] {
  const undone = jobs.get(undo.undoes ?? '');
  const items = new Set(log.filter(({ by }) => by?.job === undone).map(({ item }) => item));
  return [...items].filter((item) => {
    if (undo.undoesRows !== undefined) {
      const rows = undone?.claims.filter((claim) => claim.item === item).map(({ row }) => row) ?? [];
      if (!rows.some((row) => undo.undoesRows?.includes(row))) return false;
    }
    const own = log.filter((each) => each.item === item);
    // Removed by a person, or given back by an undo of this undo.
    if (own.some(({ removed }) => removed === true) || own.at(-1)?.by?.job.undoes === undo.id) return false;
    const isMade = own.some((each) => each.by?.job === undone && each.before === undefined);
    if (isMade) return own.at(-1)?.after['status'] !== 'archived';
    const last = new Map(
      own.flatMap(({ by, before, after }) =>
        differences(before, after).map(({ field }) => [field, by?.job] as const),
      ),
    );
    return [...last.values()].includes(undone);
  });
}

/** The item has had what the row wants, at some moment since the job began; or is there, if the row stands for one. */
function isDone(row: Given, job: TimedJob, end: Ended, log: readonly Logged[]): boolean {
  if (row.once === true) {
    const from = end.state === 'done' ? job.begunAt : end.begunAt;
    const moments = log.filter(({ at }) => at > from).map(({ at }) => at);
    return [from, ...moments].some((at) => aliveAt(row.fields['name'], at, log).length > 0);
  }
  if (row.kind !== 'update' || row.item === undefined || end.state !== 'done') return true;
  const changes = log.filter((each) => each.item === row.item);
  const since = changes.filter(({ at }) => at > job.begunAt);
  const states = [...changes.filter(({ at }) => at <= job.begunAt).slice(-1), ...since].map(({ after }) =>
    flat(after),
  );
  const isRaised =
    row.value === undefined ||
    since.some(
      ({ by, before, after }) =>
        by?.job === job && differences(before, after).some(({ field }) => field === VALUE),
    );
  const wanted = [...flat(row.fields), ...(row.tags?.add ?? []).map((tag) => [`tags.${tag}`, true] as const)];
  return (
    isRaised && wanted.every(([field, value]) => states.some((state) => isAlike(state.get(field), value)))
  );
}

/** A server may write brands in capitals. */
function isAlike(stored: unknown, given: unknown): boolean {
  return text(stored).toLowerCase() === text(given).toLowerCase();
}

/** Another job has the row, and has not ended by then. */
function isAwaited(
  { once, fields }: Given,
  end: Ended,
  jobs: ReadonlyMap<string, TimedJob>,
  ends: readonly Ended[],
): boolean {
  if (once !== true) return false;
  return [...jobs.values()].some(
    ({ id, begunAt, given = [] }) =>
      id !== end.job &&
      begunAt <= end.at &&
      given.some((row) => row.once === true && row.fields['name'] === fields['name']) &&
      !ends.some((each) => each.job === id && each.at <= end.at && OVER.has(each.state)),
  );
}

const OVER = new Set(['done', 'cancelled']);

/** Items of a name that were there at a moment, and not undone. */
function aliveAt(name: unknown, moment: number, log: readonly Logged[]): string[] {
  const states = new Map<string, Fields>();
  for (const { item, at, after } of log) if (at <= moment && after['name'] === name) states.set(item, after);
  return [...states].filter(([, state]) => !flat(state).has(MARK)).map(([item]) => item);
}

function isSinceLook(at: number, { shownAt, at: sentAt }: TimedRequest, ageMs = LAST_LOOK_MS): boolean {
  if (at >= sentAt - JUST_READ_MS) return true;
  return shownAt !== undefined && at >= shownAt && sentAt - shownAt <= ageMs;
}

/** The rows of a job for an item. */
function rowsOf({ given = [], claims }: TimedJob, item: string): Given[] {
  return given.filter((row, index) => (row.item ?? claims[index]?.item) === item);
}

function names({ fields, value, tags }: Given, field: string): boolean {
  const tag = field.startsWith('tags.') ? field.slice('tags.'.length) : undefined;
  const isTag =
    tag !== undefined && (tags?.add.includes(tag) === true || tags?.remove.includes(tag) === true);
  return flat(fields).has(field) || (field === VALUE && value !== undefined) || isTag;
}

const VALUE = 'estimated_value';

function raised(was: unknown, { value }: Given): number {
  const from = Number(was);
  if (value?.sign === '*=') return from * value.by;
  return value?.sign === '-=' ? from - value.by : from + (value?.by ?? 0);
}

/** Amounts have two places. */
function isNear(amount: number, value: unknown): boolean {
  return Math.abs(amount - Number(value)) < 0.011;
}

function ruleOf({ value }: Given): string {
  return `${value?.sign}${value?.by}`;
}

function nameOf({ item, field, was, is, job }: Written): string {
  return `job ${job.id} made ${field} of ${item} ${text(is)}, which was ${text(was)}`;
}

interface Difference {
  field: string;
  was: unknown;
  is: unknown;
}

function differences(before: Fields = {}, after: Fields): Difference[] {
  const [was, is] = [flat(before), flat(after)];
  return [...new Set([...was.keys(), ...is.keys()])]
    .map((field) => ({ field, was: was.get(field), is: is.get(field) }))
    .filter((each) => text(each.was) !== text(each.is));
}

/** Custom fields and tags are fields of their own; what the server writes by itself is left out. */
function flat(fields: Fields): Map<string, unknown> {
  return new Map(
    Object.entries(fields).flatMap(([field, value]): [string, unknown][] => {
      if (field === 'updated_at') return [];
      if (field === 'tags') return (value as string[]).map((tag) => [`tags.${tag}`, true]);
      if (field !== 'custom_fields') return [[field, value]];
      return Object.entries(value as object).map(([name, each]) => [`custom_fields.${name}`, each]);
    }),
  );
}

function text(value: unknown): string {
  return JSON.stringify(value ?? null);
}
