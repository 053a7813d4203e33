/** What the catalogues say of a code. */
import type { ExitCode } from '../exit-code.ts';

export interface CatalogueEntry {
  /** What happened, for the owner of a collection; one sentence. */
  cause: string;
  /** What to do about it; one sentence or two. */
  remedy: string;
}

export interface ErrorEntry extends CatalogueEntry {
  exit: ExitCode;
}

/** Codes that end a command, by name. */
export type ErrorGroup = Record<string, ErrorEntry>;
