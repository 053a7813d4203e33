/** The rows of a plan that are known from earlier jobs: how many, in words, and which are left out. */
import { fieldsOfCreate } from '../engine/input.ts';
import { basename } from 'node:path';
import { MissingScopeError } from '../../api/errors.ts';
import type { Item } from '../../api/schemas.ts';
import { count, counted } from '../../counted.ts';
import type { JobRecord, RowMove, StoredIssue } from '../../ledger/ledger.ts';
import { CUSTOM_PREFIX } from '../../mapping/custom-prefix.ts';
import { shellWord } from '../../shell-word.ts';
import { fieldOf } from '../engine/field-changes.ts';
import { alikeField } from '../engine/equality.ts';
import type { JobDeps } from '../job/deps.ts';
import { candidatesOf } from '../items/candidates.ts';
import { itemsById } from '../items/current-items.ts';
import type { Comparison, Finding } from './compare.ts';

/**
 * Rows that were sent before are skipped or held. A row that has changed since is held, because it needs an update,
 * unless its item has all of its values already.
 */
export async function moveKnown(
  job: JobRecord,
  deps: JobDeps,
  { comparison, counts }: { comparison: Comparison; counts: SentBefore },
  sent: 'skip' | 'hold',
): Promise<void> {
  const { ledger, emit } = deps;
  let held = 0;
  let update: string | undefined;
  for await (const findings of comparison.findings()) {
    const items = await itemsOfChanged(findings, deps);
    const moves = findings.map((finding): RowMove => {
      const item = items.get(finding.earlier.itemId ?? '');
      const isThere = finding.as === 'changed' && holds(item, finding);
      const isKnown = finding.as === 'sent' && sent === 'skip' && doubtOf(finding) === undefined;
      const to = isThere || isKnown ? 'skipped' : 'held';
      if (to === 'held') held += 1;
      const issue = {
        ...issueOf(job, finding, isThere, to, comparison),
        ...(to === 'held' && item !== undefined ? candidatesOf([item]) : {}),
      };
      if (finding.as === 'changed' && !isThere) update = updateCommand(job, finding);
      return { ordinal: finding.row.ordinal, from: 'planned', to, issues: [issue] };
    });
    await ledger.rows.move(job.id, moves);
  }
  const what =
    counts.sent === 0
      ? counted(counts.changed, 'row has changed since it was sent', 'rows have changed since they were sent')
      : sentBeforeText(counts, comparison);
  const parts = [
    what,
    held === 0 ? 'what was sent before is skipped' : `${counted(held, 'row is', 'rows are')} held`,
    ...(update === undefined ? [] : [`to update items: ${update}`]),
  ];
  emit({ type: held === 0 ? 'note' : 'warning', message: parts.join('; ') });
}

function issueOf(
  job: JobRecord,
  finding: Finding,
  isThere: boolean,
  to: 'skipped' | 'held',
  { earlier }: Comparison,
): StoredIssue {
  const { jobId, ordinal, sheetRow, state, itemId } = finding.earlier;
  const where = `row ${sheetRow} of ${basename(earlier.get(jobId)?.source.file ?? '')} in job ${jobId}`;
  const item = { sentAs: { job: jobId, ordinal }, ...(itemId === null ? {} : { itemId }) };
  if (finding.as === 'changed' && !isThere) {
    const { field, text } = finding.identifier;
    const message = `${field} ${text} was sent before with other values (${where}); to update its item: ${updateCommand(job, finding)}`;
    return { code: 'row_changed', message, column: field, ...item };
  }
  const doubt = doubtOf(finding);
  if (doubt !== undefined)
    return { code: 'sent_before', message: `it may be there (${where}): ${doubt}`, ...item };
  const waits = state === 'planned' ? `, which has not sent it yet: shelflift jobs resume ${jobId}` : '';
  const message = isThere
    ? `its item already has all of these values; it was sent before (${where})`
    : `it was sent before (${where}${waits})`;
  return to === 'skipped'
    ? { code: 'already_sent', message, ...item }
    : {
        code: 'sent_before',
        message: `${message}; if it is a different thing: shelflift jobs resolve ${job.id} --row ${finding.row.sheetRow} --as retry`,
        ...item,
      };
}

/** Why it is not certain that the earlier row is there, if so: a person finds out first. */
function doubtOf({ earlier: { jobId, state, perhapsUndoneBy } }: Finding): string | undefined {
  if (perhapsUndoneBy !== undefined)
    return `what job ${perhapsUndoneBy} has taken back is not certain; to find out: shelflift jobs resume ${perhapsUndoneBy}`;
  return state === 'held' ? `that row is held; decide it first: shelflift jobs show ${jobId}` : undefined;
}

/** The command that imports the same file as an update, matched by what identifies the row. */
function updateCommand(job: JobRecord, finding: Extract<Finding, { as: 'changed' }>): string {
  const { readAs = '' } = job.request;
  const match = shellWord(`${CUSTOM_PREFIX}${finding.identifier.field}`);
  const file = job.source.isStdin === true ? '-' : shellWord(job.source.file);
  return `shelflift import ${file}${readAs} --mode update --match ${match}`;
}

/** The items of changed rows as they are now; none if the key may not read. */
async function itemsOfChanged(findings: readonly Finding[], deps: JobDeps): Promise<Map<string, Item>> {
  const ids = findings.flatMap(({ as, earlier }) =>
    as === 'changed' && earlier.itemId !== null ? [earlier.itemId] : [],
  );
  if (ids.length === 0) return new Map();
  try {
    return (await itemsById(deps, new Set(ids))).items;
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
  /** What is counted: with a quantity column, items. */
  unit: 'row' | 'item';
  /** Rows to create, before anything is decided. */
  planned: number;
  /** Of these, rows that were sent before, in all and by job. */
  sent: number;
  byJob: Map<string, number>;
  /** Of `sent`, rows that an earlier job has not sent yet, by job. */
  waiting: Map<string, number>;
  /** Rows whose identifier was sent before, with other values. */
  changed: number;
}

export async function countFindings(
  comparison: Comparison,
  { planned, unit }: Pick<SentBefore, 'planned' | 'unit'>,
): Promise<SentBefore> {
  const counts: SentBefore = { unit, planned, sent: 0, byJob: new Map(), waiting: new Map(), changed: 0 };
  const add = (to: Map<string, number>, job: string) => to.set(job, (to.get(job) ?? 0) + 1);
  for await (const findings of comparison.findings()) {
    for (const { as, earlier } of findings) {
      if (as === 'changed') counts.changed += 1;
      else {
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
  { planned, byJob }: SentBefore,
  { earlier }: Pick<Comparison, 'earlier'>,
): boolean {
  const nameOf = ({ source }: JobRecord) => basename(source.file);
  return [...byJob].some(([id, rows]) => {
    const other = earlier.get(id);
    return 2 * rows >= planned || (other !== undefined && nameOf(other) === nameOf(job));
  });
}

/** `840 of 870 rows were sent before (by job … of toys.csv); 30 are new` */
export function sentBeforeText(counts: SentBefore, { earlier }: Pick<Comparison, 'earlier'>): string {
  const { unit, planned, sent, byJob, waiting, changed } = counts;
  const [first, ...others] = [...byJob].sort(([, a], [, b]) => b - a);
  const [id, most] = first ?? ['', 0];
  const file = basename(earlier.get(id)?.source.file ?? '');
  const by =
    others.length === 0
      ? `by job ${id} of ${file}`
      : `${counted(most, unit)} by job ${id} of ${file}, the others by ${counted(others.length, 'other job')}`;
  const some =
    sent === planned ? `All ${counted(planned, unit)}` : `${count(sent)} of ${counted(planned, unit)}`;
  const fresh = planned - sent - changed;
  const parts = [
    `${some} ${sent === 1 ? 'was' : 'were'} sent before (${by})`,
    ...[...waiting].map(
      ([job, rows]) => `job ${job} has not sent ${count(rows)} of them yet (shelflift jobs resume ${job})`,
    ),
    ...(changed === 0 ? [] : [counted(changed, `${unit} has changed since`, `${unit}s have changed since`)]),
    fresh === 0 ? 'none is new' : counted(fresh, 'is new', 'are new'),
  ];
  return parts.join('; ');
}
