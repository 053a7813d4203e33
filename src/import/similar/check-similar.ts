/** `--check-similar`: marks rows to create that look like existing items, and then skips or creates them. */
import { FieldWatch } from '../../api/field-watch.ts';
import type { Item } from '../../api/schemas.ts';
import type { JobRecord, LedgerRow } from '../../ledger/ledger.ts';
import { everyItem, untilProven } from '../../listing/every-item.ts';
import type { JobDeps } from '../job/deps.ts';
import { message } from '../../messages/message.ts';
import { untilAccounted } from '../engine/absence.ts';
import { issueOf } from '../engine/stored-issue.ts';
import { fieldsOfCreate } from '../engine/input.ts';
import { PLANNED_CREATES } from '../items/creates-by-key.ts';
import { decideRows, rowPages } from '../job/row-pages.ts';
import { LIKENESS, likenessKey } from './likeness.ts';
import type { SimilarRows } from '../../ledger/job-parts.ts';

const ITEMS_KEPT = 20;

/** Marks the rows; undefined if there are none. Ignores archived items. */
export async function markSimilar(job: JobRecord, deps: JobDeps): Promise<SimilarRows | undefined> {
  const { ledger, client, signal, emit } = deps;
  const wanted = new Map<string, { id: string; name: string; rows: number } | undefined>();
  for await (const rows of rowPages(ledger, job.id, PLANNED_CREATES))
    for (const row of rows) wanted.set(keyOf(row), undefined);
  if (wanted.size === 0) return undefined;
  const take = (item: Item) => {
    const key = likenessKey(item);
    if (item.status === 'archived' || !wanted.has(key)) return;
    wanted.set(key, { id: item.id, name: item.name, rows: 0 });
  };
  const read = (shown: (items: readonly Item[]) => void) =>
    everyItem({
      client,
      signal,
      // A brand that is left out would make a row look like a new item, or like another one.
      watch: new FieldWatch('each', LIKENESS),
      onItems: (page) => {
        shown(page);
        for (const item of page) take(item);
      },
      onRead: (done, total) => emit({ type: 'checking', done, total }),
    });
  await untilProven(() => untilAccounted(job.apiUrl, null, deps, read, { take, fields: LIKENESS }));
  let marked = 0;
  await decideRows(job.id, ledger, PLANNED_CREATES, (row) => {
    const item = wanted.get(keyOf(row));
    if (item === undefined) return undefined;
    item.rows += 1;
    marked += 1;
    const said = message('looks_like_item', { item: item.id, name: item.name });
    const others = row.issues.filter(({ code }) => code !== 'similar');
    return { to: 'planned', issues: [...others, issueOf('similar', said, { itemId: item.id })] };
  });
  if (marked === 0) return undefined;
  const items = [...wanted.values()].filter((item) => item !== undefined);
  return { rows: marked, items: items.sort((a, b) => b.rows - a.rows).slice(0, ITEMS_KEPT) };
}

/** Compares the rows of a plan that was made without `--check-similar`, and from now on whenever it is made again. */
export async function compareWithItems(job: JobRecord, deps: JobDeps): Promise<void> {
  const { jobs } = deps.ledger;
  // First: even if the comparison is cut short, a correction makes it.
  await jobs.update(job.id, { request: { ...job.request, checkSimilar: true } });
  const similar = await markSimilar(job, deps);
  const { plan } = await jobs.find(job.id);
  await jobs.update(job.id, { plan: { ...plan, similar } });
}

/** `--similar skip`. */
export async function skipSimilar(job: JobRecord, { ledger }: Pick<JobDeps, 'ledger'>): Promise<void> {
  if (job.plan.similar === undefined) return;
  await decideRows(job.id, ledger, PLANNED_CREATES, ({ issues }) =>
    issues.some(({ code }) => code === 'similar') ? { to: 'skipped' } : undefined,
  );
}

function keyOf(row: LedgerRow): string {
  return likenessKey(fieldsOfCreate(row));
}
