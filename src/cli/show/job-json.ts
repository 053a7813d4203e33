/** A job as `--json` prints it: keys in snake_case, times in seconds, actions with their commands (design §2, JSON). */
import type { ChangeRow } from '../../import/review/change-rows.ts';
import type { PlanReport } from '../../import/review/plan-report.ts';
import type { RowsIssue } from '../../import/results/issues.ts';
import type { JobSummary } from '../../import/results/summary.ts';
import { english } from '../../messages/message.ts';
import type { Action } from '../../messages/params.ts';
import type { GlobalFlags } from '../flags.ts';
import { actionsJson, commandOf, optionsText, withLabel } from './actions.ts';

/** @param rows of the plan, beside its numbers */
export function summaryJson(
  { error, undecided, issues, changes, canary, already, mended, tookMs, ...summary }: JobSummary,
  flags: GlobalFlags,
  rows?: readonly ChangeRow[],
): object {
  return snakeKeys({
    ...summary,
    seconds: tookMs / 1000,
    files: snakeKeys(summary.files),
    ...(canary === undefined ? {} : { canary: canary.map(rowJson) }),
    ...(changes === undefined ? {} : { changes: planJson(changes, rows) }),
    ...(issues === undefined ? {} : { issues: issues.map((issue) => issueJson(issue, flags)) }),
    ...(undecided === undefined ? {} : { undecided: undecidedJson(undecided, flags) }),
    ...(already === undefined ? {} : { already: { ...already, first: already.first.map(snakeKeys) } }),
    ...(mended === undefined ? {} : { mended: mended.map(snakeKeys) }),
    ...(error === undefined ? {} : { error: { ...error, ...actionsJson(error.actions ?? []) } }),
  });
}

function planJson({ values, estimatedMs, ...plan }: PlanReport, rows?: readonly ChangeRow[]): object {
  return {
    ...plan,
    values: values.map(snakeKeys),
    seconds: estimatedMs === null ? null : estimatedMs / 1000,
    ...(rows === undefined ? {} : { rows: rows.map(rowJson) }),
  };
}

/** A kind of problem, with the commands of its corrections and the options of the likeliest one. */
function issueJson({ actions, ...reason }: RowsIssue, flags: GlobalFlags): object {
  const { expectedAs: _, ...issue } = reason;
  const [first] = actions ?? [];
  if (first === undefined) return snakeKeys(issue);
  const decided = actions?.map((action) => ({ ...withLabel(action), command: commandOf(action, flags) }));
  return { ...snakeKeys(issue), fix: optionsText(first.options ?? {}).slice(1), actions: decided };
}

function undecidedJson({ rows, more }: NonNullable<JobSummary['undecided']>, flags: GlobalFlags): object {
  const decision = (action: Action) => ({
    says: english(action.label),
    ...(action.do === 'byHand' ? {} : { command: commandOf(action, flags) }),
    ...withLabel(action),
  });
  const decided = rows.map(({ candidates, otherwise, ...row }) => ({
    ...row,
    candidates: candidates.map(({ action, ...item }) =>
      action === undefined ? item : { ...item, ...decision(action) },
    ),
    otherwise: otherwise.map(decision),
  }));
  return { rows: decided, more };
}

/** `from` and `to` are null for empty values; `issues` is absent if there are none. */
export function rowJson({ row, sheet, issues, state, action, itemId, name, changes }: ChangeRow): object {
  return {
    row,
    ...(sheet === undefined ? {} : { sheet }),
    state,
    action,
    item_id: itemId,
    name,
    changes: changes.map(({ field, from = null, to = null }) => ({ field, from, to })),
    ...(issues.length === 0 ? {} : { issues }),
  };
}

/** Converts the keys of an object, but not those of nested objects. */
function snakeKeys(object: object): Record<string, unknown> {
  const snake = (key: string) => key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [snake(key), value]));
}
