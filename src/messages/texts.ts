/** A message in the words of a language. A text that a language lacks, or with another parameter, does not compile. */
import type { MessageCode, Message, ValuesOf, PARAMS } from './params.ts';

/** What a message within a message says, in the same language. */
export type Say = (message: Message) => string;

/** Texts for messages that are declared so. */
export type TextsOf<P> = { readonly [Code in keyof P]: (params: ValuesOf<P[Code]>, say: Say) => string };

/** All texts of a language. */
export type Texts = TextsOf<Pick<typeof PARAMS, MessageCode>>;

export function sayWith(texts: Texts): Say {
  return function say({ code, params }) {
    // The code tells the parameters, which TypeScript does not follow.
    return (texts[code] as (params: Message['params'], say: Say) => string)(params, say);
  };
}
