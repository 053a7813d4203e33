/**
 * All data of the store besides jobs and rows: accepted mappings, the state of `--changed-since-last`, snapshots, pages
 * of an unfinished export, schedules. One table of texts, so that new kinds need no migration.
 */
export interface KeyValue {
  key: string;
  /** Text; usually JSON. */
  value: string;
  /** ms since the epoch, when the value was put. */
  at: number;
}

export interface KeyValuePage {
  /** Only keys after this one, in the order of their UTF-8 bytes; with `descending`, only keys before it. */
  after?: string;
  /** Only keys that begin with this. */
  prefix?: string;
  limit: number;
  /** The last keys first. */
  descending?: boolean;
}

/**
 * When a change is on disk: before its promise resolves (`now`), or together with the next durable change (`soon`). A
 * `soon` change survives the kill of any process. A power cut may lose it, but never while a later change survives.
 */
export type Durability = 'now' | 'soon';

/** Changes are durable `now` by default. A space is a name such as `mapping` or `export:main`. */
export interface KeyValues {
  get(space: string, key: string): Promise<string | undefined>;
  /** Puts all values or none; replaces older values. */
  put(space: string, entries: readonly { key: string; value: string }[], durable?: Durability): Promise<void>;
  /** Puts a value unless the key has one. If several processes call this, only one gets true. */
  putIfAbsent(space: string, key: string, value: string, durable?: Durability): Promise<boolean>;
  /** Puts the values of all keys that have none, in one change. */
  putMissing(space: string, entries: readonly { key: string; value: string }[]): Promise<void>;
  /** Replaces a value if it is still `from`; else returns false. */
  replace(space: string, key: string, from: string, to: string, durable?: Durability): Promise<boolean>;
  /** In key order, or in reverse. */
  list(space: string, page: KeyValuePage): Promise<KeyValue[]>;
  /** Removes keys; without them, the whole space. */
  remove(space: string, keys?: readonly string[], durable?: Durability): Promise<void>;
  /** Names of the non-empty spaces that begin with the prefix, in order. */
  spaces(prefix: string): Promise<string[]>;
}

const PAGE = 2_000;

/**
 * All values of a space, in the order of their keys. The caller may change or remove the values that it has received.
 */
export async function* everyValue(values: Pick<KeyValues, 'list'>, space: string): AsyncGenerator<KeyValue> {
  for (let after = ''; ; ) {
    const page = await values.list(space, { limit: PAGE, after });
    yield* page;
    after = page.at(-1)?.key ?? '';
    if (page.length < PAGE) return;
  }
}

/** The space whose keys are ids of jobs: its values are deleted with their jobs. */
export const OF_JOBS = 'judging';
