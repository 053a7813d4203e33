/**
 * What a schema expects and what was found, as messages. A problem of zod carries a string, so a message travels in it as
 * JSON. Never repeats a text, which may be a misplaced secret.
 */
import type { z } from 'zod';
import { isMessage, message } from '../messages/message.ts';
import type { Message, MessageCode, MessageParams } from '../messages/params.ts';

/** The message of a schema's check. */
export function problem<C extends MessageCode>(code: C, params: MessageParams<C>): string {
  return inZod(message(code, params));
}

/** The message for an expected value: `expecting('a_text', {})`. */
export function expecting<C extends MessageCode>(code: C, params: MessageParams<C>): string {
  return problem('expected', { expected: message(code, params) });
}

export function inZod(said: Message): string {
  return JSON.stringify(said);
}

/** The message of an issue; zod's own English if the issue carries no message. */
export function saidIn(text: string): Message {
  return text.startsWith('{"code":') ? (JSON.parse(text) as Message) : message('verbatim', { text });
}

const KINDS: Record<string, MessageCode> = {
  string: 'a_text',
  number: 'a_number',
  int: 'a_whole_number',
  boolean: 'true_or_false',
  object: 'a_map',
  record: 'a_map',
  array: 'a_list',
};

/** For zod's `error`; undefined if zod's own message is good enough. */
export function inWords(issue: z.core.$ZodRawIssue): string | undefined {
  const wanted = expectedBy(issue);
  if (wanted === undefined) return undefined;
  if (issue.input === undefined) return problem('expected_missing', { expected: wanted });
  return problem('expected_found', { expected: wanted, found: foundIn(issue.input) });
}

/** The value that an issue of zod expects; undefined if only zod's own words describe it. */
export function expectedBy(issue: z.core.$ZodRawIssue | z.core.$ZodIssue): Message | undefined {
  switch (issue.code) {
    case 'invalid_type': {
      const kind = KINDS[issue.expected];
      return kind === undefined ? message('verbatim', { text: issue.expected }) : { code: kind, params: {} };
    }
    case 'invalid_value':
      return message('one_of', { words: issue.values.map(String) });
    case 'too_small':
      return message('at_least', { least: String(issue.minimum), ...unitOf(issue.origin) });
    case 'too_big':
      return message('at_most', { most: String(issue.maximum), ...unitOf(issue.origin) });
    case 'invalid_union': {
      const forms = issue.errors.map(([first]) => (first === undefined ? undefined : expectedBy(first)));
      const known = forms.filter((form) => form !== undefined);
      if (known.length < forms.length) return undefined;
      const unlike = new Map(known.map((form) => [inZod(form), form]));
      return unlike.size === 1 ? known[0] : message('any_of', { forms: [...unlike.values()] });
    }
    default:
      return expectedIn(issue.message);
  }
}

/** What a schema's own words expect. */
function expectedIn(text: string | undefined): Message | undefined {
  const said = text === undefined ? undefined : saidIn(text);
  return isMessage(said, 'expected') ? said.params.expected : undefined;
}

function unitOf(origin: string): { entries: boolean; letters: boolean } {
  return { entries: origin === 'array', letters: origin === 'string' };
}

function foundIn(value: unknown): Message {
  if (Array.isArray(value)) return message('a_list_of', { entries: value.length });
  if (typeof value === 'string') return message('a_text', {});
  return typeof value === 'object' && value !== null
    ? message('a_map', {})
    : message('verbatim', { text: String(value) });
}

/** A value that a program passed, in its own words. */
export function shown(value: unknown): Message {
  if (typeof value === 'string')
    return message('verbatim', {
      text: JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value),
    });
  if (typeof value === 'function') return message('a_function', {});
  if (Array.isArray(value)) return message('a_list', {});
  if (value instanceof Date) return message(Number.isNaN(value.getTime()) ? 'an_invalid_date' : 'a_date', {});
  return typeof value === 'object' && value !== null
    ? message('an_object', {})
    : message('verbatim', { text: String(value) });
}
