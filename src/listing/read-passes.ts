/**
 * Reads a list that both grows and shrinks (listings, collections). No count can show that it is complete, so it is
 * read from end to end until a pass shows nothing new, and everything seen is kept (design §7).
 */
import { latestOf, type Listed } from './completeness-counter.ts';
import { type LoadPage, PER_PAGE } from './list-counter.ts';
import type { ItemSink, ListReading } from './read-items.ts';
import { message } from '../messages/message.ts';
import type { Message } from '../messages/params.ts';

const MAX_PASSES = 5;

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
  reading: ListReading;
  ids: Set<string>;
}

/**
 * stable: the list came in one response, or the last two passes showed the same entries, each once and unchanged
 * (`updated_at`). moved: something came, went or changed meanwhile.
 *
 * An entry that leaves after it was read moves the others up, so one of them can slide over a page border unseen.
 * The entry may return before the next pass and leave again during it, but then its status has changed. What is
 * unchanged between two passes was there all the time between them, and so when the last page of the first pass was
 * read. That page shows how long the list was: as long as what was read, which leaves no room for another entry.
 */
export async function readPasses<T extends Listed>(options: ReadPassesOptions<T>): Promise<PassesReading> {
  const { mostPasses = MAX_PASSES } = options;
  const ids = new Set<string>();
  let first: Pass | undefined;
  let last: Pass | undefined;
  for (let number = 1; ; number += 1) {
    options.onPass?.(number);
    const pass = await readPass(options, ids);
    first ??= pass;
    // Entries that have gone stay in the file: no further pass can show exactly that.
    const all = ids.size === pass.seen.size;
    const still = all && (pass.pages === 1 || (last !== undefined && isSame(last, pass)));
    const mayBeStill = last === undefined || pass.added > 0 || all;
    if (!still && mayBeStill && number < mostPasses) {
      last = pass;
      continue;
    }
    return {
      ids,
      reading: {
        consistency: still ? 'stable' : 'moved',
        passes: number,
        distinct: ids.size,
        counts: { before: first.positions, after: pass.positions },
        createdMeanwhile: 0,
        removedAtLeast: 0,
        missingAtMost: still ? 0 : null,
        latest: first.latest,
        explanation: explain(pass, still, number, ids.size),
      },
    };
  }
}

interface Pass {
  /** Entries that no earlier pass showed. */
  added: number;
  /** Id → `updated_at`. */
  seen: ReadonlyMap<string, string>;
  positions: number;
  /** Responses. A single one shows the list at one moment. */
  pages: number;
  latest: number | null;
}

/** Whether both passes showed each entry once, and the same version of it. */
function isSame(one: Pass, other: Pass): boolean {
  const whole = one.positions === one.seen.size && other.positions === other.seen.size;
  return (
    whole &&
    one.seen.size === other.seen.size &&
    other.seen.entries().every(([id, updatedAt]) => one.seen.get(id) === updatedAt)
  );
}

/** One pass from the first page to the last; entries that are not in `ids` yet are added to it and to the sink. */
export async function readPass<T extends Listed>(
  options: ReadPassesOptions<T>,
  ids: Set<string>,
): Promise<Pass> {
  const perPage = options.perPage ?? PER_PAGE;
  const seen = new Map<string, string>();
  let added = 0;
  let positions = 0;
  let latest: number | null = null;
  for (let page = 1; ; page += 1) {
    const loaded = await options.load(page, perPage);
    const { data, hasMore } = loaded;
    positions += data.length;
    if (page === 1) latest = latestOf(data) ?? null;
    const fresh = data.filter((entry) => {
      seen.set(entry.id, entry.updated_at);
      const size = ids.size;
      return ids.add(entry.id).size > size;
    });
    added += fresh.length;
    if (fresh.length > 0) await options.sink.add(fresh, loaded);
    if (!hasMore || data.length === 0) return { added, seen, positions, pages: page, latest };
  }
}

function explain({ pages, seen }: Pass, still: boolean, passes: number, entries: number): Message {
  if (still && pages === 1) return message('list_in_one_response', {});
  if (still) return message('last_passes_agree', { passes, entries });
  if (seen.size < entries) return message('entries_gone_in_last_pass', { entries, passes, last: seen.size });
  return message('passes_differ', { passes, entries });
}
