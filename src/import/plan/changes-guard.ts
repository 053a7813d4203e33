/** Guards against unusually many changes, and against fields that are emptied in bulk. */
import { basename } from 'node:path';
import { UsageError } from '../../errors.ts';
import type { JobRecord, RowCounts } from '../../ledger/ledger.ts';
import { confirmWithUser, type JobDeps } from '../job/deps.ts';
import type { RunOptions } from '../job/options.ts';
import { updatePayload } from '../job/payload.ts';
import { rowPages } from '../job/row-pages.ts';
import { fieldChanges, isEmptied } from '../engine/field-changes.ts';
import { count, counted } from '../../counted.ts';
import { sameJson } from '../../equal-json.ts';
import { type Gate, isAgreed, withConsent } from '../engine/gate.ts';

const MOST_CHANGES = 500;
/** A selection of at least so many items asks if it takes more than this share of the account. */
const LEAST_SELECTED = 50;
const MOST_SHARE = 0.9;
/** A field emptied in this many items is usually a mistake: a wrong column, or an active filter. */
const BULK = 10;

/** The guard that was not confirmed; undefined if the updates may be sent. A canary (`--first`) confirms only its own rows. */
export async function changesGuard(
  job: JobRecord,
  counts: RowCounts,
  deps: JobDeps,
  run: RunOptions,
): Promise<UsageError | undefined> {
  if (counts.plannedUpdates === 0) return undefined;
  const { agreed = {} } = job.options;
  const planned = await plannedUpdates(job, deps);
  const gates = (await gatesOf(job, planned, deps, run)).filter((gate) => !isAgreed(agreed, gate));
  if (run.yes !== true)
    for (const { question, refusal } of gates) if (!(await confirmWithUser(deps, question))) return refusal;
  if (run.first !== undefined && run.first < counts.planned) return undefined;
  // A higher --max-changes agrees, too, and a resume has its own.
  const changes = { about: CHANGES, actions: planned.updates };
  const kept = withConsent(agreed, planned.updates.length > MOST_CHANGES ? [...gates, changes] : gates);
  if (sameJson(kept, agreed)) return undefined;
  job.options = { ...job.options, agreed: kept };
  await deps.ledger.jobs.update(job.id, { options: job.options });
  return undefined;
}

/** What an undo and `--max-changes` ask about. */
const CHANGES = 'changes';

interface PlannedUpdates {
  /** Ordinals. */
  updates: number[];
  /** Ordinals of the updates that empty a field, by field. */
  emptied: Map<string, number[]>;
}

async function plannedUpdates(job: JobRecord, { ledger }: JobDeps): Promise<PlannedUpdates> {
  const planned: PlannedUpdates = { updates: [], emptied: new Map() };
  for await (const rows of rowPages(ledger, job.id, { states: ['planned'], actions: ['update'] })) {
    for (const row of rows) {
      planned.updates.push(row.ordinal);
      // An undo empties only what its job had filled.
      if (job.kind === 'undo') continue;
      for (const { field, to } of fieldChanges(updatePayload(row)))
        if (isEmptied(to)) {
          const ordinals = planned.emptied.get(field) ?? [];
          planned.emptied.set(field, ordinals);
          ordinals.push(row.ordinal);
        }
    }
  }
  return planned;
}

async function gatesOf(
  job: JobRecord,
  { updates, emptied }: PlannedUpdates,
  deps: JobDeps,
  run: RunOptions,
): Promise<Gate[]> {
  if (job.kind === 'undo' && deps.confirm !== undefined)
    return [undoGate(updates, await deps.ledger.jobs.find(job.options.undoes ?? ''))];
  const gates: Gate[] = [];
  const most = run.maxChanges ?? MOST_CHANGES;
  const changes = Math.min(updates.length, run.first ?? Number.POSITIVE_INFINITY);
  const what = `${counted(changes, 'item')} would be changed, more than ${most}`;
  const look = `Look at the plan: shelflift jobs show ${job.id} --changes. To send it: shelflift jobs apply ${job.id} --yes`;
  const selection = changes < LEAST_SELECTED ? undefined : mostOfAccount(job);
  if (selection !== undefined)
    gates.push({
      about: 'selection',
      actions: updates,
      question: `${selection}. Continue?`,
      refusal: new UsageError('too_many_changes', `${selection}. Nothing was sent.`, { remedy: look }),
    });
  else if (changes > most)
    gates.push({
      about: CHANGES,
      actions: updates,
      question: `${what}. Continue?`,
      refusal: new UsageError('too_many_changes', `${what}. Nothing was sent.`, {
        remedy: `${look} (or a larger --max-changes)`,
      }),
    });
  if (run.first !== undefined && run.first < BULK) return gates;
  for (const [field, actions] of emptied) {
    if (actions.length < BULK) continue;
    const emptying = `${field} would be emptied in ${counted(actions.length, 'item')}`;
    gates.push({
      about: `emptied ${field}`,
      actions,
      question: `${emptying}. Continue?`,
      refusal: new UsageError('field_emptied', `${emptying}. Nothing was sent.`, { remedy: look }),
    });
  }
  return gates;
}

/** A selection of nearly everything is usually a mistake in it; undefined for less, and for a file that names its items. */
function mostOfAccount({ kind, source, sheetRows, options }: JobRecord): string | undefined {
  const { items = 0 } = options.reading ?? {};
  const isSelected = kind === 'set' && source.format === 'none' && items > 0;
  if (!isSelected || sheetRows < LEAST_SELECTED || sheetRows <= items * MOST_SHARE) return undefined;
  const percent = Math.floor((sheetRows * 100) / items);
  return `The selection takes ${count(sheetRows)} of ${counted(items, 'item')} (${percent}%)`;
}

/** Names what an undo is about: `last` may be another job than the user thinks of. */
function undoGate(actions: number[], { kind, mode, source, createdAt, options }: JobRecord): Gate {
  const what = kind === 'import' && mode === 'create' ? 'creation' : 'change';
  const of = kind === 'import' ? `'${basename(source.file)}'` : `'${options.request ?? kind}'`;
  return {
    about: CHANGES,
    actions,
    question: `Undo ${counted(actions.length, what)} of ${of}, ${localTime(createdAt)}?`,
    refusal: new UsageError('not_confirmed', 'The undo was not confirmed. Nothing was sent.', {
      remedy: `To undo another job, find it with: shelflift jobs list`,
    }),
  };
}

/** The time of today, or date and time, where the user is. */
function localTime(ms: number): string {
  const [date, time] = new Date(ms).toLocaleString('sv-SE').split(' ');
  const [today] = new Date().toLocaleString('sv-SE').split(' ');
  return `${date === today ? '' : `${date ?? ''} `}${time?.slice(0, 5) ?? ''}`;
}
