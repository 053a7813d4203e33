/**
 * What the store keeps that is no job's row: accepted mappings, the state of `--changed-since-last`, snapshots,
 * pages of an unfinished export, schedules. One table of texts, so that a new thing to remember needs no new
 * schema in any database.
 */
export interface KeyValue {
  key: string;
  /** Text; JSON by custom. */
  value: string;
  /** ms since the epoch, when the value was put. */
  at: number;
}

export interface KeyValuePage {
  /** Keys after this one, in the order of their UTF-8 bytes; with `descending`, before it. */
  after?: string;
  /** Only keys that begin so. */
  prefix?: string;
  limit: number;
  /** The last keys first. */
  descending?: boolean;
}

/**
 * When a change is on disk: before it resolves, or with the next change that is. What is on its way to the disk
 * outlives a kill of any process; only a machine that loses its power may lose it, and never before what came later.
 */
export type Durability = 'now' | 'soon';

/** Everything is durable before it resolves, but for what may be so soon. A space is a name such as `mapping` or `export:main`. */
export interface KeyValues {
  get(space: string, key: string): Promise<string | undefined>;
  /** Puts all or none; an older value is replaced. */
  put(space: string, entries: readonly { key: string; value: string }[], durable?: Durability): Promise<void>;
  /** Puts a value where there is none; false where there is one: of many processes one gets true. */
  putIfAbsent(space: string, key: string, value: string, durable?: Durability): Promise<boolean>;
  /** Replaces a value if it is still `from`; false where it is another, or gone. */
  replace(space: string, key: string, from: string, to: string, durable?: Durability): Promise<boolean>;
  /** In key order, or against it. */
  list(space: string, page: KeyValuePage): Promise<KeyValue[]>;
  /** Removes keys; without them, the whole space. */
  remove(space: string, keys?: readonly string[], durable?: Durability): Promise<void>;
  /** Names of the spaces that begin so and hold something, in order. */
  spaces(prefix: string): Promise<string[]>;
}
