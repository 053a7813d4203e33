/** The query of an export, with names resolved. */
import { MissingScopeError } from '../api/errors.ts';
import { message } from '../messages/message.ts';
import { resolveCollection } from '../api/resolve-collection.ts';
import type { Collection, Item } from '../api/schemas.ts';
import { UsageError } from '../base/errors.ts';
import { chooseColumns, COLLECTION_COLUMNS, SALES_COLUMNS } from './write/flat-tables.ts';
import { checkItemColumns } from './write/item-columns.ts';
import { fieldsOf } from './layout/compile-columns.ts';
import { COLLECTION_NAME, ItemValues } from '../where/item-values.ts';
import { WhereTest } from '../where/where-test.ts';
import { readPasses } from '../listing/read-passes.ts';
import type { CheckedRequest, ExportResource } from './request.ts';
import type { ExportSource } from './read/source.ts';
import { type Team, type TeamMark, teamOf } from './read/team.ts';

export interface Query {
  request: CheckedRequest;
  /** Id in lower case, if a collection was named. */
  collectionId: string | undefined;
  team: TeamMark;
  /** Id in lower case → name; empty if no column needs names. */
  collectionNames: ReadonlyMap<string, string>;
  /** Values of items by the field names of the layout. */
  values: ItemValues;
  /** The expressions of the request and of its layout. */
  where: WhereTest;
}

/**
 * Resolves the collection and checks the columns. The collections are always read, because they identify the team that
 * the file belongs to; a key that is not allowed to read them can still export everything that does not need their
 * names.
 *
 * @throws UsageError `unknown_column`, `double_column`, `unknown_collection`, `ambiguous_collection`
 */
export async function resolveQuery(request: CheckedRequest, source: ExportSource): Promise<Query> {
  const { resource, columns, collection, layout, where } = request;
  checkColumns(resource, columns);

  const wantsNames =
    columns?.includes(COLLECTION_NAME) === true ||
    where.some(({ fields }) => fields.includes(COLLECTION_NAME)) ||
    (layout !== undefined && fieldsOf(layout).has(COLLECTION_NAME));
  const needed = wantsNames || collection !== undefined;
  const all = await allCollections(source).catch((error: unknown) => {
    if (error instanceof MissingScopeError && !needed) return null;
    throw error;
  });
  const collections = all ?? [];
  const collectionNames = new Map(
    wantsNames ? collections.map(({ id, name }) => [id.toLowerCase(), name]) : [],
  );
  const values = new ItemValues(collectionNames);
  return {
    request,
    team: {
      laneId: source.api.laneId,
      collections: all === null ? null : all.map(({ id }) => id.toLowerCase()).sort(),
    },
    collectionId: collection === undefined ? undefined : idOf(collections, collection),
    collectionNames,
    values,
    where: new WhereTest(where, values),
  };
}

export function matches(query: Query, item: Item): boolean {
  const { statuses } = query.request;
  // This comes first, because it also records the custom fields of items that are not wanted.
  if (!query.where.passes(item)) return false;
  if (statuses !== undefined && !statuses.has(item.status)) return false;
  return query.collectionId === undefined || item.collection_id.toLowerCase() === query.collectionId;
}

/** The selection and its team, for a manifest. */
export function selectionOf({ request, collectionId, team }: Query): {
  filters: { status?: string[]; collection?: string; where?: string[] };
  team: Team | null;
} {
  const { statuses, where } = request;
  return {
    filters: {
      ...(statuses === undefined ? {} : { status: [...statuses] }),
      ...(collectionId === undefined ? {} : { collection: collectionId }),
      ...(where.length === 0 ? {} : { where: where.map(({ text }) => text) }),
    },
    team: teamOf(team),
  };
}

async function allCollections(source: ExportSource): Promise<Collection[]> {
  const all: Collection[] = [];
  await readPasses({
    load: source.collections,
    sink: {
      add: async (collections) => {
        all.push(...collections);
      },
    },
  });
  return all;
}

function idOf(collections: readonly Collection[], reference: string): string {
  const found = resolveCollection(collections, reference);
  if ('id' in found) return found.id.toLowerCase();
  throw new UsageError(found.code, found.said, {
    actions: [{ do: 'byHand', label: message('give_known_collection', {}) }],
  });
}

/** @throws UsageError `unknown_column`, `double_column` */
export function checkColumns(resource: ExportResource, columns: readonly string[] | undefined): void {
  if (resource === 'collections') chooseColumns(COLLECTION_COLUMNS, columns);
  else if (resource === 'sales') chooseColumns(SALES_COLUMNS, columns);
  else if (columns !== undefined) checkItemColumns(columns);
}
