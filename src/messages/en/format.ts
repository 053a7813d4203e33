/** Numbers, times and lists within English texts. */
export { count, counted } from '../../base/counted.ts';
export { ageText, duration, utcTime } from '../../base/words.ts';

export function quoted(text: string): string {
  return `"${text}"`;
}

/** `A, B and C`. */
export function list(texts: readonly string[]): string {
  return joined(texts, 'and');
}

/** `A, B or C`. */
export function either(texts: readonly string[]): string {
  return joined(texts, 'or');
}

function joined(texts: readonly string[], word: string): string {
  return texts.length < 2 ? texts.join('') : `${texts.slice(0, -1).join(', ')} ${word} ${texts.at(-1)}`;
}

/** What a job that stops at a question has sent. */
export function unsent({ hasSent }: { hasSent: boolean }): string {
  return hasSent ? 'The remaining rows were not sent.' : 'Nothing was sent.';
}
