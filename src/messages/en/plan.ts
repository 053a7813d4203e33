import type { PLAN } from '../params/plan.ts';
import type { TextsOf } from '../texts.ts';
import { ageText, count, counted, duration, unsent, utcTime } from './format.ts';

export const EN_PLAN: TextsOf<typeof PLAN> = {
  state_planned: () => 'planned: nothing was sent',
  state_running: () => 'running',
  state_paused: () => 'paused, with rows that are ready to send',
  state_parked_limit: () => "parked: the plan's item limit is reached",
  state_parked_unreachable: () => 'parked: the API cannot be reached or keeps failing',
  state_parked_unauthorised: () => 'parked: the key was not accepted',
  state_parked_refused: () => 'parked: the API does not accept the rows as they are',
  state_parked_disk: () => 'parked: the disk is full',
  state_interrupted: () => 'interrupted',
  state_cancelled: () => 'cancelled',
  state_done: () => 'done',
  state_already_applied: () => 'already applied: nothing was sent',
  job_stands: ({ job, state }, say) => `job ${job}: ${say(state)}`,
  job_stopped: ({ state }, say) => `The job is ${say(state)}.`,
  job_rows: ({ read, archive, sheetRows, undoes, ...counts }) => {
    const words = undoes === undefined ? {} : { updated: 'undone' };
    const parts = some(counts).map(([kind, rows]) => `${count(rows)} ${words[kind as 'updated'] ?? kind}`);
    const extra =
      archive === 0 ? '' : ` + ${counted(archive, 'item that the file lacks', 'items that the file lacks')}`;
    const from =
      undoes !== undefined
        ? `items: ${count(read)} written by job ${undoes}`
        : sheetRows === undefined
          ? `rows: ${count(read - archive)} read${extra}`
          : `rows: ${counted(sheetRows, 'row')} = ${counted(read, 'item')}`;
    return parts.length === 0 ? from : `${from} = ${parts.join(' + ')}`;
  },
  job_plan: ({ isUndo, ...counts }) => {
    const words = isUndo ? { update: 'undo' } : {};
    const parts = some(counts).map(([kind, rows]) => `${words[kind as 'update'] ?? kind} ${count(rows)}`);
    return `plan: ${parts.join(', ') || 'nothing to do'}`;
  },
  because: ({ why }, say) => `reason: ${say(why)}`,
  next_try: ({ at }) => `waiting for room under the item limit; next try at ${utcTime(at)}`,
  requests_made: ({ sent, limited, ms, perSecond }) => {
    const rate = perSecond > 0 ? ` (${perSecond.toFixed(1)}/s)` : '';
    const refused = limited > 0 ? `, ${count(limited)} of them refused by the rate limit` : '';
    return `requests: ${count(sent)} in ${duration(ms)}${rate}${refused}`;
  },
  items_doubled: ({ items }) =>
    `DUPLICATES: ${counted(items.length, 'item matches a row', 'items match rows')} that ${items.length === 1 ? 'was' : 'were'} sent twice: ${items.join(', ')}`,
  amount_in_wrong_currency: ({ item }) =>
    `WRONG AMOUNT: item ${item} was created before its currency was known. Correct its value: it is not in the currency of the file.`,
  values_not_kept: ({ field, rows, row, found }) =>
    `NOT KEPT: in ${counted(rows, 'row')}, the server did not store ${field} as it was sent; in row ${row} it stored ${found === '' ? 'nothing' : found}`,
  read_as_likely: ({ what }, say) => `likely readings: ${say(what)}`,
  correction_made: ({ step, byRule, changes, more }, say) =>
    `correction ${step}${byRule ? ', by shelflift' : ''}: ${changes.map(say).join('; ')}${more > 0 ? `; and ${counted(more, 'other')}` : ''}`,
  items_missing: ({ of, archive }) =>
    `missing from the file: ${archive === 0 ? 'none' : count(archive)} of ${counted(of, 'item')} of the collection with status keep, sell or trade`,
  none_missing_known: ({ why }, say) => `missing: nothing can be archived, because ${say(why)}`,
  items_already_so: ({ items, more }, say) =>
    `already up to date: ${items.map(say).join(', ')}${more > 0 ? `, and ${counted(more, 'other')}` : ''}`,
  name_of_row: ({ name, row }) => `${name} (row ${row})`,
  check_first_rows: () => 'check these, then resume:',
  file_results: ({ path }) => `results: ${path}`,
  file_rejects: ({ path }) => `rejects: ${path}`,
  file_to_delete: ({ path }) => `archived items that you can delete by hand: ${path}`,
  file_plan: ({ path }) => `plan: ${path}`,

  dry_run_over: () => 'This was a dry run: nothing was sent.',
  nothing_was_sent: () => 'Nothing was sent.',
  nothing_to_send: () => 'There is nothing to send.',
  rows_need_correction: ({ rows, matching }) =>
    `${counted(rows, 'row needs', 'rows need')} correction${matching === 0 ? '' : `; ${count(matching)} already match`}.`,
  belongs_to_cancelled_job: ({ job, isFile }) =>
    `This ${isFile ? 'file' : 'change'} already belongs to job ${job}, which was cancelled before all rows were sent.`,
  belongs_to_open_job: ({ job, isFile }) =>
    `This ${isFile ? 'file' : 'change'} already belongs to job ${job}, which has not sent all rows yet.`,
  job_has_imported: ({ job }) => `Job ${job} has already imported this file.`,
  rows_without_name: ({ rows }) =>
    `${counted(rows, 'row has', 'rows have')} no name and ${rows === 1 ? 'is' : 'are'} left out.`,
  rows_were_refused: ({ rows }) => `${counted(rows, 'row was', 'rows were')} refused.`,
  rows_are_held: ({ rows }) => `${counted(rows, 'row is', 'rows are')} held.`,
  rows_are_invalid: ({ rows }) => `${counted(rows, 'row is', 'rows are')} invalid.`,
  rows_are_ready: ({ rows }) => `${counted(rows, 'row is', 'rows are')} ready to send.`,
  rows_not_taken_back: ({ rows, job }) =>
    `${counted(rows, 'row')} of job ${job} may be on the server and ${rows === 1 ? 'is' : 'are'} not undone.`,
  rows_left_to_job: ({ rows, job }) =>
    `${counted(rows, 'row was', 'rows were')} left to job ${job}, which has not sent ${rows === 1 ? 'it' : 'them'}, got no response for ${rows === 1 ? 'it' : 'them'}, or was undone.`,
  job_runs_on: ({ host, pid }) => `The job is running on ${host} (pid ${pid}).`,
  job_was_cancelled: () => 'The job was cancelled.',
  job_had_ended: () => 'The job had already ended: nothing was cancelled.',
  cancellation_recorded: () =>
    'The cancellation is recorded. The worker stops as soon as the open requests are answered.',
  results_missing: () => 'The results were not written.',
  results_unwritten: ({ why }, say) => `The results could not be written: ${say(why)}`,

  plan_fields: ({ fields, more }, say) => `fields: ${withMore(fields.map(say), more)}`,
  field_changes: ({ field, items, emptied }) =>
    `${field} ${count(items)}${emptied === 0 ? '' : ` (${count(emptied)} emptied)`}`,
  plan_words: ({ words, more }, say) => `transitions: ${withMore(words.map(say), more)}`,
  word_changes: ({ field, from = 'blank', to = 'blank', items }) =>
    `${field === 'status' ? '' : `${field} `}${from} → ${to} ${count(items)}`,
  value_of_new: ({ value, statuses }, say) =>
    `value of the new items: ${value}; ${statuses.map(say).join(', ')}`,
  value_changes: ({ currency, before, after, difference, statuses }, say) =>
    `value of these items in ${currency}: ${before} → ${after} (${difference.startsWith('-') ? '' : '+'}${difference}); ${statuses.map(say).join(', ')}`,
  value_of_status: ({ status, before, after }) =>
    before === undefined ? `${status} ${after}` : `${status} ${before} → ${after}`,
  rows_look_alike: ({ rows }) =>
    counted(rows, 'row looks like an existing item', 'rows look like existing items'),
  looks_like: ({ item, name, rows }) => `  looks like item ${item} (${name}): ${counted(rows, 'row')}`,
  items_read: ({ items, requests, isEach, otherwise }) => {
    const [way, other] = isEach ? [ONE_BY_ONE, BY_PAGES] : [BY_PAGES, ONE_BY_ONE];
    return `read: ${counted(items, 'item')} ${way}, ${counted(requests, 'request')}${otherwise === undefined ? '' : ` (${other}: ${count(otherwise)})`}`;
  },
  plan_cost: ({ writes, reads, recheck, ms, perSecond }) => {
    const time =
      ms === undefined || perSecond === undefined
        ? "duration unknown, because the API's rate is not known yet"
        : `takes about ${duration(ms)} at ${perSecond.toFixed(1)}/s`;
    const again = recheck === 0 ? '' : ` (${count(recheck)} to check items again before changing them)`;
    return `to send: ${counted(writes, 'write')} and about ${counted(reads, 'read')}${again}; ${time}`;
  },

  too_many_missing: ({ items, of, percent, most, ...job }) =>
    `${count(items)} of ${counted(of, 'item')} (${percent}) would be archived as missing from the file; the limit is ${most}. ${unsent(job)}`,
  bad_share: ({ option, found }) => `${option} is "${found}"; expected a share such as 20%, or a number.`,
  missing_unsafe: ({ why, ...job }, say) =>
    `Items that are missing from the file cannot be archived while ${say(why)}. ${unsent(job)}`,
  repeated_change: (params) => `${repeated(params)} ${unsent(params)}`,
  ask_repeated_change: (params) => `${repeated(params)} Make it a second time?`,
  not_confirmed: (job) => `The undo was not confirmed. ${unsent(job)}`,
  ask_undo: ({ changes, areCreates, source, at }) =>
    `Undo ${areCreates ? `the creation of ${counted(changes, 'item')}` : counted(changes, 'change')} by '${source}' (${localTime(at)})?`,
  undo_grew: (params) => `${grown(params)} ${unsent(params)}`,
  ask_undo_grew: (params) => `${grown(params)} Undo ${params.rows === 1 ? 'this row' : 'these rows'} too?`,
  too_many_changes: (params) => `${tooMany(params)} ${unsent(params)}`,
  ask_too_many_changes: (params) => `${tooMany(params)} Continue?`,
  field_emptied: (params) => `${emptied(params)} ${unsent(params)}`,
  ask_field_emptied: (params) => `${emptied(params)} Continue?`,
  similar_items: (params) => `${similar(params)} ${unsent(params)}`,
  ask_similar_items: (params) => `${similar(params)} Create ${params.rows === 1 ? 'it' : 'them'} anyway?`,
  keys_not_kept: (job) => `${KEYS} ${unsent(job)}`,
  ask_keys_not_kept: () => `${KEYS} Send the other rows anyway?`,
  own_export: (params) => `${exported(params)} ${unsent(params)}`,
  ask_own_export: (params) => `${exported(params)} Create all of them again?`,

  candidate_item: ({ item, name, value = 'no value', status, age }) =>
    `${item}  ${name}, ${value}, ${status}, created ${ageText(age)} ago`,
  more_rows_wait: () => 'More rows are held.',
};

const ONE_BY_ONE = 'one by one';
const BY_PAGES = 'in pages of the list';
const KEYS =
  'The server does not keep the matched keys as they were sent, so a later import could not find the items.';

function some(counts: Readonly<Record<string, number | undefined>>): [kind: string, rows: number][] {
  return Object.entries(counts).filter((entry): entry is [string, number] => (entry[1] ?? 0) > 0);
}

function withMore(texts: readonly string[], more: number): string {
  return `${texts.join(', ')}${more > 0 ? `, and ${count(more)} more` : ''}`;
}

interface Repeated {
  job: string;
  at: number;
  others: number;
  items: number;
  of: number;
}

function repeated({ job, at, others, items, of }: Repeated): string {
  const which = items === of ? 'the same items' : `${count(items)} of ${counted(of, 'item')}`;
  const more = others === 0 ? '' : ` and ${counted(others, 'earlier job')}`;
  return `Job ${job} (${localTime(at)})${more} made the same change to ${which}.`;
}

function grown({ job, rows }: { job: string; rows: number }): string {
  return `Job ${job} has written ${counted(rows, 'more row', 'more rows')} since this undo was planned.`;
}

function tooMany({ items, most, of }: { items: number; most?: number; of?: number }): string {
  return of === undefined
    ? `${counted(items, 'item')} would be changed, more than ${most ?? 0}.`
    : `The selection contains ${count(items)} of ${counted(of, 'item')} (${Math.floor((items * 100) / of)}%).`;
}

function emptied({ items, field }: { items: number; field: string }): string {
  return `${field} would be emptied in ${counted(items, 'item')}.`;
}

function similar({ rows, item }: { rows: number; item: string }): string {
  return `${counted(rows, 'row looks like an existing item', 'rows look like existing items')} (for example ${item}).`;
}

function exported({ item }: { item: string }): string {
  return `This file is an export of items that already exist (such as ${item}).`;
}

/** The time, if it is today, otherwise date and time; in this machine's time zone. */
function localTime(ms: number): string {
  const [date, time] = new Date(ms).toLocaleString('sv-SE').split(' ');
  const [today] = new Date().toLocaleString('sv-SE').split(' ');
  return `${date === today ? '' : `${date ?? ''} `}${time?.slice(0, 5) ?? ''}`;
}
