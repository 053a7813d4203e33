/** An earlier state of a name: its generations, and their items merged. */
import type { KeyValues } from '../../ledger/key-values.ts';
import { type FoundPointer, type Generation, loadItems } from './generations.ts';

/** More than the server's clock and ours can be apart. */
const CLOCKS_MS = 86_400_000;
/** Replaces a fingerprint: all generations have the item, in different versions. */
export const DIFFERS = '';
/** Precedes the two reading times of a row that the layout left out; no fingerprint begins with it. */
export const LEFT_OUT = '!';
/** Replaces a fingerprint: only some generations have the item. */
export const PARTLY = '?';

export const NOTHING_TOLD: Generation = {
  generation: '',
  at: null,
  rows: 0,
  latest: null,
  putAt: 0,
  knows: [],
};

export interface FoundState extends FoundPointer {
  items: Map<string, string>;
}

export async function stateAt(values: KeyValues, found: FoundPointer): Promise<FoundState> {
  let items = new Map<string, string>();
  for (const [index, { generation }] of found.pointer.generations.entries()) {
    const some = await loadItems(values, found.key, generation);
    items = index === 0 ? some : merged(items, some);
  }
  return { ...found, items };
}

/** The earlier values if there are several generations. */
export function lastOf(generations: readonly Generation[]): Pick<Generation, 'at' | 'latest'> {
  const [first = NOTHING_TOLD, ...others] = generations;
  return others.reduce<Pick<Generation, 'at' | 'latest'>>(
    ({ at, latest }, each) => ({
      at: at === null || each.at === null ? null : at < each.at ? at : each.at,
      latest: latest === null || each.latest === null ? null : Math.min(latest, each.latest),
    }),
    { at: first.at, latest: first.latest },
  );
}

/** An instant of the server before the reading, ms, however our clock differs from the server's. */
export function surelyBefore({ at, latest }: Pick<Generation, 'at' | 'latest'>): number {
  return Math.max(latest ?? 0, at === null ? 0 : Date.parse(at) - CLOCKS_MS);
}

function merged(some: ReadonlyMap<string, string>, others: ReadonlyMap<string, string>) {
  const both = new Map<string, string>();
  for (const [id, one] of some) {
    const other = others.get(id) ?? PARTLY;
    const open = [one, other].find((mark) => mark.startsWith(LEFT_OUT));
    both.set(id, one === other || other === PARTLY ? other : one === PARTLY ? PARTLY : (open ?? DIFFERS));
  }
  for (const id of others.keys()) if (!both.has(id)) both.set(id, PARTLY);
  return both;
}
