/**
 * One error base for everything that shelflift raises on purpose.
 *
 * `code` is stable and meant for scripts; `message` is for people and carries what was found, what was
 * expected and what to do. Row problems are data (see mapping's issues), not errors: an error ends a command.
 */
import { ERROR_CATALOGUE, type ErrorCode } from './error-catalogue.ts';
import type { ExitCode } from './exit-code.ts';

/** Where in a person's files something was found. Rows and columns are those a spreadsheet program shows. */
export interface Position {
  file?: string;
  sheet?: string;
  /** 1-based row as a spreadsheet program counts. */
  row?: number;
  /** 1-based line of a text file, where it differs from the row. */
  line?: number;
  /** Column letter, `A` … `XFD`. */
  column?: string;
  header?: string;
}

export interface ErrorDetails {
  cause?: unknown;
  position?: Position;
  /** What a person can do about it; shown on a line of its own. */
  remedy?: string;
}

export class ShelfliftError extends Error {
  /** Stable, snake_case, for scripts. */
  readonly code: ErrorCode;
  readonly position: Position | undefined;
  readonly remedy: string | undefined;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = new.target.name;
    this.code = code;
    this.position = details.position;
    this.remedy = details.remedy;
  }

  /** The exit code that a command ends with when this error reaches it. */
  get exitCode(): ExitCode {
    return ERROR_CATALOGUE[this.code].exit;
  }
}

/** Wrong flags, configuration, template or unreadable input: nothing was sent (exit 2). */
export class UsageError extends ShelfliftError {}

/** A file that cannot be read as a table, with where and why (exit 2). */
export class SheetError extends ShelfliftError {}

/** The message with its place before it, unless it names that already. */
export function placedMessage({ message, position }: ShelfliftError): string {
  const where = position === undefined ? '' : describePosition(position);
  return where === '' || message.includes(position?.file ?? where) ? message : `${where}: ${message}`;
}

/** `file.xlsx, sheet "2019", row 7, column C (Year)`: the parts that are known, in reading order. */
export function describePosition(position: Position): string {
  const parts: string[] = [];
  if (position.file !== undefined) parts.push(position.file);
  if (position.sheet !== undefined) parts.push(`sheet "${position.sheet}"`);
  if (position.row !== undefined) parts.push(`row ${position.row}`);
  if (position.line !== undefined && position.line !== position.row) parts.push(`line ${position.line}`);
  if (position.column !== undefined) {
    parts.push(
      position.header === undefined
        ? `column ${position.column}`
        : `column ${position.column} (${position.header})`,
    );
  } else if (position.header !== undefined) parts.push(`column "${position.header}"`);
  return parts.join(', ');
}
