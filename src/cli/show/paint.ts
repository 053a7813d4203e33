/** Colours of a terminal, used sparingly: how something ended, what must be read, and what to do next. */
import { styleText } from 'node:util';

type Colour = 'always' | 'never' | 'auto';
const STYLES = { good: 'green', warning: 'yellow', bad: 'red', next: 'bold' } as const;

let asked: Colour = 'auto';

/** Chooses once, before a command begins. By default, only a terminal has colours, unless NO_COLOR is set. */
export function useColour(colour: Colour | undefined): void {
  asked = colour ?? 'auto';
}

/** @param text as it is shown: without control characters of its own */
export function paint(
  style: keyof typeof STYLES,
  text: string,
  stream: NodeJS.WritableStream = process.stderr,
): string {
  if (asked === 'never' || text === '') return text;
  return styleText(STYLES[style], text, { stream, validateStream: asked === 'auto' });
}
