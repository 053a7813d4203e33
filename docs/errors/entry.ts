/** The form of an entry of docs/errors.md. */
export interface CodeEntry {
  /** What happened, for the owner of a collection; one sentence. */
  cause: string;
  /** What to do about it; one or two sentences, with the exact command. */
  remedy: string;
}

export type CodeGroup = Record<string, CodeEntry>;
