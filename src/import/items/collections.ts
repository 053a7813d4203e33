/** Resolves the collections that rows name, once per job. */
import type { ApiClient } from '../../api/client.ts';
import { loadCollections } from '../../api/load-collections.ts';
import { choices, type CollectionProblem, resolveCollection } from '../../api/resolve-collection.ts';
import type { Collection, Item } from '../../api/schemas.ts';
import { UsageError } from '../../base/errors.ts';
import { isUuid } from '../../base/uuid.ts';
import type { JobRecord, Ledger, StoredIssue } from '../../ledger/ledger.ts';
import { message } from '../../messages/message.ts';
import type { Action, Message } from '../../messages/params.ts';
import type { Emit } from '../job/events.ts';
import { issueOf } from '../engine/stored-issue.ts';
import { decideRows } from '../job/row-pages.ts';
import { PlanIssues } from '../job/plan-issues.ts';

/** The job stores this many collections, so that a resume can detect another team's key. */
export const COLLECTIONS_KEPT = 20;

/** A few of the collections that contain the items: a key of another team sees none of them. */
export function teamCollections(items: Iterable<Item>): string[] {
  const ids = new Set<string>();
  for (const item of items) {
    ids.add(item.collection_id.toLowerCase());
    if (ids.size === COLLECTIONS_KEPT) break;
  }
  return [...ids];
}

/**
 * Reference → id for every collection that planned rows name. Rows with an unknown or ambiguous name become invalid.
 *
 * @throws UsageError `unknown_collection`, `ambiguous_collection` for `--collection`;
 *   `no_collection` if neither the command nor the file names any
 */
export async function resolveCollections(
  job: JobRecord,
  ledger: Ledger,
  collections: Collection[] | undefined,
  emit: Emit,
): Promise<Record<string, string>> {
  const { request } = job;
  const resolved: Record<string, string> = {};
  const wrong = new Map<string | null, StoredIssue>();
  const references = await ledger.rows.collectionReferences(job.id);
  // A wrong --collection is an error even if every row is invalid for another reason.
  if (request.collection !== undefined && !references.includes(null)) references.push(null);
  for (const reference of references) {
    const text = reference ?? request.collection;
    if (text === undefined) {
      // An update without a collection leaves the item where it is.
      if (job.mode === 'update') continue;
      if (job.plan.noCollectionColumn && job.mode === 'create') throw noCollection(collections);
      const issue = issueOf('required', message('row_without_collection', {}));
      if (job.mode === 'create') wrong.set(reference, issue);
      continue;
    }
    const found = resolveReference(text, collections);
    if ('id' in found) {
      resolved[reference ?? ''] = found.id;
      continue;
    }
    if (reference === null) throw wrongCollection(found);
    wrong.set(reference, issueOf(found.code, found.said, { field: 'collection', found: reference }));
  }
  if (wrong.size > 0) await invalidate(job, ledger, wrong, emit);
  return resolved;
}

/**
 * Checks `--collection` before any row is judged.
 *
 * @returns the collections of the team; undefined if they cannot be listed now; the plan then asks again
 * @throws UsageError `unknown_collection`, `ambiguous_collection`
 */
export async function checkCollection(
  reference: string,
  client: ApiClient,
  signal: AbortSignal,
): Promise<Collection[] | undefined> {
  // The file is read, and its problems are reported, even while the API is down.
  const collections = await loadCollections(client, signal).catch(() => undefined);
  const found = collections === undefined ? undefined : resolveReference(reference, collections);
  if (found !== undefined && 'code' in found) throw wrongCollection(found);
  return collections;
}

function wrongCollection({ code, said }: CollectionProblem): UsageError {
  return new UsageError(code, said, { actions: [{ do: 'byHand', label: message('use_name_or_id', {}) }] });
}

/** @param collections undefined if the key is not allowed to list them: an id needs no list */
export function resolveReference(
  text: string,
  collections: Collection[] | undefined,
): ReturnType<typeof resolveCollection> {
  if (collections !== undefined) return resolveCollection(collections, text);
  // Without the scope an id cannot be checked here: the server checks it.
  if (isUuid(text)) return { id: text.toLowerCase() };
  return {
    code: 'unknown_collection',
    said: message('collection_not_readable', { name: text }),
  };
}

async function invalidate(
  job: JobRecord,
  ledger: Ledger,
  wrong: ReadonlyMap<string | null, StoredIssue>,
  emit: Emit,
): Promise<void> {
  const issues = new PlanIssues();
  const open = { states: ['planned', 'invalid'] } as const;
  await decideRows(job.id, ledger, open, ({ collection, copy, sheetRow, sheet, issues: found }) => {
    const issue = wrong.get(collection);
    // Planned again after a kill, it has the problem already.
    if (issue === undefined || found.some(({ message }) => message === issue.message)) return undefined;
    if (copy === 0) issues.add({ row: sheetRow, sheet }, issue, collection ?? undefined);
    return { to: 'invalid', issues: [...found, issue] };
  });
  issues.tell(emit);
}

export function noCollection(collections: Collection[] | undefined): UsageError {
  const params = collections === undefined ? { more: 0 } : choices(collections);
  const option = (name: string, value: string, label: Message): Action => ({
    do: 'setOption',
    option: name,
    value,
    label,
  });
  return new UsageError(
    'no_collection',
    message(
      'no_collection',
      params,
      option('collection', 'NAME', message('give_collection', {})),
      option('map', 'collection=HEADER', message('to_name_collection_column', {})),
    ),
  );
}
