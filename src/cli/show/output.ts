/** The output of a command on stdout, and its exit code. */
import type { ApiError } from '../../api/errors.ts';
import { placedMessage, ShelfliftError } from '../../base/errors.ts';
import { ExitCode } from '../../base/exit-code.ts';
import type { ChangeRow } from '../../import/review/change-rows.ts';
import { factsOf, toldOf } from '../../import/results/facts.ts';
import type { JobOutcome, JobSummary } from '../../import/results/summary.ts';
import type { Undecided } from '../../import/results/undecided.ts';
import { message } from '../../messages/message.ts';
import type { Action } from '../../messages/params.ts';
import { plainNumber } from '../../sheets/cell.ts';
import type { GlobalFlags } from '../flags.ts';
import { writeLine } from './json-lines.ts';
import { actionsJson, commandsOf } from './actions.ts';
import { defined } from '../../base/defined.ts';
import { summaryJson } from './job-json.ts';
import { paint } from './paint.ts';
import { say } from './say.ts';
import { changeText, cut } from './plan-words.ts';
import { oneLine, plainLines } from './words.ts';

export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

export function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Prints the outcome of a job and sets the exit code. */
export function reportOutcome(
  outcome: JobOutcome,
  flags: GlobalFlags,
  /** For `--json`: rows of the plan, and further data. */
  { rows, ...more }: { rows?: readonly ChangeRow[]; warnings?: readonly string[] } = {},
): void {
  process.exitCode = outcome.exitCode;
  if (flags.json === true) {
    printJson({ ...summaryJson(outcome.summary, flags, rows), ...more, ...actionsJson(outcome.actions) });
    reportEnd(outcome, flags);
    return;
  }
  const [first = '', ...lines] = plainLines(outcomeText(outcome, flags)).split('\n');
  const next = nextText(outcome, flags) === '' ? [] : lines.splice(-1);
  const style = outcome.exitCode === ExitCode.ok ? 'good' : 'warning';
  const shown = [paint(style, first, process.stdout), ...lines];
  print([...shown, ...next.map((line) => paint('next', line, process.stdout))].join('\n'));
}

/** Prints to stderr if stdout has the JSON. */
function reportEnd(outcome: JobOutcome, flags: GlobalFlags): void {
  const { error } = outcome.summary;
  const next = nextText(outcome, flags);
  if (flags.progress === 'json') {
    const actions = actionsJson(outcome.actions);
    if (error !== undefined)
      writeLine({ type: 'error', ...error, ...actions, ...(next === '' ? {} : { remedy: next }) });
    else if (next !== '') writeLine({ type: 'note', message: next, ...actions });
    return;
  }
  if (error !== undefined)
    process.stderr.write(
      `${paint('bad', `${say(message('label_error', {}))}:`)} ${plainLines(error.message)}\n`,
    );
  if (next !== '') process.stderr.write(`${next}\n`);
}

/** The outcome of a job and the next steps, in words. */
export function outcomeText(outcome: JobOutcome, flags: GlobalFlags): string {
  const { undecided, canary = [], job } = outcome.summary;
  const [first = '', ...lines] = factsOf(outcome.summary).map((fact) => oneLine(say(fact)));
  const check = canary.length === 0 ? [] : [say(message('check_first_rows', {})), ...canary.map(canaryLine)];
  const next = nextText(outcome, flags);
  return [
    first,
    ...[...lines, ...check].map((line) => `  ${line}`),
    ...(undecided === undefined ? [] : [undecidedText(undecided, job, flags)]),
    ...(next === '' ? [] : ['', next]),
  ].join('\n');
}

/** Notes besides the counts, and the commands to continue; '' if there are none. */
export function nextText(
  { said, actions }: Pick<JobOutcome, 'said' | 'actions'>,
  flags: GlobalFlags,
): string {
  return [...said.map(say), ...(actions.length === 0 ? [] : [commandsOf(actions, flags)])].join(' ');
}

/** Rows that wait for a person, with their candidates and the commands that decide them. */
export function undecidedText(
  { rows, more }: Undecided,
  job: string,
  flags: GlobalFlags,
  nowMs = Date.now(),
): string {
  const lines = [`  ${say(message('label_undecided', {}))}`];
  for (const each of rows) {
    const { row, sheet, state, candidates, otherwise } = each;
    const place = message('row_of_sheet', { row, ...defined({ sheet }) });
    lines.push(`  ${oneLine(say(place))} (${state}): ${oneLine(say(toldOf(each)))}`);
    for (const { id, name, estimated_value, currency, status, created_at, action } of candidates) {
      const value =
        estimated_value === null
          ? {}
          : { value: `${plainNumber(estimated_value)} ${currency.toUpperCase()}` };
      const age = nowMs - Date.parse(created_at);
      const item = message('candidate_item', { item: id, name: cut(name), status, age, ...value });
      lines.push(`    ${oneLine(say(item))}`);
      if (action !== undefined) lines.push(`      ${commandsOf([action], flags)}`);
    }
    for (const action of otherwise) lines.push(`    ${commandsOf([action], flags)}`);
  }
  if (more) {
    const label = message('to_list_rows', {});
    const list: Action = { do: 'show', job, options: { changes: true }, label };
    lines.push(`  ${say(message('more_rows_wait', {}))} ${commandsOf([list], flags)}`);
  }
  return lines.join('\n');
}

function canaryLine({ row, itemId, name, action, state, changes }: ChangeRow): string {
  const done =
    action === 'create'
      ? say(message('was_created', {}))
      : changes.map((each) => cut(`${each.field} ${changeText(each)}`)).join(', ');
  const item = itemId === null ? {} : { item: itemId };
  const result = state === 'done' ? done : state;
  return `  ${say(message('canary_row', { row, name: cut(name), result, ...item }))}`;
}

/**
 * Prints an error in words (and as JSON if requested), and returns its exit code.
 *
 * @param summary summary of the job that the command was about, if any
 */
export function reportError(error: unknown, flags: GlobalFlags, summary?: JobSummary): ExitCode {
  const known = error instanceof ShelfliftError;
  const code = known ? error.code : 'defect';
  const exitCode = known ? error.exitCode : ExitCode.defect;
  const text = known ? placedMessage(error, say) : error instanceof Error ? error.message : String(error);
  const json = { code, message: text, ...(known ? saidJson(error) : {}) };
  const label = say(message(known ? 'label_error' : 'label_defect', {}));
  const lines = [`${label}: ${text}`];
  const remedy = known ? remedyOf(error, flags) : undefined;
  if (remedy !== undefined) lines.push(`  ${remedy}`);
  const requestId = known ? (error as Partial<ApiError>).requestId : undefined;
  if (requestId !== undefined) lines.push(`  ${say(message('request_id_is', { id: requestId }))}`);
  if (!known) lines.push(`  ${say(message('defect_lost_nothing', { option: '--verbose' }))}`);
  if (flags.verbose === true && error instanceof Error)
    lines.push(
      error.stack ?? '',
      error.cause instanceof Error ? `caused by: ${error.cause.stack ?? error.cause.message}` : '',
    );
  if (flags.progress === 'json') {
    writeLine({ type: 'error', ...json, ...(remedy === undefined ? {} : { remedy }) });
  } else {
    const shown = plainLines(lines.filter((line) => line !== '').join('\n'));
    process.stderr.write(`${shown.replace(/^[^:]*:/, (start) => paint('bad', start))}\n`);
  }
  if (flags.json === true)
    printJson({ ...(summary === undefined ? {} : summaryJson(summary, flags)), error: json });
  return exitCode;
}

/** The remedy of an error: the commands of its actions. */
export function remedyOf(error: ShelfliftError, flags: GlobalFlags): string | undefined {
  return error.actions.length === 0 ? undefined : commandsOf(error.actions, flags);
}

/** The parameters and actions of an error as data, and the code of its text if one error code has several texts. */
function saidJson({ code, said, actions }: ShelfliftError): Record<string, unknown> {
  if (said === undefined) return actionsJson(actions);
  const text: string = said.code;
  return { ...(text === code ? {} : { text }), params: said.params, ...actionsJson(actions) };
}
