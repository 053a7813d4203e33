/** What the engine says, in the words of the page. */
import { textOf } from '../../messages/german.ts';
import type { Message } from '../../messages/params.ts';
import type { Say } from '../../messages/texts.ts';
import { foreign, html, type Html } from '../html.ts';
import { catalogue } from '../texts.ts';
import type { Visitor } from '../ui.ts';
import { GERMAN_ERRORS } from './errors.ts';

const TEXTS = catalogue({ original: 'In English' }, { original: 'Im Wortlaut (englisch)' });

/** An error, or what is left of one in a summary. */
export type Told = Pick<Error, 'message'> & { code?: string };

/** An error of the engine. The German of its code comes first, and its own words with their details are one touch away. */
export function errorText({ code = '', message }: Told, visitor: Visitor, longest = 1000): Html {
  const known: Readonly<Record<string, string>> = GERMAN_ERRORS;
  const german = visitor.language === 'de' && Object.hasOwn(known, code) ? known[code] : undefined;
  if (german === undefined) return html`<p lang="en">${foreign(message, longest)}</p>`;
  return html`<p>${german}</p><details class="small"><summary>${TEXTS.de.original}</summary><p lang="en">${foreign(message, longest)}</p></details>`;
}

/** How messages are said to the visitor. */
export function speaking({ language }: Pick<Visitor, 'language'>): Say {
  return (message) => textOf(message, language);
}

/** A note of the engine, as a part of a line; one that is not data yet is English. */
export function noteText(note: Message | string, visitor: Pick<Visitor, 'language'>, longest = 400): Html {
  return typeof note === 'string'
    ? html`<span lang="en">${foreign(note, longest)}</span>`
    : html`<span>${foreign(speaking(visitor)(note), longest)}</span>`;
}
