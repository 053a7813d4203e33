/** The form of an entry in the error catalogues. */
import type { ExitCode } from '../exit-code.ts';

export interface CatalogueEntry {
  /** What happened, for the owner of a collection; one sentence. */
  cause: string;
  /** What to do about it; one or two sentences, with the exact command. */
  remedy: string;
}

export interface ErrorEntry extends CatalogueEntry {
  exit: ExitCode;
}

/** Codes that end a command, by name. */
export type ErrorGroup = Record<string, ErrorEntry>;
