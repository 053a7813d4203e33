/** What a command leaves on stdout, and its exit code. */
import type { ApiError } from '../../api/errors.ts';
import { placedMessage, ShelfliftError } from '../../errors.ts';
import { ExitCode } from '../../exit-code.ts';
import type { ChangeRowJson } from '../../import/review/change-rows.ts';
import type { JobOutcome, JobSummary } from '../../import/results/summary.ts';
import type { Undecided } from '../../import/results/undecided.ts';
import { plainNumber } from '../../sheets/cell.ts';
import type { GlobalFlags } from '../flags.ts';
import { writeLine } from './json-lines.ts';
import { actionsJson, commandsOf } from './actions.ts';
import { sameTarget } from './same-target.ts';
import { say } from './say.ts';
import { changeText, cut } from './plan-words.ts';
import { oneLine, plainLines } from './words.ts';
import { ageText, duration } from '../../words.ts';
import { count, counted, unitOf } from '../../counted.ts';

export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Prints how a job ended and sets the exit code. */
export function reportOutcome(
  outcome: JobOutcome,
  flags: GlobalFlags,
  /** What `--json` prints: the summary, or more than it. */
  json: unknown = outcome.summary,
): void {
  process.exitCode = outcome.exitCode;
  if (flags.json === true) {
    printJson(json);
    reportEnd(outcome, flags);
    return;
  }
  print(plainLines(outcomeText(outcome, flags)));
}

/** On stderr, where stdout has the JSON. */
function reportEnd({ summary: { error }, remedy }: JobOutcome, flags: GlobalFlags): void {
  const next = remedy === undefined ? undefined : sameTarget(remedy, flags);
  if (flags.progress === 'json') {
    if (error !== undefined)
      writeLine({ type: 'error', ...error, ...(next === undefined ? {} : { remedy: next }) });
    else if (next !== undefined) writeLine({ type: 'note', message: next });
    return;
  }
  if (error !== undefined) process.stderr.write(`error: ${plainLines(error.message)}\n`);
  if (next !== undefined) process.stderr.write(`${next}\n`);
}

/** How a job ended and what to do next, in words. */
export function outcomeText(outcome: JobOutcome, flags: GlobalFlags): string {
  const next = outcome.remedy === undefined ? '' : `\n\n${sameTarget(outcome.remedy, flags)}`;
  const { undecided } = outcome.summary;
  const decide =
    undecided === undefined ? '' : `\n${sameTarget(undecidedText(undecided, outcome.summary.job), flags)}`;
  return `${summaryText(outcome.summary)}${decide}${next}`;
}

/** Rows that wait for a person, each with its candidates and the commands that decide it. */
export function undecidedText({ rows, more }: Undecided, job: string, nowMs = Date.now()): string {
  const lines = ['  to decide:'];
  for (const { row, sheet, state, message, candidates, otherwise } of rows) {
    const place = sheet === undefined ? `row ${row}` : `row ${row} of ${oneLine(sheet)}`;
    lines.push(`  ${place} (${state}): ${oneLine(message)}`);
    for (const { id, name, estimated_value, currency, status, created_at, command } of candidates) {
      const price =
        estimated_value === null ? 'no value' : `${plainNumber(estimated_value)} ${currency.toUpperCase()}`;
      const age = ageText(nowMs - Date.parse(created_at));
      lines.push(`    ${id}  ${cut(name)}, ${oneLine(price)}, ${oneLine(status)}, created ${age} ago`);
      if (command !== undefined) lines.push(`      it is this one: ${command}`);
    }
    for (const { says, command } of otherwise) lines.push(`    ${says}: ${command}`);
  }
  if (more) lines.push(`  More rows wait. To list them all: shelflift jobs show ${job} --changes`);
  return lines.join('\n');
}

/** Changes of one correction that are listed; `--json` has all. */
const CHANGES_SHOWN = 5;

const STATES: Record<JobSummary['state'], string> = {
  planned: 'planned: nothing was sent',
  running: 'running',
  paused: 'paused, with rows that are ready to send',
  parked_limit: "parked: the plan's item limit is reached",
  parked_unreachable: 'parked: the API cannot be reached or keeps failing',
  parked_unauthorised: 'parked: the key was not accepted',
  parked_refused: 'parked: the API does not take the rows as they are',
  parked_disk: 'parked: the disk is full',
  interrupted: 'interrupted',
  cancelled: 'cancelled',
  done: 'done',
  already_applied: 'already applied: nothing was sent',
};

/** What is done to the items of an undo. */
const UNDO_WORDS: Record<string, string> = { updated: 'taken back', update: 'take back' };

function summaryText(summary: JobSummary): string {
  const { rows, plan, requests, undoes } = summary;
  const lines = [`job ${summary.job}: ${STATES[summary.state]}`];
  if (summary.error !== undefined) lines.push(`  because: ${summary.error.message}`);
  if (summary.next_try !== undefined)
    lines.push(`  waits for room in the plan; next try at ${summary.next_try}`);
  const parts = Object.entries(rows).filter(([key, value]) => key !== 'read' && value > 0);
  const words = undoes === undefined ? {} : UNDO_WORDS;
  const sum = parts.map(([key, value]) => `${count(value)} ${words[key] ?? key}`).join(' + ');
  const archive = summary.missing?.archive ?? 0;
  const items =
    unitOf(summary) === 'row'
      ? `${count(rows.read - archive)} read${archive === 0 ? '' : ` + ${counted(archive, 'item that the file lacks', 'items that the file lacks')}`}`
      : `${counted(summary.sheet_rows, 'row')} = ${counted(rows.read, 'item')}`;
  const ofWhat =
    undoes === undefined ? `rows: ${items}` : `items: ${count(rows.read)} written by job ${undoes}`;
  lines.push(`  ${ofWhat}${sum === '' ? '' : ` = ${sum}`}`);
  if (plan !== undefined) {
    const wishes = Object.entries(plan).filter(([, value]) => value > 0);
    lines.push(
      `  plan: ${wishes.map(([key, value]) => `${words[key] ?? key} ${count(value)}`).join(', ') || 'nothing to do'}`,
    );
  }
  if (requests.sent > 0) {
    const rate = summary.seconds > 0 ? ` (${(requests.sent / summary.seconds).toFixed(1)}/s)` : '';
    const limited =
      requests.limited > 0 ? `, ${count(requests.limited)} of them answered "rate limit exceeded"` : '';
    lines.push(`  requests: ${count(requests.sent)} in ${duration(summary.seconds * 1000)}${rate}${limited}`);
  }
  if (summary.doubles !== undefined) {
    lines.push(
      `  DOUBLES: ${counted(summary.doubles.length, 'item equals a row', 'items equal rows')} that was sent twice: ${summary.doubles.join(', ')}`,
    );
  }
  for (const item of summary.wrong_amounts ?? [])
    lines.push(
      `  WRONG AMOUNT: item ${item} was created before its currency was known. Correct its value: it is not in the currency of the file.`,
    );
  for (const { message } of summary.likely ?? []) lines.push(`  read as is likely: ${message}`);
  for (const { step, changes, by_rule: byRule } of summary.mended ?? []) {
    const some = changes.slice(0, CHANGES_SHOWN).map(cut).join('; ');
    const more = changes.length - CHANGES_SHOWN;
    lines.push(
      `  correction ${step}${byRule === true ? ', by shelflift' : ''}: ${some}${more > 0 ? `; and ${counted(more, 'other')}` : ''}`,
    );
  }
  if (summary.missing !== undefined) lines.push(missingLine(summary.missing));
  if (summary.already !== undefined) lines.push(alreadyLine(summary.already));
  if (summary.canary !== undefined)
    lines.push('  check these, then resume:', ...summary.canary.map(canaryLine));
  for (const [kind, path] of Object.entries(summary.files))
    lines.push(`  ${kind === 'to_delete' ? 'archived, and to delete by hand' : kind}: ${path}`);
  return lines.join('\n');
}

function missingLine({ of, archive, unsafe }: NonNullable<JobSummary['missing']>): string {
  if (unsafe !== undefined) return `  missing: nothing can be archived, because ${unsafe}`;
  const have = `${counted(of, 'item')} that the collection has for keep, sell or trade`;
  return `  missing: ${archive === 0 ? 'none' : count(archive)} of ${have}`;
}

function alreadyLine({ items, first }: NonNullable<JobSummary['already']>): string {
  const some = first.slice(0, CHANGES_SHOWN).map(({ row, name }) => `${cut(name)} (row ${row})`);
  const more = items - some.length;
  return `  already so: ${some.join(', ')}${more > 0 ? `, and ${counted(more, 'other')}` : ''}`;
}

function canaryLine({ row, item_id, name, action, state, changes }: ChangeRowJson): string {
  const done =
    action === 'create'
      ? 'created'
      : changes.map((each) => cut(`${each.field} ${changeText(each)}`)).join(', ');
  return `    row ${row}: ${cut(name)} (${item_id ?? 'no item'}): ${state === 'done' ? done : state}`;
}

/**
 * Prints an error in words (and as JSON where asked), and gives its exit code.
 *
 * @param summary of the job that the command was about, where there is one
 */
export function reportError(error: unknown, flags: GlobalFlags, summary?: JobSummary): ExitCode {
  const known = error instanceof ShelfliftError;
  const message = error instanceof Error ? error.message : String(error);
  const code = known ? error.code : 'defect';
  const exitCode = known ? error.exitCode : ExitCode.defect;
  const text = known ? placedMessage(error, say) : message;
  const json = { code, message: text, ...(known ? saidJson(error) : {}) };
  const lines = [known ? `error: ${text}` : `defect in shelflift: ${text}`];
  const remedy = known ? remedyOf(error, flags) : undefined;
  if (remedy !== undefined) lines.push(`  ${remedy}`);
  const requestId = known ? (error as Partial<ApiError>).requestId : undefined;
  if (requestId !== undefined) lines.push(`  request id: ${requestId}`);
  if (!known)
    lines.push(
      '  This is a bug in shelflift. No recorded data is lost. Add --verbose to see where it comes from.',
    );
  if (flags.verbose === true && error instanceof Error)
    lines.push(
      error.stack ?? '',
      error.cause instanceof Error ? `caused by: ${error.cause.stack ?? error.cause.message}` : '',
    );
  if (flags.progress === 'json') {
    writeLine({ type: 'error', ...json, ...(remedy === undefined ? {} : { remedy }) });
  } else process.stderr.write(`${plainLines(lines.filter((line) => line !== '').join('\n'))}\n`);
  if (flags.json === true) printJson({ ...summary, error: json });
  return exitCode;
}

/** What to do about an error: the commands of its actions. */
export function remedyOf(error: ShelfliftError, flags: GlobalFlags): string | undefined {
  if (error.actions.length > 0) return commandsOf(error.actions, flags);
  return error.remedy === undefined ? undefined : sameTarget(error.remedy, flags);
}

/** Its parameters and actions as data, and the code of its text where one error code has several. */
function saidJson({ code, said, actions }: ShelfliftError): Record<string, unknown> {
  if (said === undefined) return actionsJson(actions);
  const text: string = said.code;
  return { ...(text === code ? {} : { text }), params: said.params, ...actionsJson(actions) };
}
