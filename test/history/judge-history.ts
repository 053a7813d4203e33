/**
 * Judges a history against the promise: each row is one item, once, or says that a person must look; no answer is
 * wrong, no acknowledged change is lost, and all claims agree with the server's own log.
 *
 * It shares no code with what it judges (the linter sees to it).
 */
import type { Applied, Claim, Fields, Given, History, JobHistory, Request } from './history.ts';

/** A row that is in one of these may or may not have its item, and says so; or a person has said so for it. */
const OPEN = new Set(['held', 'pending', 'skipped']);

/** @returns what went against the promise; nothing if all is well */
export function judgeHistory(history: History): string[] {
  return [
    ...wrongAnswers(history),
    ...wrongCounts(history),
    ...wrongCreates(history),
    ...wrongUpdates(history),
  ];
}

/** Each answer against the server's log. */
function wrongAnswers({ requests, applied }: History): string[] {
  const wrong: string[] = [];
  const byRequest = new Map<number, Applied[]>();
  for (const each of applied) {
    byRequest.set(each.request, [...(byRequest.get(each.request) ?? []), each]);
    if (requests[each.request] === undefined) wrong.push(`nobody asked for what made ${each.item}`);
  }
  for (const [index, { end, kind }] of requests.entries()) {
    const made = byRequest.get(index) ?? [];
    if (made.length > 1) wrong.push(`request ${index} was applied ${made.length} times`);
    if (end.was === 'failed' && made.length > 0)
      wrong.push(`request ${index} counts as failed, and was applied`);
    if (end.was === 'ok' && made[0]?.item !== end.item)
      wrong.push(
        `request ${index} (${kind}) was answered with ${end.item}, and the server's log has ${made[0]?.item}`,
      );
  }
  return wrong;
}

/** The sums against the results file, and both against the rows that were given. */
function wrongCounts({ jobs }: History): string[] {
  return jobs.flatMap(({ id, given, claims, archivesMissing, counts: { read = 0, ...counts } }) => {
    const wrong: string[] = [];
    const rows = archivesMissing === undefined ? (given?.length ?? claims.length) : claims.length;
    if (read !== rows || claims.length !== rows || rows < (given?.length ?? 0))
      wrong.push(`job ${id} was given ${rows} rows, has read ${read}, and tells of ${claims.length}`);
    for (const state of new Set([...Object.keys(counts), ...claims.map((claim) => claim.state)])) {
      const told = claims.filter((claim) => claim.state === state).length;
      if (told !== (counts[state] ?? 0))
        wrong.push(`job ${id} counts ${counts[state] ?? 0} ${state}, and its results tell of ${told}`);
    }
    return wrong;
  });
}

function wrongCreates({ requests, applied, jobs }: History): string[] {
  const wrong: string[] = [];
  const made = new Map<string, Request>();
  for (const { request, item } of applied) {
    const asked = requests[request];
    if (asked?.kind !== 'create') continue;
    if (made.has(item)) wrong.push(`two requests made ${item}`);
    made.set(item, asked);
  }
  const owned = new Set<string>();
  /** Content → rows that may have made one more item than they name. */
  const open = new Map<string, number>();
  for (const { job, row, claim, fields } of rowsOf(jobs, 'create')) {
    const content = contentOf(fields);
    if (claim.state === 'created') {
      const asked = made.get(claim.item);
      const what = `row ${row} of job ${job.id} claims ${claim.item || 'an item without a name'}`;
      if (owned.has(claim.item)) wrong.push(`${what}, as another row does`);
      if (asked === undefined) wrong.push(`${what}, which no request has made`);
      else if (contentOf(asked.body) !== content)
        wrong.push(`${what}, which is another: ${contentOf(asked.body)}`);
      owned.add(claim.item);
    } else if (OPEN.has(claim.state)) open.set(content, (open.get(content) ?? 0) + 1);
  }
  const named = new Set(jobs.flatMap(({ claims }) => claims.map(({ item }) => item)));
  for (const [item, { body, forgotten }] of made) {
    // A store that knows nothing of the request may find the item by its key.
    if (owned.has(item) || (forgotten === true && named.has(item))) continue;
    const content = contentOf(body);
    const left = open.get(content) ?? 0;
    if (left === 0) wrong.push(`${item} was made, and no row tells of it: ${content}`);
    open.set(content, left - 1);
  }
  return wrong;
}

/** What a row has sent to the item that it names has just the values that it was given. */
function wrongUpdates({ requests, applied, jobs }: History): string[] {
  const wrong: string[] = [];
  const inLog = new Set(applied.map(({ request }) => request));
  // What nobody answered may have found its values there, made by somebody else.
  const asked = requests.filter(
    ({ kind, end }, index) => kind === 'update' && (inLog.has(index) || end.was === 'unknown'),
  );
  for (const { job, row, claim, fields, given } of rowsOf(jobs, 'update')) {
    if (claim.state !== 'updated') continue;
    const own = asked.filter((request) => request.item === claim.item && request.job === job.id);
    // A row that was stopped before it was sent may have found its values there: then nothing of it is in any log.
    if (
      own.length > 0 &&
      !own.some(({ body, theirs }) => theirs === true || agrees(body, fields, given.key?.field))
    )
      wrong.push(`row ${row} of job ${job.id} has sent ${claim.item} what its file does not say`);
  }
  return wrong;
}

function* rowsOf(
  jobs: readonly JobHistory[],
  kind: 'create' | 'update',
): Generator<{ job: JobHistory; row: number; claim: Claim; fields: Fields; given: Given }> {
  for (const job of jobs)
    for (const [index, given] of (job.given ?? []).entries()) {
      const claim = job.claims[index];
      if ((given.kind === kind || given.kind === 'either') && claim !== undefined)
        yield { job, row: claim.row, claim, fields: given.fields, given };
    }
}

/**
 * Each field that is sent has the value that was given; fields that were not given are not sent. A key that finds the
 * item stays as the server keeps it.
 */
function agrees(body: Fields, given: Fields, key: string | undefined): boolean {
  const sent = flat(body);
  const told = flat(given);
  return (
    [...sent].every(([field, value]) => field === key || !told.has(field) || told.get(field) === value) &&
    sent.size > 0
  );
}

function flat(fields: Fields): Map<string, string> {
  return new Map(
    Object.entries(fields).flatMap(([field, value]): [string, string][] =>
      field === 'custom_fields'
        ? Object.entries(value as object).map(([name, each]) => [`custom_fields.${name}`, fold(each)])
        : [[field, fold(value)]],
    ),
  );
}

/** Two contents are equal if a server may store them so: it may trim, normalise, sort and round. */
function contentOf(fields: Fields): string {
  const { collection_id: _, custom_fields: custom, ...own } = fields;
  const kept = Object.entries({ ...own, ...(custom as object | undefined) }).filter(
    ([name, value]) => name !== 'import_id' && fold(value) !== '',
  );
  return JSON.stringify(
    kept.map(([name, value]) => [name, fold(value)]).sort(([a = ''], [b = '']) => (a < b ? -1 : 1)),
  );
}

function fold(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return String(Math.round(value * 100) / 100);
  if (Array.isArray(value)) return value.map(fold).sort().join(';');
  return (typeof value === 'string' ? value : JSON.stringify(value)).normalize('NFC').trim();
}
