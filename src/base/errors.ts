/**
 * The base class of every error that shelflift raises on purpose.
 *
 * `code` is stable, for scripts. `said` is the message as data, and `message` its English text: what happened, where,
 * and what was found and expected. An error ends a command; problems of rows are data (mapping's issues).
 */
import { defined } from './defined.ts';
import { EXIT_OF, type ErrorCode } from './error-codes.ts';
import type { ExitCode } from './exit-code.ts';
import { adviceOf, english, message } from '../messages/message.ts';
import type { Action, Message } from '../messages/params.ts';

/** A place in a user's file. Rows and columns are those that a spreadsheet program shows. */
export interface Position {
  /** Path as it was given, or made absolute. */
  file?: string;
  /** Name of the worksheet. */
  sheet?: string;
  /** 1-based row as a spreadsheet program counts. */
  row?: number;
  /** 1-based line of a text file, if it differs from the row. */
  line?: number;
  /** Column letter, `A` … `XFD`. */
  column?: string;
  /** Header of the column. */
  header?: string;
}

/** The details of an error besides its code and message. */
export interface ErrorDetails {
  /** The error that led to it. */
  cause?: unknown;
  /** The place in a file that it is about. */
  position?: Position;
  /** Possible actions. */
  actions?: readonly Action[];
}

/** Every error that shelflift raises on purpose. Match its `code`; show its `message` and `remedy`. */
export class ShelfliftError extends Error {
  /** Stable, snake_case, for scripts. */
  readonly code: ErrorCode;
  /** The message as data: `textOf(error.said, 'de')` gives it in German. */
  readonly said: Message;
  /** The place in a file, if the error is about one. */
  readonly position: Position | undefined;
  /** Possible actions, as data. */
  readonly actions: readonly Action[];

  constructor(code: ErrorCode, said: Message, details: ErrorDetails = {}) {
    super(english(said), details.cause === undefined ? undefined : { cause: details.cause });
    this.name = new.target.name;
    this.code = code;
    this.said = said;
    this.position = details.position;
    this.actions = details.actions ?? said.actions ?? [];
  }

  /** The remedy in English: the actions as sentences. */
  get remedy(): string | undefined {
    return adviceOf(this.actions);
  }

  /** The exit code of a command that ends with this error. */
  get exitCode(): ExitCode {
    return EXIT_OF[this.code];
  }
}

/** Wrong flags, configuration or template, or unreadable input. Nothing was sent (exit 2). */
export class UsageError extends ShelfliftError {
  /** The same error, with a place in a file. */
  at(position: Position): UsageError {
    const { code, said, actions } = this;
    return new UsageError(code, said, { cause: this, position, actions });
  }
}

/** A file that cannot be read as a table (exit 2). */
export class SheetError extends ShelfliftError {}

/** The message of an error or of a row's problem as data; its English text if there is no data. */
export function saidOf({ said, message: text }: { said?: Message | undefined; message: string }): Message {
  return said ?? message('verbatim', { text });
}

/** The message, preceded by its place unless it already names the place. */
export function placedMessage({ said, position }: ShelfliftError, say = english): string {
  const text = say(said);
  if (position === undefined) return text;
  const where = say(message('place_in_file', defined(position)));
  return where === '' || text.includes(position.file ?? where) ? text : `${where}: ${text}`;
}
