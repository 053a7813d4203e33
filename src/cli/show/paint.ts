/** Colours of a terminal, used sparingly: for outcomes, for important notes, and for the next step. */
import { styleText } from 'node:util';

type Colour = 'always' | 'never' | 'auto';
const STYLES = { good: 'green', warning: 'yellow', bad: 'red', next: 'bold' } as const;

let asked: Colour = 'auto';

/** Chooses once, before a command begins. By default, colours are used only on a terminal, unless NO_COLOR is set. */
export function useColour(colour: Colour | undefined): void {
  asked = colour ?? 'auto';
}

/** @param text displayed text, without control characters */
export function paint(
  style: keyof typeof STYLES,
  text: string,
  stream: NodeJS.WritableStream = process.stderr,
): string {
  if (asked === 'never' || text === '') return text;
  return styleText(STYLES[style], text, { stream, validateStream: asked === 'auto' });
}
