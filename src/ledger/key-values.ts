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
  /** Keys after this one, in the order of their UTF-8 bytes. */
  after?: string;
  /** Only keys that begin so. */
  prefix?: string;
  limit: number;
}

/** Everything is durable before it resolves. A space is a name such as `mapping` or `export:main`. */
export interface KeyValues {
  get(space: string, key: string): Promise<string | undefined>;
  /** Puts all or none; an older value is replaced. */
  put(space: string, entries: readonly { key: string; value: string }[]): Promise<void>;
  /** Puts a value where there is none; false where there is one: of many processes one gets true. */
  putIfAbsent(space: string, key: string, value: string): Promise<boolean>;
  /** Replaces a value if it is still `from`; false where it is another, or gone. */
  replace(space: string, key: string, from: string, to: string): Promise<boolean>;
  /** In key order. */
  list(space: string, page: KeyValuePage): Promise<KeyValue[]>;
  /** Removes keys; without them, the whole space. */
  remove(space: string, keys?: readonly string[]): Promise<void>;
  /** Names of the spaces that begin so and hold something, in order. */
  spaces(prefix: string): Promise<string[]>;
}
