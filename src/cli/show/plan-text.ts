/** A plan in words: its numbers, and the first rows of each kind (`--verbose`: all of them). */
import type { ChangeRow } from '../../import/review/change-rows.ts';
import { planFacts } from '../../import/review/plan-facts.ts';
import type { PlanReport } from '../../import/review/plan-report.ts';
import type { PlanKind } from '../../import/review/plan-view.ts';
import { placeText } from '../../mapping/issue-reasons.ts';
import { fitTable } from './fit-table.ts';
import { changeText, word } from './plan-words.ts';
import { count } from '../../base/counted.ts';
import { saidOf } from '../../base/errors.ts';
import { message } from '../../messages/message.ts';
import type { Message } from '../../messages/params.ts';
import { say } from './say.ts';
import { oneLine, wrapped } from './words.ts';

/** Rows shown of each kind. */
export const FIRST_ROWS = 5;
/** Maximum number of fields and transitions; `--json` has all. */
const TOTALS_SHOWN = 12;

/** Lines of the smallest terminal in use. */
const SCREEN_LINES = 24;
/** Maximum number of lines of a kind's table. */
const TABLE_LINES = 12;
const ALL = '--verbose';

export interface KindShown {
  kind: PlanKind;
  /** Total number of rows of this kind. */
  count: number;
  /** The first rows. */
  rows: readonly ChangeRow[];
}

/**
 * A plan that fits a screen for any number of rows, with as many lines of each kind as there is room for.
 *
 * @param end the text printed below it
 */
export function planScreen(
  report: PlanReport,
  shown: readonly KindShown[],
  { width, end }: { width: number; end: string },
): string {
  const below = wrapped(end, width).split('\n').length;
  const room = SCREEN_LINES - below;
  // The numbers first get shorter, then the tables; at last the tables become totals.
  for (const { each, least } of [
    { each: Infinity, least: 3 },
    { each: 2, least: 3 },
    { each: 1, least: 1 },
  ]) {
    const lines = clippedReport(report, each, width);
    for (let most = TABLE_LINES; most >= least; most -= 1) {
      const tables = shown.flatMap((kind) => kindLines(kind, most, width));
      if (lines.length + tables.length + 1 <= room) return [...lines, ...tables, ''].join('\n');
    }
  }
  const totals = shown.map(({ kind, count: total }) => `${titleOf(kind)} ${count(total)}`).join(', ');
  const text = say(message('totals_only', { totals, option: ALL }));
  const rest = ['', ...wrapped(text, width).split('\n'), ''];
  const lines = clippedReport(report, 1, width);
  const left = Math.max(1, room - rest.length);
  return [...(lines.length > left ? [...lines.slice(0, left - 1), restText()] : lines), ...rest].join('\n');
}

/** @param each maximum number of lines for one of its numbers */
function clippedReport(report: PlanReport, each: number, width: number): string[] {
  const all = reportText(report)
    .split('\n')
    .map((line) => wrapped(line, width).split('\n'));
  const lines = all.flatMap((one) => {
    if (one.length <= each) return one;
    const last = one[each - 1] ?? '';
    return [...one.slice(0, each - 1), `${[...last].slice(0, width - 2).join('')} …`];
  });
  return all.some((one) => one.length > each) ? [...lines, restText()] : lines;
}

function kindLines({ kind, count: total, rows }: KindShown, most: number, width: number): string[] {
  const whole = rows.map((row) => rowsText([row], width).split('\n').length - 1);
  let fitting = 0;
  for (let used = 0; fitting < rows.length; fitting += 1) {
    used += whole[fitting] ?? 0;
    if (used > most && fitting > 0) break;
  }
  // For a single row that is too long, only its first fields.
  const table = rowsText(rows.slice(0, fitting), width).split('\n');
  const kept = table.slice(0, most + 1);
  const left = total - fitting;
  const more = left > 0 ? [moreText(left)] : table.length > kept.length ? [restText()] : [];
  return ['', titleOf(kind), ...kept, ...more];
}

/** The note below the first rows of a kind. */
export function moreText(rows: number): string {
  return say(message('rows_not_shown', { rows, option: ALL }));
}

function restText(): string {
  return say(message('rest_not_shown', { option: ALL }));
}

/** The lines above the rows. */
export function reportText(report: PlanReport): string {
  return planFacts(report, TOTALS_SHOWN)
    .map((fact) => `  ${oneLine(say(fact))}`)
    .join('\n');
}

/** The title above the rows of each kind. */
export function titleOf(kind: PlanKind): string {
  return say(TITLES[kind]);
}

const TITLES: Record<PlanKind, Message> = {
  update: message('plan_updates', {}),
  create: message('plan_creates', {}),
  archive: message('plan_archives', {}),
  held: message('plan_held', {}),
  invalid: message('plan_invalid', {}),
  skipped: message('plan_skipped', {}),
  unchanged: message('plan_unchanged', {}),
};

/** Rows of one kind as a table, with a line per field. */
export function rowsText(rows: readonly ChangeRow[], width: number): string {
  const lines = rows.flatMap((row): string[][] => {
    const head = [placeText(row), row.itemId?.slice(0, 8) ?? '', row.name];
    const problems = row.issues.map((issue) => say(saidOf(issue))).join('; ');
    if (row.changes.length === 0) return [[...head, '', problems === '' ? asItIs(row) : problems]];
    const changes = row.changes.map(({ field, from, to }) => [
      field,
      row.action === 'create' ? word(field, to) : changeText({ field, from, to }),
    ]);
    if (problems !== '') changes.push(['', problems]);
    return changes.map((cells, index) => [...(index === 0 ? head : ['', '', '']), ...cells]);
  });
  return fitTable([HEADS.map(say), ...lines], width);
}

const HEADS = (['head_row', 'head_item', 'head_name', 'head_field', 'head_change'] as const).map((code) =>
  message(code, {}),
);

function asItIs({ state, itemId }: ChangeRow): string {
  const repeats = state === 'unchanged' && itemId === null;
  return say(message(repeats ? 'same_as_earlier_row' : 'stays_as_it_is', {}));
}
