/** Finds groups of items that look the same: owned twice, or entered twice. */
import type { Message } from '../../messages/params.ts';
import type { z } from 'zod';
import type { ApiClient } from '../../api/client.ts';
import { FieldWatch } from '../../api/field-watch.ts';
import { type OutageWaits, WAITS } from '../../api/outage.ts';
import type { Item } from '../../api/resources.ts';
import { systemClock } from '../../base/clock.ts';
import { everyItem, untilProven } from '../../listing/every-item.ts';
import { RetriedReads, type RetryOptions } from '../../listing/retry-reads.ts';
import { closeGroups } from '../../mapping/close-names.ts';
import { parseAll, type WhereOption } from '../../where/where.ts';
import { whereTest } from '../items/where-test.ts';
import { isUndone } from '../engine/undone.ts';
import { foldedName, LIKENESS, likenessKey, surroundings } from './likeness.ts';

export interface DuplicateOptions {
  client: ApiClient;
  /** Also match names of five letters or more that differ by one or two, if brand, series, year and numbers agree. */
  close?: boolean;
  /** Include archived items. */
  archived?: boolean;
  /** Only items that meet all of these expressions. */
  where?: z.infer<typeof WhereOption>;
  signal?: AbortSignal;
  /** Maximum length of an outage. Default: 30 s before the first answer, 10 minutes after it. */
  patience?: OutageWaits;
  /** Called before each wait in an outage, with the number of the next try and the wait in ms. */
  onRetry?: RetryOptions['onRetry'];
  /** Warns of a custom field in `where` that no item has. */
  onWarning?: (said: Message) => void;
  /** Called with the number of items read so far. */
  onRead?: (items: number) => void;
}

/** Items that look the same. */
export interface DuplicateGroup {
  /** Oldest first. */
  items: Item[];
  /** `same`: equal in name, brand, series and year. `close`: some names differ in spelling. */
  why: 'same' | 'close';
}

export interface Duplicates {
  /** Largest first. */
  groups: DuplicateGroup[];
  /** Number of items read. */
  items: number;
  /** Number of pairs of names that were compared (`close`). */
  compared: number;
}

/** @throws ListMovedError if the list kept changing while it was read */
export async function findDuplicates(options: DuplicateOptions): Promise<Duplicates> {
  const { client, close = false, archived = false, signal = new AbortController().signal } = options;
  const { patience = WAITS, onRetry } = options;
  const retried = new RetriedReads({
    clock: systemClock,
    patience,
    signal,
    ...(onRetry === undefined ? {} : { onRetry }),
  });
  const chosen = parseAll(options.where);
  const where = await whereTest(chosen, { client, signal });
  const { sets, read } = await untilProven(async () => {
    const byKey = new Map<string, Item[]>();
    const { items } = await everyItem({
      client,
      signal,
      retried,
      watch: new FieldWatch('each', [...LIKENESS, ...chosen.flatMap(({ fields }) => fields)]),
      onItems: (page) => {
        for (const item of page) {
          if (!where.passes(item) || (item.status === 'archived' && !archived) || isUndone(item)) continue;
          const key = likenessKey(item);
          const known = byKey.get(key);
          if (known === undefined) byKey.set(key, [item]);
          else known.push(item);
        }
      },
      ...(options.onRead === undefined ? {} : { onRead: options.onRead }),
    });
    return { sets: [...byKey.values()], read: items };
  });
  where.check(options.onWarning ?? (() => {}));
  const { joined, compared } = close
    ? joinClose(sets)
    : { joined: sets.map((items) => [items]), compared: 0 };
  const groups = joined
    .map(
      (parts): DuplicateGroup => ({
        items: parts.flat().sort(older),
        why: parts.length > 1 ? 'close' : 'same',
      }),
    )
    .filter(({ items }) => items.length > 1)
    .sort((a, b) => b.items.length - a.items.length);
  return { groups, items: read, compared };
}

/** Merges groups of equal items whose names are similar and that agree in everything else. */
function joinClose(sets: Item[][]): { joined: Item[][][]; compared: number } {
  const looks = sets.map(([item]) => item ?? {});
  const { groups, compared } = closeGroups(
    looks.map(foldedName),
    (name, index) => `${surroundings(looks[index] ?? {})}\n${numbersIn(name)}`,
  );
  return { joined: groups.map((group) => group.map((index) => sets[index] ?? [])), compared };
}

function numbersIn(name: string): string {
  return name.match(/\p{N}+/gu)?.join(' ') ?? '';
}

function older(a: Item, b: Item): number {
  if (a.created_at === b.created_at) return a.id < b.id ? -1 : 1;
  return a.created_at < b.created_at ? -1 : 1;
}
