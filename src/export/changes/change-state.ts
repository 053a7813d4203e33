/**
 * What the last export of a name held: each item's id and fingerprint.
 *
 * A generation is written beside the one before it and becomes the state by one exchange of a pointer, after the
 * file is in place: a kill at any instant leaves the old state or the new one. A kill between the two tells the same
 * changes once more; none is left out.
 */
import { createHash, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { UsageError } from '../../errors.ts';
import type { KeyValues } from '../../ledger/key-values.ts';

const POINTERS = 'export-changes';
const BUCKETS_AT_ONCE = 16;

const Pointer = z.object({
  generation: z.string(),
  /** ISO 8601: when the reading of that export began. */
  at: z.string(),
  rows: z.int(),
  /** Latest time that the list showed then, ms; null where it could not be read. */
  latest: z.number().nullable(),
  /** The filters of that export, in words. Absent in states of earlier versions. */
  selection: z.string().optional(),
});
type Pointer = z.infer<typeof Pointer>;

export class ChangeState {
  readonly name: string;
  /** Id in lower case → fingerprint; empty before the first export. */
  readonly items = new Map<string, string>();
  readonly #values: KeyValues;
  readonly #key: string;
  readonly #selection: string;
  #text: string | undefined;
  #pointer: Pointer | undefined;

  private constructor(values: KeyValues, name: string, key: string, selection: string) {
    this.#values = values;
    this.name = name;
    this.#key = key;
    this.#selection = selection;
  }

  /**
   * @param scope what else tells one state from another of the same name: the API, items or listings
   * @param selection the filters, in words: compared with those of the last export of that name
   * @throws UsageError `other_selection`: everything that only the filters tell apart would look like a change
   */
  static async open(
    values: KeyValues,
    name: string,
    scope: readonly string[],
    selection: string,
  ): Promise<ChangeState> {
    const state = new ChangeState(values, name, `${name}\n${scope.join('\n')}`, selection);
    state.#text = await values.get(POINTERS, state.#key);
    if (state.#text === undefined) return state;
    state.#pointer = Pointer.parse(JSON.parse(state.#text));
    if (state.#pointer.selection !== undefined && state.#pointer.selection !== selection) {
      throw new UsageError(
        'other_selection',
        `the last export of changes "${name}" held ${state.#pointer.selection}, and this one asks for ${selection}`,
        { remedy: 'Give these filters a name of their own: --changed-since-last NAME.' },
      );
    }
    const space = state.#space(state.#pointer.generation);
    for (let after = ''; ; ) {
      const buckets = await values.list(space, { after, limit: BUCKETS_AT_ONCE });
      for (const { value } of buckets) {
        for (const [id, fingerprint] of Object.entries(JSON.parse(value) as Record<string, string>)) {
          state.items.set(id, fingerprint);
        }
      }
      const last = buckets.at(-1);
      if (last === undefined) return state;
      after = last.key;
    }
  }

  /** When the last export of this name began to read, and what was latest then; undefined before the first. */
  get last(): Pointer | undefined {
    return this.#pointer;
  }

  /**
   * Becomes `items`. False where another export of the same name has moved the state meanwhile: then it stays as
   * that one left it.
   */
  async move(
    items: ReadonlyMap<string, string>,
    about: { at: string; latest: number | null },
  ): Promise<boolean> {
    const generation = randomUUID();
    const space = this.#space(generation);
    const buckets = [...bucketsOf(items)];
    for (let from = 0; from < buckets.length; from += BUCKETS_AT_ONCE) {
      const entries = buckets.slice(from, from + BUCKETS_AT_ONCE);
      await this.#values.put(
        space,
        entries.map(([key, bucket]) => ({ key, value: JSON.stringify(bucket) })),
      );
    }
    const text = JSON.stringify({
      generation,
      rows: items.size,
      selection: this.#selection,
      ...about,
    } satisfies Pointer);
    const moved = await (this.#text === undefined
      ? this.#values.putIfAbsent(POINTERS, this.#key, text)
      : this.#values.replace(POINTERS, this.#key, this.#text, text));
    const old = moved ? this.#pointer?.generation : generation;
    if (old !== undefined) await this.#values.remove(this.#space(old));
    return moved;
  }

  #space(generation: string): string {
    const owner = createHash('sha256').update(this.#key).digest('hex').slice(0, 16);
    return `export-changes:${owner}:${generation}`;
  }
}

/** By the first two characters of the id: a million items are 256 texts of 250 kB. */
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
