/** Values of items in words, safe for a terminal. */
import { textForm } from '../../mapping/text-form.ts';

const LONGEST = 60;

/** `old → new`, blank where there is nothing. */
export function changeText({ field, from, to }: { field: string; from: unknown; to: unknown }): string {
  return `${word(field, from)} → ${word(field, to)}`;
}

export function word(field: string, value: unknown): string {
  const text = textForm(field, value);
  return text === '' ? 'blank' : text;
}

/** One clean line: values of items must not move a terminal's cursor. */
export function cut(text: string): string {
  // oxlint-disable-next-line no-control-regex -- these are what must not reach a terminal
  const clean = text.replaceAll(/[\u0000-\u001f\u007f-\u009f]+/g, ' ');
  return clean.length > LONGEST ? `${clean.slice(0, LONGEST - 1).toWellFormed()}…` : clean;
}
