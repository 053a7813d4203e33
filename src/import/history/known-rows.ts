/**
 * The rows of a plan that earlier jobs have sent: their number, the message about them, and which of them are left out.
 */
import { fieldsOfCreate } from '../engine/input.ts';
import { basename } from 'node:path';
import { MissingScopeError } from '../../api/errors.ts';
import type { Item } from '../../api/schemas.ts';
import { message, withActions } from '../../messages/message.ts';
import type { Action, Message, MessageParams } from '../../messages/params.ts';
import type { JobRecord, Ledger, RowMove, StoredIssue } from '../../ledger/ledger.ts';
import { rowNameText } from '../../ledger/row-name.ts';
import { fold } from '../../mapping/fold.ts';
import { CUSTOM_PREFIX } from '../../mapping/custom-prefix.ts';
import { fieldOf } from '../engine/field-changes.ts';
import { alikeField } from '../engine/equality.ts';
import { issueOf } from '../engine/stored-issue.ts';
import type { JobDeps } from '../job/deps.ts';
import { noteOf, warningOf } from '../job/events.ts';
import { candidatesOf } from '../items/candidates.ts';
import { itemsById } from '../items/current-items.ts';
import type { Comparison, Finding } from './compare.ts';
import { identifiersOf } from './row-hashes.ts';

/**
 * Rows that were sent before are skipped or held. A row that has changed since is held, because it needs an update,
 * unless its item already has all of its values.
 */
export async function moveKnown(
  job: JobRecord,
  deps: JobDeps,
  { comparison, counts }: { comparison: Comparison; counts: SentBefore },
  sent: 'skip' | 'hold',
): Promise<void> {
  const { ledger, emit } = deps;
  let held = 0;
  let leftHeld = 0;
  let update: Action | undefined;
  let isByName = false;
  for await (const findings of comparison.findings()) {
    const items = await itemsOfChanged(findings, deps);
    const codes = await codesBefore(findings, ledger);
    const moves = findings.map((finding): RowMove => {
      const item = items.get(finding.earlier.itemId ?? '');
      const isThere = finding.as === 'changed' && holds(item, finding);
      const isKnown = finding.as === 'sent' && sent === 'skip' && doubtOf(finding) === undefined;
      const to = isThere || isKnown ? 'skipped' : 'held';
      if (to === 'held') held += 1;
      if (to === 'held' && isLeft(finding)) leftHeld += 1;
      const issue = {
        ...knownIssue(finding, isThere, to, comparison, codes),
        ...(to === 'held' && item !== undefined ? candidatesOf([item]) : {}),
      };
      const identifier =
        finding.as === 'changed' && finding.isRewritten !== true ? finding.identifier : undefined;
      if (identifier !== undefined && !isThere)
        [update, isByName] = [updateAction(job, identifier.field), identifier.field === 'name'];
      return { ordinal: finding.row.ordinal, from: 'planned', to, issues: [issue] };
    });
    await ledger.rows.move(job.id, moves);
  }
  const { sent: all, changed, left, planned, unit } = counts;
  const tell = (said: Message, heldOfThem: number) => emit(heldOfThem === 0 ? noteOf(said) : warningOf(said));
  if (left > 0) tell(message('rows_left_out', { rows: left, held: leftHeld }), leftHeld);
  held -= leftHeld;
  if (all + changed === 0) return;
  const said =
    all === 0
      ? message('rows_changed_since', { changed, held })
      : message('rows_sent_before_note', { ...sentBefore(counts, comparison), held });
  if (update === undefined) return tell(said, held);
  // Things of one name may be different things.
  const label = message('to_create_all', { rows: planned, areItems: unit === 'item' });
  const create: Action[] = isByName ? [{ do: 'setOption', option: 'all-rows', label }] : [];
  tell(withActions(said, update, ...create), held);
}

/** The issue of a row that was sent before. */
export function knownIssue(
  finding: Finding,
  isThere: boolean,
  to: 'skipped' | 'held',
  { earlier }: Comparison,
  codes: ReadonlyMap<string, string> = new Map(),
): StoredIssue {
  const { jobId, ordinal, sheetRow, state, attempts, itemId, perhapsUndoneBy, backAfter } = finding.earlier;
  const where = { row: sheetRow, job: jobId, file: basename(earlier.get(jobId)?.source.file ?? '') };
  const name = { job: jobId, ordinal };
  const answer = isLeft(finding) ? { leftAs: name } : { sentAs: name };
  const item = { ...answer, ...(itemId === null ? {} : { itemId }) };
  if (finding.as === 'changed' && !isThere) {
    if (finding.identifier === undefined)
      return issueOf('row_changed', message('row_edited', { row: sheetRow, job: jobId }), item);
    const { field, text } = finding.identifier;
    const code = codes.get(rowNameText({ job: jobId, ordinal }));
    const said =
      code === undefined
        ? message('row_changed', { field, text, ...where })
        : message('code_rewritten', { field, text, code, ...where });
    // Of a row that was taken back, there is no item to change.
    if (finding.earlier.isTakenBack === true) return issueOf('sent_before', said, { column: field });
    return issueOf('row_changed', said, { column: field, ...item });
  }
  const doubt = doubtOf(finding);
  const said =
    doubt === undefined
      ? isThere
        ? message('item_has_all_values', where)
        : state === 'planned'
          ? message('row_not_sent_yet', where)
          : isLeft(finding)
            ? message(attempts === 0 ? 'row_left_out' : 'row_left_in_doubt', where)
            : backAfter === undefined
              ? message('it_was_sent_before', where)
              : message('row_is_back', { ...where, undo: backAfter })
      : doubt === 'undo'
        ? message('row_perhaps_undone', { ...where, undo: perhapsUndoneBy ?? '' })
        : message(doubt === 'held' ? 'row_held_there' : 'row_in_other_columns', where);
  const isSent = doubt === undefined && to === 'skipped';
  return issueOf(isSent ? 'already_sent' : 'sent_before', said, item);
}

/** True if a person has left the earlier row out. */
function isLeft({ as, earlier }: Finding): boolean {
  return as === 'sent' && earlier.state === 'skipped';
}

/** Why it is uncertain that the item of the row exists, if it is: a person has to find out first. */
function doubtOf(finding: Finding): 'undo' | 'held' | 'columns' | undefined {
  const { state, perhapsUndoneBy, hasOtherColumns } = finding.earlier;
  if (perhapsUndoneBy !== undefined) return 'undo';
  if (state === 'held') return 'held';
  return hasOtherColumns === true ? 'columns' : undefined;
}

/** The action to import the same file as an update, matched by the field that identifies its rows. */
export function updateAction({ request, source }: JobRecord, field: string): Action {
  return {
    do: 'run',
    command: 'import',
    args: [source.isStdin === true ? '-' : source.file],
    options: {
      ...request.readAs,
      mode: 'update',
      match: field === 'name' ? field : `${CUSTOM_PREFIX}${field}`,
    },
    label: message('to_update_items', {}),
  };
}

/** The codes that earlier rows had before a spreadsheet program rewrote them, by the names of these rows. */
async function codesBefore(findings: readonly Finding[], ledger: Ledger): Promise<Map<string, string>> {
  const codes = new Map<string, string>();
  const rewritten = findings.filter((each) => each.as === 'changed' && each.isRewritten === true);
  for (const [job, all] of Map.groupBy(rewritten, ({ earlier }) => earlier.jobId)) {
    const ordinals = [...new Set(all.map(({ earlier }) => earlier.ordinal))];
    const rows = await ledger.rows.list(job, { ordinals, limit: ordinals.length });
    const byOrdinal = new Map(rows.map((row) => [row.ordinal, row]));
    for (const finding of all) {
      if (finding.as !== 'changed' || finding.identifier === undefined) continue;
      const { field, text } = finding.identifier;
      const { ordinal } = finding.earlier;
      const row = byOrdinal.get(ordinal);
      const before = row && identifiersOf(row).find((each) => fold(each.field) === fold(field));
      codes.set(rowNameText({ job, ordinal }), before?.text ?? text);
    }
  }
  return codes;
}

/** The current items of changed rows; empty if the key may not read items. */
async function itemsOfChanged(findings: readonly Finding[], deps: JobDeps): Promise<Map<string, Item>> {
  const ids = findings.flatMap(({ as, earlier }) =>
    as === 'changed' && earlier.itemId !== null && earlier.isTakenBack === undefined ? [earlier.itemId] : [],
  );
  if (ids.length === 0) return new Map();
  try {
    return (await itemsById(deps, new Set(ids), { patiently: deps.patiently })).items;
  } catch (error) {
    if (error instanceof MissingScopeError) return new Map();
    throw error;
  }
}

/** True if an item has all values of a row. */
function holds(item: Item | undefined, { row }: Finding): boolean {
  if (item === undefined) return false;
  const { custom_fields: custom = {}, ...fields } = fieldsOfCreate(row);
  const wanted = [
    ...Object.entries(fields),
    ...Object.entries(custom as object).map(([key, value]) => [`${CUSTOM_PREFIX}${key}`, value] as const),
  ];
  return wanted.every(([field, value]) => alikeField(field, value, fieldOf(item, field)));
}

export interface SentBefore {
  /** The unit of the counts: items if there is a quantity column. */
  unit: 'row' | 'item';
  /** Rows to create before any decision. */
  planned: number;
  /** Planned rows that were sent before, in total and by job. */
  sent: number;
  byJob: Map<string, number>;
  /** Of `sent`, rows that an earlier job has not sent yet, by job. */
  waiting: Map<string, number>;
  /** Rows whose identifier was sent before, with other values. */
  changed: number;
  /** Rows that a person left out of an earlier job, and the ids of these jobs. */
  left: number;
  leftBy: Set<string>;
}

export async function countFindings(
  comparison: Comparison,
  { planned, unit }: Pick<SentBefore, 'planned' | 'unit'>,
): Promise<SentBefore> {
  const counts: SentBefore = {
    unit,
    planned,
    sent: 0,
    byJob: new Map(),
    waiting: new Map(),
    changed: 0,
    left: 0,
    leftBy: new Set(),
  };
  const add = (to: Map<string, number>, job: string) => to.set(job, (to.get(job) ?? 0) + 1);
  for await (const findings of comparison.findings()) {
    for (const finding of findings) {
      const { as, earlier } = finding;
      if (as === 'changed') counts.changed += 1;
      else if (isLeft(finding)) {
        counts.left += 1;
        counts.leftBy.add(earlier.jobId);
      } else {
        counts.sent += 1;
        add(counts.byJob, earlier.jobId);
        if (earlier.state === 'planned') add(counts.waiting, earlier.jobId);
      }
    }
  }
  return counts;
}

/** True if the file continues an earlier one: it has the same name, or one job has sent at least half of its rows. */
export function continuesEarlier(
  job: JobRecord,
  { planned, byJob, leftBy }: SentBefore,
  { earlier }: Pick<Comparison, 'earlier'>,
): boolean {
  const nameOf = ({ source }: JobRecord) => basename(source.file);
  const isNamed = (id: string) => {
    const other = earlier.get(id);
    return other !== undefined && nameOf(other) === nameOf(job);
  };
  return [...byJob].some(([id, rows]) => 2 * rows >= planned || isNamed(id)) || [...leftBy].some(isNamed);
}

/** The message about rows that were sent before. */
export function sentBefore(
  counts: SentBefore,
  { earlier }: Pick<Comparison, 'earlier'>,
): MessageParams<'ask_rows_sent_before'> {
  const { unit, planned, sent, byJob, waiting, changed, left } = counts;
  const [first, ...others] = [...byJob].sort(([, a], [, b]) => b - a);
  const [job, most] = first ?? ['', 0];
  return {
    sent,
    planned,
    areItems: unit === 'item',
    job,
    file: basename(earlier.get(job)?.source.file ?? ''),
    byJob: most,
    others: others.length,
    waiting: [...waiting].map(([other, rows]) => message('job_has_not_sent', { job: other, rows })),
    changed,
    left,
    fresh: planned - sent - changed - left,
  };
}

/** The actions that make the jobs that own some of the rows send them. */
export function sendOthers({ waiting }: SentBefore): Action[] {
  return [...waiting.keys()].map((job) => ({
    do: 'resume',
    job,
    label: message('to_send_its_rest', { job }),
  }));
}
