/** `--check-similar`: marks rows to create that look like existing items, and then skips or creates them. */
import { UsageError } from '../../errors.ts';
import type { JobRecord, RowMove } from '../../ledger/ledger.ts';
import { everyItem, untilProven } from '../../listing/every-item.ts';
import { confirmWithUser, type JobDeps } from '../job/deps.ts';
import type { RunOptions } from '../job/options.ts';
import { fieldsOfCreate } from '../job/payload.ts';
import { rowPages } from '../job/row-pages.ts';
import { likenessKey } from './likeness.ts';
import { counted } from '../../counted.ts';
import type { SimilarRows } from '../../ledger/job-options.ts';

const CREATES = { states: ['planned'], actions: ['create'] } as const;
/** Greatest number of items to name. */
const ITEMS_KEPT = 20;

/** Marks the rows; undefined if there are none. Ignores archived items. */
export async function markSimilar(job: JobRecord, deps: JobDeps): Promise<SimilarRows | undefined> {
  const { ledger, client, signal, emit } = deps;
  const wanted = new Map<string, { id: string; name: string; rows: number } | undefined>();
  for await (const rows of rowPages(ledger, job.id, CREATES))
    for (const { payload } of rows) wanted.set(keyOf(payload), undefined);
  if (wanted.size === 0) return undefined;
  await untilProven(() =>
    everyItem({
      client,
      signal,
      onItems: (page) => {
        for (const item of page) {
          const key = likenessKey(item);
          if (item.status === 'archived' || !wanted.has(key)) continue;
          wanted.set(key, { id: item.id, name: item.name, rows: 0 });
        }
      },
      onRead: (done, total) => emit({ type: 'checking', done, total }),
    }),
  );
  let marked = 0;
  for await (const rows of rowPages(ledger, job.id, CREATES)) {
    const moves = rows.flatMap(({ ordinal, payload }): RowMove[] => {
      const item = wanted.get(keyOf(payload));
      if (item === undefined) return [];
      item.rows += 1;
      marked += 1;
      const message = `looks like item ${item.id} ("${item.name}")`;
      return [
        { ordinal, from: 'planned', to: 'planned', issues: [{ code: 'similar', message, itemId: item.id }] },
      ];
    });
    if (moves.length > 0) await ledger.rows.move(job.id, moves);
  }
  if (marked === 0) return undefined;
  const items = [...wanted.values()].filter((item) => item !== undefined);
  return { rows: marked, items: items.sort((a, b) => b.rows - a.rows).slice(0, ITEMS_KEPT) };
}

/** Looks for them in a plan that was made without `--check-similar`. @returns how many rows look like an item */
export async function compareWithItems(job: JobRecord, deps: JobDeps): Promise<number> {
  const similar = await markSimilar(job, deps);
  job.options = { ...job.options, similar };
  await deps.ledger.jobs.update(job.id, { options: job.options });
  return similar?.rows ?? 0;
}

/** Applies the user's decision to the marked rows, now and for later runs; false if there is none. */
export async function settleSimilar(job: JobRecord, deps: JobDeps, run: RunOptions): Promise<boolean> {
  const { similar } = job.options;
  if (similar === undefined || similar.agreed === true) return true;
  if (run.similar === undefined && run.yes !== true) return false;
  if (run.similar === 'skip') await skipMarked(job, deps);
  await agree(job, similar, deps);
  return true;
}

async function agree(job: JobRecord, similar: SimilarRows, { ledger }: JobDeps): Promise<void> {
  job.options = { ...job.options, similar: { ...similar, agreed: true } };
  await ledger.jobs.update(job.id, { options: job.options });
}

/** Asks what to do with the marked rows, unless that is decided. Returns an error if nobody can be asked. */
export async function similarGuard(
  job: JobRecord,
  deps: JobDeps,
  run: RunOptions,
): Promise<UsageError | undefined> {
  if (await settleSimilar(job, deps, run)) return undefined;
  const { similar } = job.options;
  if (similar === undefined) return undefined;
  const what = `${counted(similar.rows, 'row looks like an existing item', 'rows look like existing items')} (for example ${similar.items[0]?.id ?? ''})`;
  if (await confirmWithUser(deps, `${what}. Create them anyway?`)) {
    await agree(job, similar, deps);
    return undefined;
  }
  return new UsageError('similar_items', `${what}. Nothing was sent.`, {
    remedy: `Review them: shelflift jobs show ${job.id} --changes. Then: shelflift jobs apply ${job.id} --similar skip (or --similar create)`,
  });
}

async function skipMarked(job: JobRecord, { ledger }: JobDeps): Promise<void> {
  for await (const rows of rowPages(ledger, job.id, CREATES)) {
    const moves = rows
      .filter(({ issues }) => issues.some(({ code }) => code === 'similar'))
      .map(({ ordinal }): RowMove => ({ ordinal, from: 'planned', to: 'skipped' }));
    if (moves.length > 0) await ledger.rows.move(job.id, moves);
  }
}

function keyOf(payload: string | null): string {
  return likenessKey(fieldsOfCreate(payload));
}
