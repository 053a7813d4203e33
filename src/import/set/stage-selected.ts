/**
 * Stages the items of a status, collection or expression. The list is read once: each row is planned while it is
 * staged.
 */
import { updateText } from '../engine/operation.ts';
import type { z } from 'zod';
import { FieldWatch } from '../../api/field-watch.ts';
import type { Item, ItemStatus } from '../../api/schemas.ts';
import { UsageError } from '../../base/errors.ts';
import { untilAccounted } from '../engine/absence.ts';
import { NO_INTENTS, type Reading } from '../engine/reading.ts';
import type { NewRow } from '../../ledger/ledger.ts';
import { loadCollections } from '../../api/load-collections.ts';
import { COLLECTIONS_KEPT, resolveReference } from '../items/collections.ts';
import { english, message } from '../../messages/message.ts';
import { everyItem, ListMovedError } from '../../listing/every-item.ts';
import type { JobDeps } from '../job/deps.ts';
import { difference } from '../changes/difference.ts';
import { expectSelected } from '../changes/selected.ts';
import { CurrenciesChanged } from '../changes/relative.ts';
import { PlanNotes } from '../changes/plan-notes.ts';
import { newUpdate } from '../job/new-job.ts';
import { PlanIssues } from '../job/plan-issues.ts';
import type { Assignments } from './assignments.ts';
import type { ItemLookup, JobPlan } from '../../ledger/job-parts.ts';
import { parseAll, parseWhere, type WhereOption } from '../../where/where.ts';
import { asLastChanged } from '../items/own-changes.ts';
import { whereTest } from '../items/where-test.ts';

const BATCH = 500;

/** The items to change, if no file lists them. */
export interface Selection {
  /** Items with one of these statuses, in place of a file. */
  status?: readonly ItemStatus[];
  /** Items of this collection, by name or id, in place of a file, alone or together with `status`. */
  collection?: string;
  /** Items that meet all of these expressions, in place of a file, alone or together with the others. */
  where?: z.infer<typeof WhereOption>;
}

/**
 * Filters by status here and not on the server: a list of one status loses items while it is read, and no count can
 * prove that none was missed.
 *
 * @throws UsageError `unknown_collection`, `ambiguous_collection`
 * @throws ListMovedError if items may be missing
 */
export async function stageSelected(
  jobId: string,
  request: Selection,
  { patch, collection }: Assignments,
  deps: JobDeps,
): Promise<Pick<JobPlan, 'teamCollections' | 'reading' | 'accounted'> & { rows: number }> {
  const { client, clock, ledger, signal, emit } = deps;
  const among = await collectionId(request.collection, deps);
  const target = await collectionId(collection, deps);
  let rows: NewRow[] = [];
  let ordinal = 0;
  let most = 0;
  let problems = new PlanIssues();
  let currencies = new CurrenciesChanged();
  let notes = new PlanNotes();
  const collections = new Set<string>();
  const keep = async () => {
    await ledger.rows.stage(jobId, rows);
    rows = [];
  };
  const chosen = [
    ...parseAll(request.where),
    ...(request.status === undefined || request.status.length === 0
      ? []
      : [parseWhere(`status in (${request.status.join(', ')})`)]),
    ...(among === undefined ? [] : [parseWhere(`collection_id="${among}"`)]),
  ];
  const where = await whereTest(chosen, deps);
  const decisive = [
    ...chosen.flatMap(({ fields }) => fields),
    ...Object.keys(patch.relative ?? {}),
    ...(patch.tags === undefined ? [] : ['tags']),
  ];
  const intents = (await deps.readings?.intents()) ?? NO_INTENTS;
  const take = (item: Item, reading: Reading) => {
    if (!where.passes(item)) return;
    deps.readings?.note(item, reading);
    ordinal += 1;
    if (collections.size < COLLECTIONS_KEPT) collections.add(item.collection_id.toLowerCase());
    rows.push(rowOf(item, ordinal));
  };
  const current = await asLastChanged(deps);
  const read = (shown: (items: readonly Item[]) => void) => {
    most = Math.max(most, ordinal);
    [rows, ordinal] = [[], 0];
    [problems, currencies, notes] = [new PlanIssues(), new CurrenciesChanged(), new PlanNotes()];
    return everyItem({
      client,
      clock,
      signal,
      watch: new FieldWatch('each', decisive),
      onItems: async (page, askedAt) => {
        shown(page);
        for (const item of await current(page)) take(item, { at: askedAt, intents, isListed: true });
        if (rows.length >= BATCH) await keep();
      },
      onRead: (done, total) => emit({ type: 'checking', done, total }),
    });
  };
  const { items, requests } = await untilAccounted(client.target, null, deps, read, {
    take: (item, at) => take(item, { at, intents }),
    fields: decisive,
  });
  await keep();
  // Rows of an earlier reading would be left over.
  if (ordinal < most) throw new ListMovedError(message('fewer_items_in_second_reading', {}));
  currencies.check();
  problems.tell(emit);
  notes.tell(emit);
  where.check((said) => emit({ type: 'note', message: english(said), said }));
  const reading: ItemLookup = { way: 'pages', items, requests };
  const accounted = deps.readings?.accounted ?? 0;
  return {
    rows: ordinal,
    teamCollections: [...collections],
    reading,
    ...(Number.isFinite(accounted) ? { accounted } : {}),
  };

  function rowOf(item: Item, place: number): NewRow {
    const found = difference(patch, item, target);
    if (found.to === 'invalid') for (const issue of found.issues) problems.add({ row: place }, issue);
    if ('update' in found) {
      currencies.note(item, patch, found.update);
      notes.add(item, found.update);
    }
    return newUpdate({
      ordinal: place,
      sheetRow: place,
      state: found.to,
      itemId: item.id.toLowerCase(),
      source: JSON.stringify([item.id, item.name]),
      ...('update' in found
        ? {
            operation: updateText({ ...found.update, expect: expectSelected(chosen, where, item) }),
            issues: found.update.unset ?? [],
          }
        : { issues: found.issues }),
    });
  }
}

async function collectionId(reference: string | undefined, deps: JobDeps): Promise<string | undefined> {
  if (reference === undefined) return undefined;
  const found = resolveReference(reference, await loadCollections(deps.client, deps.signal));
  if ('id' in found) return found.id;
  throw new UsageError(found.code, found.said, {
    actions: [{ do: 'byHand', label: message('use_name_or_id', {}) }],
  });
}
