/** The collection of a file's rows: their own, if a column names it; otherwise the one that a person chooses. */
import { loadCollections } from '../../../api/load-collections.ts';
import { ShelfliftError } from '../../../base/errors.ts';
import { resolveReference } from '../../../import/items/collections.ts';
import type { JobDeps } from '../../../import/job/deps.ts';
import type { ImportRequest } from '../../../import/job/options.ts';
import { inferMapping } from '../../../import/stage/infer-mapping.ts';
import { planOf, SourceTables } from '../../../import/stage/source-tables.ts';
import type { Ledger } from '../../../ledger/ledger.ts';
import { NO_TEMPLATE } from '../../../mapping/template/load-template.ts';
import { SAMPLE_ROWS } from '../../../mapping/infer/infer-columns.ts';
import { cellText } from '../../../sheets/cell.ts';
import { FirstCells } from '../../../sheets/peek-rows.ts';
import type { SheetTable } from '../../../sheets/table.ts';
import type { Workspace } from '../../jobs/workspace.ts';
import type { Collection } from '../../../api/schemas.ts';
import { JOB_KINDS } from '../../../import/job/job-kinds.ts';

/** `all`: each row names an existing collection. `some`: not all rows do. `none`: there is no such column. */
export type OwnCollections = 'all' | 'some' | 'none';

/** @returns undefined if this is only known after the file is read */
export async function ownCollections(
  request: ImportRequest,
  table: SheetTable,
  collections: readonly Collection[] | undefined,
  deps: Pick<JobDeps, 'ledger' | 'client' | 'signal'>,
): Promise<OwnCollections | undefined> {
  const isAsked = request.template !== undefined && request.template !== NO_TEMPLATE;
  if (isAsked || request.recipe !== undefined || (request.mode ?? 'create') !== 'create') return undefined;
  const sample = new FirstCells(table, SAMPLE_ROWS);
  try {
    const { template } = await inferMapping(request, table, sample, deps);
    const { all, first } = new SourceTables(request, template, table);
    if (planOf(all).noCollectionColumn) return 'none';
    const column = first.columns.findIndex(
      ({ target }) => target === 'collection' || target === 'collection_id',
    );
    if (column < 0 || collections === undefined) return undefined;
    const names = new Set((await sample.cells()).map((cells) => cellText(cells[column] ?? null)));
    const isKnown = (name: string) => 'id' in resolveReference(name, [...collections]);
    return [...names].every((name) => name !== '' && isKnown(name)) ? 'all' : 'some';
  } catch (error) {
    // ErrorSummary when the file is read.
    if (error instanceof ShelfliftError) return undefined;
    throw error;
  } finally {
    await sample.close();
  }
}

/** Undefined if the collections cannot be read now: then an id can be typed. */
export async function collectionsOf({ client }: Workspace): Promise<Collection[] | undefined> {
  try {
    return await loadCollections(client, AbortSignal.timeout(5000));
  } catch (error) {
    if (error instanceof ShelfliftError || (error as Error).name === 'TimeoutError') return undefined;
    throw error;
  }
}

/** Number of imports searched for the collection that was chosen last. */
const JOBS_LOOKED_AT = 20;

/** The collection that the last import went to. */
export async function lastCollection({ jobs }: Pick<Ledger, 'jobs'>): Promise<string | undefined> {
  for (const { kind, collections, firstSentAt } of await jobs.list(JOBS_LOOKED_AT)) {
    const used = new Set(Object.values(collections));
    if (JOB_KINDS[kind].bringsTable && firstSentAt !== undefined && used.size === 1) return [...used][0];
  }
  return undefined;
}
