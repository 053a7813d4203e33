/** The state of a job as messages: the terminal prints a line for each, and other surfaces choose among them. */
import { unitOf } from '../../base/counted.ts';
import { message } from '../../messages/message.ts';
import type { Message } from '../../messages/params.ts';
import { cut } from '../../mapping/casts/cast.ts';
import { stateOf } from '../job/state-words.ts';
import type { ResultFiles } from './results.ts';
import type { JobSummary } from './summary.ts';

/** Maximum number of changes of one correction to name; `--json` has all of them. */
const CHANGES_SHOWN = 5;
const FILES = {
  results: 'file_results',
  rejects: 'file_rejects',
  toDelete: 'file_to_delete',
  plan: 'file_plan',
} as const;

/** Facts about a job; the first one names the job and its state. */
export function factsOf(summary: JobSummary): Message[] {
  const { job, state, rows, plan, requests, tookMs, undoes, error, missing, already } = summary;
  const { read, ...counts } = rows;
  const facts: Message[] = [message('job_stands', { job, state: stateOf(state) })];
  if (error !== undefined) facts.push(message('because', { why: toldOf(error) }));
  if (summary.nextTry !== undefined) facts.push(message('next_try', { at: summary.nextTry.getTime() }));
  facts.push(
    message('job_rows', {
      read,
      archive: missing?.archive ?? 0,
      ...(unitOf(summary) === 'row' ? {} : { sheetRows: summary.sheetRows }),
      ...(undoes === undefined ? {} : { undoes }),
      ...counts,
    }),
  );
  if (plan !== undefined)
    facts.push(
      message('job_plan', {
        ...plan,
        archive: plan.archive ?? 0,
        held: plan.held ?? 0,
        isUndo: undoes !== undefined,
      }),
    );
  const { sent, limited } = requests;
  const perSecond = tookMs > 0 ? (sent * 1000) / tookMs : 0;
  if (sent > 0) facts.push(message('requests_made', { sent, limited, ms: tookMs, perSecond }));
  if (summary.doubles !== undefined) facts.push(message('items_doubled', { items: summary.doubles }));
  for (const item of summary.wrongAmounts ?? []) facts.push(message('amount_in_wrong_currency', { item }));
  for (const lost of summary.notKept ?? []) facts.push(message('values_not_kept', lost));
  for (const likely of summary.likely ?? []) facts.push(message('read_as_likely', { what: toldOf(likely) }));
  for (const { step, said, byRule = false } of summary.mended ?? []) {
    const some = said.slice(0, CHANGES_SHOWN);
    const more = said.length - some.length;
    facts.push(message('correction_made', { step, byRule, changes: some.map(shortened), more }));
  }
  if (missing?.unsafe !== undefined)
    facts.push(message('none_missing_known', { why: toldOf({ ...missing.why, message: missing.unsafe }) }));
  else if (missing !== undefined)
    facts.push(message('items_missing', { of: missing.of, archive: missing.archive }));
  if (already !== undefined) {
    const items = already.first
      .slice(0, CHANGES_SHOWN)
      .map(({ row, name }) => message('name_of_row', { name: cut(name), row }));
    facts.push(message('items_already_so', { items, more: already.items - items.length }));
  }
  return [...facts, ...filesOf(summary.files)];
}

/** A message for each file. */
export function filesOf(files: ResultFiles): Message[] {
  return Object.entries(files).map(([kind, path]) =>
    message(FILES[kind as keyof typeof FILES], { path: path as string }),
  );
}

/** A message of a summary, to be said in another language; or its sentence, if there is no message. */
export function toldOf({
  code,
  text = code,
  params,
  message: sentence,
}: {
  code?: string;
  text?: string;
  params?: Readonly<Record<string, unknown>>;
  message: string;
}): Message {
  if (params === undefined) return message('verbatim', { text: sentence });
  // It was a message when the summary was made.
  return { code: text, params } as Message;
}

/** The same message with each of its texts cut, and made safe for a terminal. */
function shortened({ code, params }: Message): Message {
  const short = (value: unknown): unknown => {
    if (typeof value === 'string') return cut(value);
    if (Array.isArray(value)) return value.map(short);
    return typeof value === 'object' ? shortened(value as Message) : value;
  };
  const entries = Object.entries(params).map(([name, value]) => [name, short(value)] as const);
  return { code, params: Object.fromEntries(entries) as Message['params'] };
}
