/** A message in the words of a language. A text that a language lacks, or with another parameter, does not compile. */
import type { MessageCode, Message, MessageParams } from './params.ts';

/** What a message within a message says, in the same language. */
export type Say = (message: Message) => string;

/** All texts of a language. */
export type Texts = { readonly [C in MessageCode]: (params: MessageParams<C>, say: Say) => string };

export function sayWith(texts: Texts): Say {
  return function say({ code, params }) {
    // The code tells the parameters, which TypeScript does not follow.
    return (texts[code] as (params: Message['params'], say: Say) => string)(params, say);
  };
}
