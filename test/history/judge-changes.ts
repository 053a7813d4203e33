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
/** Items that are still somebody's. */
const OWNED = new Set(['keep', 'sell', 'trade']);
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
  return [...new Changes(log, jobs, history).wrong, ...wrongEnds(history.ends, jobs, log)];
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
  readonly #requests: readonly TimedRequest[];
  readonly #ends: readonly Ended[];
  /** Jobs whose raises of an item's value are in effect. */
  readonly #raises = new Map<string, Set<TimedJob>>();
  /** Items that a job has changed, and those that it has archived because its file lacks them. */
  readonly #changed = new Map<TimedJob, Set<string>>();
  readonly #archived = new Map<TimedJob, Set<string>>();

  constructor(log: readonly Logged[], jobs: ReadonlyMap<string, TimedJob>, { requests, ends }: TimedHistory) {
    this.#log = log;
    this.#jobs = jobs;
    this.#requests = requests;
    this.#ends = ends;
    const writings = new Map<string, Logged>();
    for (const change of log) {
      const { item, by, before, after } = change;
      if (by !== undefined && before === undefined) this.#checkCreate(change, by);
      if (by !== undefined && before !== undefined) {
        this.#checkKey(change, by, writings);
        this.#checkConsent(change, by);
        if (isMissing(item, by.job)) this.#checkMissing(change, by, writings);
      }
      for (const difference of differences(before, after)) {
        const place = `${item} ${difference.field}`;
        const over = writings.get(place);
        writings.set(place, change);
        if (by === undefined && difference.field === VALUE) this.#raises.delete(item);
        if (by === undefined || before === undefined) continue;
        const isUnseen = over !== undefined && over.by === undefined && isSinceLook(over.at, by.asked);
        const isMeant = isUnseen || by.asked.overwrites === true || by.asked.told !== undefined;
        const written = { ...difference, ...by, item, isMeant };
        // Sent whole, with the value that it had before.
        const isCarried =
          isUnseen &&
          /^(?:tags|custom_fields)\./.test(difference.field) &&
          differences(over.before, over.after).some(
            ({ field, was }) => field === difference.field && text(was) === text(difference.is),
          );
        if (by.job.undoes !== undefined) {
          if (!isCarried) this.#checkUndo(written);
        } else if (by.job.given !== undefined && !givesBack(written, over)) {
          this.#checkRow(written);
          this.#checkAge(written, over);
          this.#checkPlan(written, over);
        }
      }
    }
  }

  /** A row that stands for one thing is sent only while the thing is not there. */
  #checkCreate({ item, after }: Logged, { job, asked }: By): void {
    const { name } = after;
    const row = job.given?.find((row) => row.once === true && row.fields['name'] === name);
    if (row === undefined) return;
    const { collection_id: collection = after['collection_id'] } = row.fields;
    if (after['collection_id'] !== collection)
      this.wrong.push(`job ${job.id} made ${text(name)} in ${text(after['collection_id'])}`);
    const before = aliveAt(name, job.begunAt, this.#log);
    const there = aliveAt(name, asked.at, this.#log).find(
      (other) => other !== item && before.includes(other) && this.#madeAs(other) === thing(after),
    );
    if (there !== undefined) this.wrong.push(`job ${job.id} made ${text(name)} again: ${there} was there`);
  }

  /** A row that a person has edited before anything was made of it may have made another thing of this name. */
  #madeAs(item: string): string {
    const made = this.#log.find((each) => each.item === item && each.before === undefined);
    return thing(made?.after ?? {});
  }

  /** A row changes the item that has its key. */
  #checkKey({ item, before = {} }: Logged, { job, asked }: By, writings: ReadonlyMap<string, Logged>): void {
    for (const { key } of rowsOf(job, item)) {
      if (key === undefined || isAlike(flat(before).get(key.field), key.value)) continue;
      const over = writings.get(`${item} ${key.field}`);
      const age = Math.max(asked.recheckMs ?? 0, LAST_LOOK_MS);
      if (over === undefined || asked.overwrites === true || isSinceLook(over.at, asked, age)) continue;
      if (asked.told?.includes(key.field) === true) continue;
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

  /** What a file lacks is archived if it was there when the file was compared, and the file lacks it still. */
  #checkMissing(
    { item, before = {} }: Logged,
    { job, asked }: By,
    writings: ReadonlyMap<string, Logged>,
  ): void {
    const wrong = (what: string) => this.wrong.push(`job ${job.id} archived ${item} as missing, ${what}`);
    const isUnseen = (field: string) => {
      const over = writings.get(`${item} ${field}`);
      return over !== undefined && over.by === undefined && isSinceLook(over.at, asked);
    };
    const field = keyOf(job);
    const key = flat(before).get(field);
    if (!isUnseen(field)) {
      if (key === undefined) wrong('and it has no key');
      if (job.given?.some((row) => isAlike(row.key?.value, key)) === true)
        wrong(`and the file has ${text(key)}`);
    }
    if (!OWNED.has(String(before['status'])) && !isUnseen('status') && asked.overwrites !== true)
      wrong(`and it was ${text(before['status'])}`);
    const first = Math.min(
      ...this.#log.filter(({ by }) => by?.job === job).map(({ by }) => by?.asked.at ?? 0),
    );
    const made = this.#log.find((each) => each.item === item && each.before === undefined);
    if (made !== undefined && made.at > first) wrong(`and it was made at ${made.at}, after the plan`);
    const all = new Set(this.#log.filter(({ after }) => flat(after).has(field)).map((each) => each.item));
    const gone = this.#archived.get(job) ?? new Set();
    this.#archived.set(job, gone.add(item));
    if (gone.size * 100 > all.size * (job.archivesMissing?.most ?? 0))
      wrong(`with ${gone.size} of ${all.size}`);
    const open = job.claims.slice(0, job.given?.length).find(({ state }) => state === 'invalid');
    if (open !== undefined) wrong(`and row ${open.row} of the file is invalid`);
  }

  #checkRow(written: Written): void {
    const { item, field, was, is, job, asked, isMeant } = written;
    if (isMissing(item, job) && field === 'status' && is === 'archived') return;
    const rows = rowsOf(job, item).filter((row) => names(row, field));
    const isAsFile = job.overwrites === true && asOfIn(job, item) !== undefined;
    if (rows.length === 0 && !isMeant && !isAsFile)
      this.wrong.push(`${nameOf(written)}: no row of it names that`);
    if (asked.told === undefined && rows.some((row) => row.asks === true))
      this.wrong.push(`${nameOf(written)}: the row was sent before, and nobody has decided that`);
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

  /** Whether two files have the item in one state: nobody can tell which of them comes back. */
  #isEqual(item: string, ...moments: number[]): boolean {
    const [first, last] = [Math.min(...moments), Math.max(...moments)];
    return !this.#log.some((each) => each.item === item && each.at > first && each.at <= last);
  }

  /** A file that has items as they once were changes no value that its reader does not know. */
  #checkAge(written: Written, over: Logged | undefined): void {
    const { item, field, was, job, asked } = written;
    const asOf = asOfIn(job, item);
    if (
      asOf === undefined ||
      job.overwrites === true ||
      asked.overwrites === true ||
      asked.told !== undefined
    )
      return;
    const age = Math.max(asked.recheckMs ?? 0, LAST_LOOK_MS);
    if (over !== undefined && over.by === undefined && isSinceLook(over.at, asked, age)) return;
    const known = this.#log.filter(({ item: other, at, by }) => {
      if (other !== item) return false;
      const copy = by === undefined ? undefined : asOfIn(this.#undoneBy(by.job).at(-1) ?? by.job, item);
      return at <= asOf || (copy !== undefined && this.#isEqual(item, copy, asOf));
    });
    if (!known.some(({ after }) => text(flat(after).get(field)) === text(was)))
      this.wrong.push(`${nameOf(written)} since ${over?.at}, and its file is of ${asOf}`);
  }

  /** What a person has entered after the plan was shown stays, also in an item that the plan knew nothing of. */
  #checkPlan(written: Written, over: Logged | undefined): void {
    const { was, job, asked } = written;
    const plan = this.#ends.find(({ job: id, state }) => id === job.id && state === 'planned');
    if (plan === undefined || over === undefined || over.by !== undefined || isEmpty(was)) return;
    if (over.at <= Math.max(plan.at, job.mendedAt ?? 0)) return;
    if (asked.overwrites === true || asked.told !== undefined) return;
    if (isSinceLook(over.at, asked, Math.max(asked.recheckMs ?? 0, LAST_LOOK_MS))) return;
    this.wrong.push(`${nameOf(written)} since ${over.at}, and the plan was shown at ${plan.at}`);
  }

  /** A field gets a value back that the undone job has found there; or the item that it made is archived. */
  #checkUndo(written: Written): void {
    const { item, field, is, job, asked } = written;
    const [undone, ...further] = this.#undoneBy(job);
    if (field === VALUE) {
      const root = further.at(-1) ?? undone;
      const raises = this.#raises.get(item);
      // The undo of an undo makes the raise again.
      if (root !== undefined) raises?.[further.length % 2 === 0 ? 'delete' : 'add'](root);
    }
    const lost = this.#requests.filter(
      (each) => each.job === undone?.id && each.item === item && each.end.was === 'unknown',
    );
    const own = this.#log.filter(
      (each) =>
        each.item === item &&
        (each.by?.job === undone ||
          // An equal value that another person writes after a lost request cannot be told from the job's own.
          (each.by === undefined &&
            lost.some(({ at, body }) => at <= each.at && isWithin(body, each.after)))),
    );
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
    // Tags are one field: whoever overwrites it, gives it back as it was.
    if (asked.overwrites === true && field.startsWith('tags.')) return;
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
    if (end.exitCode !== 0 || job === undefined) return [];
    const what = `job ${job.id} ended with 0 (${end.state}) at ${end.at}`;
    if (end.open > 0) return [`${what}, and ${end.open} rows of it are open`];
    if (!isOver) return [];
    if (end.pending > 0) return [`${what}, and ${end.pending} rows of it are pending`];
    if (end.doubles > 0) return [`${what}, and names ${end.doubles} doubles`];
    // A resume of what has ended tells its end again, whatever has become of it since.
    if (ends.some((each) => each.job === end.job && each.state === 'done' && each.at <= end.begunAt))
      return [];
    const until = log.filter(({ at }) => at <= end.at);
    if (job.undoes !== undefined)
      return keptBy(job, jobs, until).map((item) => `${what}, and has left ${item}`);
    return [
      ...(job.given ?? [])
        .filter((row, index) => !isDone(row, index, job, end, until) && !isAwaited(row, end, jobs, ends))
        .map(({ item, fields }) => `${what}, and ${item ?? text(fields['name'])} is not as it was to be`),
      ...overtaken(job, end, until).map((item) => `${what}, and leaves ${item} to another job as unchanged`),
      ...leftBy(job, end, until).map((item) => `${what}, and its file lacks ${item}, which is there`),
    ];
  });
}

/** Items that are still as the undone job has made them. */
function keptBy(undo: TimedJob, jobs: ReadonlyMap<string, TimedJob>, log: readonly Logged[]): string[] {
  const undone = jobs.get(undo.undoes ?? '');
  const items = new Set(
    log.filter(({ by }) => by?.job === undone && by?.asked.forgotten !== true).map(({ item }) => item),
  );
  return [...items].filter((item) => {
    if (undo.undoesRows !== undefined) {
      const rows = undone?.claims.filter((claim) => claim.item === item).map(({ row }) => row) ?? [];
      if (!rows.some((row) => undo.undoesRows?.includes(row))) return false;
    }
    const own = log.filter((each) => each.item === item);
    // Removed by a person, or given back by an undo of this undo.
    if (own.some(({ removed }) => removed === true) || own.at(-1)?.by?.job.undoes === undo.id) return false;
    // A person has taken it out of the archive since the undo began, which may have found it there.
    const isTheirs = own.at(-1)?.by === undefined && (own.at(-1)?.at ?? 0) >= undo.begunAt;
    if (isTheirs && own.some(({ by }) => by?.job.undoes === undone?.id)) return false;
    const isMade = own.some((each) => each.by?.job === undone && each.before === undefined);
    if (isMade) return own.at(-1)?.after['status'] !== 'archived';
    const last = new Map<string, Logged>();
    for (const each of own)
      for (const { field } of differences(each.before, each.after)) {
        const over = last.get(field);
        // Whoever has not seen that a person set a field has not seen what to give back.
        const isTheirs = over !== undefined && over.by === undefined;
        if (isTheirs && each.by !== undefined && isSinceLook(over.at, each.by.asked)) last.delete(field);
        else last.set(field, each);
      }
    return [...last.values()].some(({ by }) => by?.job === undone);
  });
}

/** Items of rows that were left unchanged, to which another job has given other values before the job ended. */
function overtaken(job: TimedJob, end: Ended, log: readonly Logged[]): string[] {
  if (end.state !== 'done') return [];
  return (job.given ?? []).flatMap((row, index) => {
    const claim = job.claims[index];
    const item = row.item ?? claim?.item;
    if (claim?.state !== 'unchanged' || item === undefined || row.value !== undefined) return [];
    const changes = log.filter((each) => each.item === item);
    // Whoever has changed it last, a person or this job, is no job that the store knows better than the plan.
    const last = changes.findLast(({ before, after }) =>
      differences(before, after).some(({ field }) => names(row, field)),
    );
    const isOther = last?.by !== undefined && last.by.job !== job && last.by.asked.forgotten !== true;
    if (!isOther || last.at < job.begunAt || last.at > end.at - LAST_LOOK_MS) return [];
    const now = flat(last.after);
    const isSo = [...flat(row.stored ?? row.fields)].every(([field, value]) =>
      isAlike(now.get(field), value),
    );
    return isSo ? [] : [item];
  });
}

/** Items that are missing in a file and were left, although nobody else has touched them. */
function leftBy(job: TimedJob, end: Ended, log: readonly Logged[]): string[] {
  if (job.archivesMissing === undefined || end.state !== 'done') return [];
  const items = new Map(log.map((each) => [each.item, each] as const));
  return [...items].flatMap(([item, { removed, after }]) => {
    const changes = log.filter((each) => each.item === item);
    const isTouched = changes.some(({ at, by }) => at > job.begunAt - LAST_LOOK_MS && by?.job !== job);
    const key = flat(after).get(keyOf(job));
    const isInFile = job.given?.some((row) => isAlike(row.key?.value, key)) === true;
    const isLeft = key !== undefined && !isInFile && OWNED.has(String(after['status']));
    return isLeft && !isTouched && removed !== true && !job.claims.some((claim) => claim.item === item)
      ? [item]
      : [];
  });
}

/** The item has had what the row wants, at some moment since the job began; or is there, if the row stands for one. */
function isDone(row: Given, index: number, job: TimedJob, end: Ended, log: readonly Logged[]): boolean {
  const claim = job.claims[index];
  if (claim?.state === 'skipped' && job.omitted?.includes(claim.row) === true) return true;
  if (claim?.state === 'skipped' && row.edited === true && row.once !== true) return false;
  if (row.once === true) {
    const from = end.state === 'done' ? job.begunAt : end.begunAt;
    const moments = log.filter(({ at }) => at > from).map(({ at }) => at);
    return [from, ...moments].some((at) => aliveAt(row.fields['name'], at, log).length > 0);
  }
  if (row.kind === 'create' || end.state !== 'done') return true;
  // Somebody wanted it so.
  if (row.item === undefined && claim?.state === 'skipped') return true;
  const item = row.item ?? itemOfKey(row, index, job);
  if (isOfOtherCopy(item, row, index, job)) return false;
  const changes = log.filter((each) => each.item === item);
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
  const wanted = [
    ...flat(row.stored ?? row.fields),
    ...(row.tags?.add ?? []).map((tag) => [`tags.${tag}`, true] as const),
  ];
  return (
    isRaised && wanted.every(([field, value]) => states.some((state) => isAlike(state.get(field), value)))
  );
}

/** The item that a row names by its key; rows that repeat a key are one change of one item, which the first of them names. */
function itemOfKey({ key }: Given, index: number, { given = [], claims }: TimedJob): string | undefined {
  const own = claims[index]?.item ?? '';
  if (own !== '') return own;
  const twin = given.findIndex((each, place) => each.key?.value === key?.value && claims[place]?.item !== '');
  return claims[twin]?.item;
}

/** Of several copies of a row, each has an item of its own. */
function isOfOtherCopy(
  item: string | undefined,
  { key }: Given,
  index: number,
  { given, claims }: TimedJob,
): boolean {
  return (given ?? []).some(
    (other, place) =>
      place !== index &&
      other.kind === 'either' &&
      key !== undefined &&
      other.key?.value === key.value &&
      claims[place]?.item === item,
  );
}

/** True for an item that a job changes although it is in no row of its file. */
function isMissing(item: string, job: TimedJob): boolean {
  return job.archivesMissing !== undefined && rowsOf(job, item).length === 0;
}

/** True if a file has an item again that another file lacked: it gets back the status that it had before that archived it. */
function givesBack({ item, field, is, job }: Written, over: Logged | undefined): boolean {
  if (field !== 'status' || over?.by === undefined || rowsOf(job, item).length === 0) return false;
  return isMissing(item, over.by.job) && text(over.before?.['status']) === text(is);
}

/** When the rows of a job had the item. */
function asOfIn(job: TimedJob, item: string): number | undefined {
  return rowsOf(job, item).find(({ asOf }) => asOf !== undefined)?.asOf;
}

/** The field by which the rows of a job find their items. */
function keyOf({ given = [] }: TimedJob): string {
  return given.find(({ key }) => key !== undefined)?.key?.field ?? 'id';
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

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

/** What an item was made as, in one text: of things, a name, a brand and a status. */
function thing(fields: Fields): string {
  return ['name', 'brand', 'status'].map((field) => text(fields[field])).join();
}

/** Items of a name that were there at a moment, and not undone. */
function aliveAt(name: unknown, moment: number, log: readonly Logged[]): string[] {
  const states = new Map<string, Fields>();
  for (const { item, at, after } of log) if (at <= moment && after['name'] === name) states.set(item, after);
  const isUndone = (state: Fields) => flat(state).has(MARK) && state['status'] === 'archived';
  return [...states].filter(([, state]) => !isUndone(state)).map(([item]) => item);
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

/** Whether the item has one of the values that were sent. */
function isWithin(body: Fields, item: Fields): boolean {
  const now = flat(item);
  return [...flat(body)].some(([field, value]) => now.has(field) && text(now.get(field)) === text(value));
}
