/** Apart from the English texts: a command that speaks English loads no language data. */
import { DE } from './de/texts.ts';
import { english } from './message.ts';
import type { Message } from './params.ts';
import { sayWith } from './texts.ts';

export const german = sayWith(DE);

/** What a message says, in English or German. */
export function textOf(message: Message, language: 'en' | 'de' = 'en'): string {
  return language === 'de' ? german(message) : english(message);
}
