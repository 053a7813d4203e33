/**
 * The last reported inventory, item by item, kept in the store so that the next report can show what changed. There
 * is one snapshot for each selection (address, team, filters). It is replaced once the next report's file is in
 * place, in an order that leaves the old or the new one complete, whenever a kill happens.
 */
import { createHash, randomUUID } from 'node:crypto';
import type { Item } from '../api/schemas.ts';
import type { KeyValues } from '../ledger/key-values.ts';
import { sameTeam } from '../export/read/team.ts';
import { z } from 'zod';

/** Items in one entry of the store: a piece of about 300 kB. */
const ITEMS_AN_ENTRY = 2000;
const POINTER = 'latest';

/** What is compared of an item: value and status, and the name to show it by. */
export type SnapshotItem = [
  id: string,
  name: string,
  status: string,
  /** Lower-case. */
  currency: string,
  estimatedValue: number | null,
];

const Pointer = z.object({
  snapshot: z.string(),
  at: z.string(),
  items: z.int(),
  collections: z.array(z.string()),
});

export interface Snapshot {
  /** When it was read, ISO 8601, UTC. */
  at: string;
  /** Number of items that it had when it was kept; fewer in `pieces` if another report is replacing it. */
  count: number;
  /** The items, each id once, some thousands at a time. */
  pieces(): AsyncIterable<readonly SnapshotItem[]>;
}

export function toSnapshot(item: Item, currency: string): SnapshotItem {
  return [item.id, item.name, item.status, currency, item.estimated_value ?? null];
}

/** Whose snapshots these are: the same address, team and selection. */
export interface SnapshotOwner {
  /** The client's target. */
  target: string;
  /** What was selected, in any fixed form; becomes part of a name in the store. */
  selection: string;
  /** Ids of the team's collections, which identify the team; empty if the key may not read them. */
  collections: readonly string[];
}

/**
 * The last snapshot of this owner. One store may have reports of several teams at one address: a snapshot without a
 * collection in common is another team's.
 */
export async function openSnapshot(values: KeyValues, owner: SnapshotOwner): Promise<Snapshot | undefined> {
  for (const space of await values.spaces(`${spaceOf(owner)}:`)) {
    const text = await values.get(space, POINTER);
    const pointer = text === undefined ? undefined : Pointer.parse(JSON.parse(text));
    if (pointer === undefined || !sameTeam(pointer.collections, owner.collections)) continue;
    return {
      at: pointer.at,
      count: pointer.items,
      async *pieces() {
        for await (const { value } of entries(values, space, `${pointer.snapshot}/`))
          yield JSON.parse(value) as SnapshotItem[];
      },
    };
  }
  return undefined;
}

/** Replaces the last snapshot with this one. */
export async function saveSnapshot(
  values: KeyValues,
  owner: SnapshotOwner,
  at: string,
  items: readonly SnapshotItem[],
): Promise<void> {
  const space = await spaceFor(values, owner);
  const snapshot = randomUUID();
  for (let from = 0; from < items.length; from += ITEMS_AN_ENTRY) {
    const key = `${snapshot}/${String(from / ITEMS_AN_ENTRY).padStart(6, '0')}`;
    const value = JSON.stringify(items.slice(from, from + ITEMS_AN_ENTRY));
    // On disk with the pointer.
    await values.put(space, [{ key, value }], 'soon');
  }
  const pointer = { snapshot, at, items: items.length, collections: owner.collections };
  await values.put(space, [{ key: POINTER, value: JSON.stringify(pointer) }]);
  const old: string[] = [];
  for await (const { key } of entries(values, space, ''))
    if (key !== POINTER && !key.startsWith(`${snapshot}/`)) old.push(key);
  if (old.length > 0) await values.remove(space, old);
}

async function spaceFor(values: KeyValues, owner: SnapshotOwner): Promise<string> {
  const spaces = await values.spaces(`${spaceOf(owner)}:`);
  for (const space of spaces) {
    const text = await values.get(space, POINTER);
    if (text !== undefined && sameTeam(Pointer.parse(JSON.parse(text)).collections, owner.collections))
      return space;
  }
  return `${spaceOf(owner)}:${randomUUID()}`;
}

/** One name for each target and selection; each team has a space below it. */
function spaceOf({ target, selection }: SnapshotOwner): string {
  const hash = createHash('sha256').update(`${target}\n${selection}`).digest('hex').slice(0, 16);
  return `report:inventory:${hash}`;
}

async function* entries(values: KeyValues, space: string, prefix: string) {
  for (let after: string | undefined; ; ) {
    const page = await values.list(space, {
      prefix,
      limit: 10,
      ...(after === undefined ? {} : { after }),
    });
    yield* page;
    after = page.at(-1)?.key;
    if (after === undefined || page.length < 10) return;
  }
}
