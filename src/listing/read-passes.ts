/**
 * Reads a list that both grows and shrinks (listings, collections): no count can say that it is whole, so it is
 * read from end to end until a pass shows nothing new, and everything seen is kept (DESIGN §7).
 */
import { latestOf, type Listed } from './census.ts';
import { type LoadPage, PER_PAGE } from './list-counter.ts';
import type { ItemSink, Reading } from './read-items.ts';
import { counted } from '../counted.ts';

const MOST_PASSES = 5;

export interface ReadPassesOptions<T> {
  load: LoadPage<T>;
  sink: Pick<ItemSink<T>, 'add'>;
  /** Default 100. */
  perPage?: number;
  onPass?: (pass: number) => void;
  /** Default 5. */
  mostPasses?: number;
}

export interface PassesReading {
  reading: Reading;
  ids: Set<string>;
}

/**
 * stable: the list came in one answer, or the last pass showed exactly what all passes together did, as many
 * as the list had positions. moved: something came or went meanwhile.
 */
export async function readPasses<T extends Listed>(options: ReadPassesOptions<T>): Promise<PassesReading> {
  const { mostPasses = MOST_PASSES } = options;
  const ids = new Set<string>();
  let before: number | null = null;
  let latest: number | null = null;
  for (let pass = 1; ; pass += 1) {
    options.onPass?.(pass);
    const { added, seen, positions, latest: shown } = await readPass(options, ids);
    before ??= positions;
    if (pass === 1) latest = shown;
    const atOnce = pass === 1 && positions <= (options.perPage ?? PER_PAGE);
    const still = atOnce || (added === 0 && pass > 1 && seen === ids.size && positions === ids.size);
    if (!still && added > 0 && pass < mostPasses) continue;
    if (!still && pass === 1 && ids.size > 0) continue;
    return {
      ids,
      reading: {
        consistency: still ? 'stable' : 'moved',
        passes: pass,
        distinct: ids.size,
        counts: { before, after: positions },
        createdMeanwhile: 0,
        removedAtLeast: 0,
        missingAtMost: still ? 0 : null,
        latest,
        explanation: explain(atOnce, still, pass, ids.size, seen),
      },
    };
  }
}

/** One pass from the first page to the last; what is not in `ids` yet goes there and into the sink. */
export async function readPass<T extends Listed>(
  options: ReadPassesOptions<T>,
  ids: Set<string>,
): Promise<{ added: number; seen: number; positions: number; latest: number | null }> {
  const perPage = options.perPage ?? PER_PAGE;
  const seen = new Set<string>();
  let added = 0;
  let positions = 0;
  let latest: number | null = null;
  for (let page = 1; ; page += 1) {
    const loaded = await options.load(page, perPage);
    const { data, hasMore } = loaded;
    positions += data.length;
    if (page === 1) latest = latestOf(data) ?? null;
    const fresh = data.filter((entry) => {
      seen.add(entry.id);
      const size = ids.size;
      return ids.add(entry.id).size > size;
    });
    added += fresh.length;
    if (fresh.length > 0) await options.sink.add(fresh, loaded);
    if (!hasMore || data.length === 0) return { added, seen: seen.size, positions, latest };
  }
}

function explain(atOnce: boolean, still: boolean, passes: number, distinct: number, seen: number): string {
  if (atOnce) return 'The whole list came in one answer.';
  if (still)
    return `The last two of ${passes} passes showed the same ${counted(distinct, 'entry', 'entries')}.`;
  if (seen < distinct) {
    return `The list changed while it was read: ${counted(distinct, 'entry was', 'entries were')} seen in ${counted(passes, 'pass', 'passes')}, ${seen} of them in the last.`;
  }
  return `The list changed while it was read: ${counted(passes, 'pass', 'passes')} showed ${counted(distinct, 'entry', 'entries')}.`;
}
