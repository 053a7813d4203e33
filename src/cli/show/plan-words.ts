/** Values of items in words, safe for a terminal. */
import { shownForm } from '../../mapping/text-form.ts';
import { message } from '../../messages/message.ts';
import { say } from './say.ts';
import { oneLine } from './words.ts';

const MAX_LETTERS = 60;

/** `old → new`, with blanks for empty values. */
export function changeText({ field, from, to }: { field: string; from: unknown; to: unknown }): string {
  return `${word(field, from)} → ${word(field, to)}`;
}

export function word(field: string, value: unknown): string {
  const text = shownForm(field, value);
  return text === '' ? say(message('blank_value', {})) : text;
}

/** One clean line, cut to fit. */
export function cut(text: string): string {
  const clean = oneLine(text);
  return clean.length > MAX_LETTERS ? `${clean.slice(0, MAX_LETTERS - 1).toWellFormed()}…` : clean;
}
