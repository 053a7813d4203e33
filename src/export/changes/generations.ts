/**
 * The storage of the state of exports of changes: for each name, scope and team, a pointer to its generations, and the
 * items of each generation in separate buckets. A pointer is only replaced as a whole, and only by the process that
 * read its current value.
 */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { KeyValues } from '../../ledger/key-values.ts';
import { Holder } from '../keep/holder.ts';
import { sameMark, TeamMark } from '../read/team.ts';

const POINTERS = 'export-changes';
const BUCKETS_AT_ONCE = 16;
/** Maximum number of teams with an export of the same name. */
const MAX_TEAMS = 1000;
/** Leftovers of a kill are removed after this long: a generation is written before it joins the set. */
const ORPHAN_MS = 24 * 3_600_000;

/** The deliverer of the file: this process, or a run of the worker. */
const Deliverer = z.union([z.object({ run: z.string() }), Holder]);
type Deliverer = z.infer<typeof Deliverer>;

const Generation = z.object({
  generation: z.string(),
  /** ISO 8601: when that export began to read; null for the state before the first export. */
  at: z.string().nullable(),
  rows: z.int(),
  /** Latest time on the list then, ms; null if it could not be read. */
  latest: z.number().nullable(),
  /** Present while the file is being delivered. */
  by: Deliverer.optional(),
  /** When the generation joined the set, ms since the epoch. */
  putAt: z.number(),
  /** Generations that had ended when the file was made: the file reports every difference from them. */
  knows: z.array(z.string()),
});
export type Generation = z.infer<typeof Generation>;

const Pointer = z.object({
  team: TeamMark,
  selection: z.string(),
  generations: z.array(Generation).min(1),
});
export type Pointer = z.infer<typeof Pointer>;

export interface FoundPointer {
  key: string;
  pointer: Pointer;
  /** False if only the items can tell whether the pointer is the team's. */
  isCertain: boolean;
}

/** The pointers under keys that begin with `prefix` and that are, or may be, the team's; newest first. */
export async function findPointers(
  values: KeyValues,
  prefix: string,
  team: TeamMark,
): Promise<FoundPointer[]> {
  const found: FoundPointer[] = [];
  for (const { key, value } of await values.list(POINTERS, { prefix, limit: MAX_TEAMS })) {
    const pointer = Pointer.parse(JSON.parse(value));
    const same = sameMark(pointer.team, team);
    if (same !== false) found.push({ key, pointer, isCertain: same === true });
  }
  const putAt = ({ pointer }: FoundPointer) => Math.max(...pointer.generations.map((each) => each.putAt));
  return found.sort((a, b) => putAt(b) - putAt(a));
}

/**
 * @param change returns undefined to leave the set as it is
 * @param made team and selection for a pointer that does not exist yet
 * @returns whether the set changed
 */
export async function changeGenerations(
  values: KeyValues,
  key: string,
  change: (before: readonly Generation[]) => Generation[] | undefined,
  made?: Pick<Pointer, 'team' | 'selection'>,
): Promise<boolean> {
  for (;;) {
    const text = await values.get(POINTERS, key);
    const found = text === undefined ? undefined : Pointer.parse(JSON.parse(text));
    const generations = change(found?.generations ?? []);
    const about = made ?? found;
    if (generations === undefined || about === undefined) return false;
    const { team, selection } = about;
    const to = JSON.stringify({ team, selection, generations } satisfies Pointer);
    const done =
      text === undefined
        ? await values.putIfAbsent(POINTERS, key, to)
        : await values.replace(POINTERS, key, text, to);
    if (done) return true;
  }
}

export async function loadItems(
  values: KeyValues,
  key: string,
  generation: string,
): Promise<Map<string, string>> {
  const items = new Map<string, string>();
  for (let after = ''; ; ) {
    const buckets = await values.list(spaceOf(key, generation), { after, limit: BUCKETS_AT_ONCE });
    for (const { value } of buckets) {
      for (const [id, fingerprint] of Object.entries(JSON.parse(value) as Record<string, string>)) {
        items.set(id, fingerprint);
      }
    }
    const last = buckets.at(-1);
    if (last === undefined) return items;
    after = last.key;
  }
}

/** @param items id in lower case → fingerprint */
export async function writeItems(
  values: KeyValues,
  key: string,
  generation: string,
  items: ReadonlyMap<string, string>,
): Promise<void> {
  const buckets = [...bucketsOf(items)];
  for (let from = 0; from < buckets.length; from += BUCKETS_AT_ONCE) {
    const entries = buckets.slice(from, from + BUCKETS_AT_ONCE);
    await values.put(
      spaceOf(key, generation),
      entries.map(([bucket, some]) => ({ key: bucket, value: JSON.stringify(some) })),
    );
  }
}

export async function removeItems(values: KeyValues, key: string, generation: string): Promise<void> {
  await values.remove(spaceOf(key, generation));
}

export async function sweepOrphans(values: KeyValues, key: string, set: ReadonlySet<string>): Promise<void> {
  for (const space of await values.spaces(spaceOf(key, ''))) {
    if (set.has(space.slice(spaceOf(key, '').length))) continue;
    const [first] = await values.list(space, { limit: 1 });
    if (first !== undefined && Date.now() - first.at > ORPHAN_MS) await values.remove(space);
  }
}

export function withoutDeliverer(generation: Generation): Generation {
  const ended = { ...generation };
  delete ended.by;
  return ended;
}

function spaceOf(key: string, generation: string): string {
  return `${POINTERS}:${createHash('sha256').update(key).digest('hex').slice(0, 16)}:${generation}`;
}

/** Grouped by the first two characters of the id: a million items result in 256 texts of 250 kB. */
function bucketsOf(items: ReadonlyMap<string, string>): Map<string, Record<string, string>> {
  const buckets = new Map<string, Record<string, string>>();
  for (const [id, fingerprint] of items) {
    const key = id.slice(0, 2);
    const bucket = buckets.get(key) ?? {};
    bucket[id] = fingerprint;
    buckets.set(key, bucket);
  }
  return buckets;
}
