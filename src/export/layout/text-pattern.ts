import { message } from '../../messages/message.ts';
import type { Message } from '../../messages/params.ts';

/**
 * A text with fields: `{brand} {name}[ ({release_year})]`. The part in square brackets is left out if one of its
 * fields is blank. A bracket, a brace or a backslash after `\` is a plain character.
 */
export interface TextPattern {
  fields: readonly string[];
  text(value: (field: string) => string): string;
}

type Part =
  | { kind: 'text'; text: string }
  | { kind: 'field'; field: string }
  | { kind: 'optional'; parts: Part[] };

/** A problem of a whole pattern. */
function wrong(source: string, problem: Message): { problem: Message } {
  return { problem: message('problem_in', { problem, text: source }) };
}

export function parsePattern(source: string): TextPattern | { problem: Message } {
  const fields: string[] = [];
  const whole: Part[] = [];
  let optional: Part[] | undefined;
  let at = 0;
  while (at < source.length) {
    const parts = optional ?? whole;
    const character = source[at] ?? '';
    at += 1;
    if (character === '\\') {
      parts.push({ kind: 'text', text: source[at] ?? '' });
      at += 1;
    } else if (character === '{') {
      const end = source.indexOf('}', at);
      if (end < 0) return wrong(source, message('sign_missing', { sign: '}' }));
      const field = source.slice(at, end).trim();
      fields.push(field);
      parts.push({ kind: 'field', field });
      at = end + 1;
    } else if (character === '[') {
      if (optional !== undefined) return wrong(source, message('sign_nested', { sign: '[' }));
      optional = [];
    } else if (character === ']') {
      if (optional === undefined) return wrong(source, message('sign_unopened', { sign: ']', opening: '[' }));
      whole.push({ kind: 'optional', parts: optional });
      optional = undefined;
    } else if (character === '}') return wrong(source, message('sign_unopened', { sign: '}', opening: '{' }));
    else parts.push({ kind: 'text', text: character });
  }
  if (optional !== undefined) return wrong(source, message('sign_missing', { sign: ']' }));
  return { fields, text: (value) => filled(whole, value)?.trim() ?? '' };
}

/** @returns undefined if a field is blank and `strict` */
function filled(
  parts: readonly Part[],
  value: (field: string) => string,
  strict = false,
): string | undefined {
  let text = '';
  for (const part of parts) {
    if (part.kind === 'text') text += part.text;
    else if (part.kind === 'optional') text += filled(part.parts, value, true) ?? '';
    else {
      const found = value(part.field);
      if (found === '' && strict) return undefined;
      text += found;
    }
  }
  return text;
}
