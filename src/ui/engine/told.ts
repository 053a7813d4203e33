/** What the engine says, in the words of the page. */
import { textOf } from '../../messages/german.ts';
import type { Message } from '../../messages/params.ts';
import type { Say } from '../../messages/texts.ts';
import { generalProblem, isRowCode } from '../../messages/row-codes.ts';
import { foreign, html, type Html, shownText } from '../html.ts';
import { catalogue } from '../texts.ts';
import type { Visitor } from '../ui.ts';
import { fieldName } from '../words.ts';
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

/** A problem of a row, as it is stored. */
export interface TellableIssue {
  code: string;
  said?: Message;
  message: string;
  column?: string;
}

/** A kind of problem, as a sentence; undefined for a code of another version. */
export function problemName(code: string, visitor: Pick<Visitor, 'language'>): string | undefined {
  return isRowCode(code) ? speaking(visitor)(generalProblem(code)) : undefined;
}

/** A problem of a row as plain text; the engine's own message if it is the only one. */
export function plainProblem(issue: TellableIssue, visitor: Visitor): string {
  return problemName(issue.code, visitor) ?? issue.message;
}

/** One problem of a row. What was found is one touch away. */
export function problemText(issue: TellableIssue, visitor: Visitor): Html {
  const name = problemName(issue.code, visitor);
  if (name === undefined) return html`<span lang="en">${foreign(issue.message, 400)}</span>`;
  const where = issue.column === undefined ? '' : html`${foreign(fieldName(issue.column, visitor), 40)}: `;
  return html`<span title="${shownText(detailsOf(issue, visitor), 400)}">${where}${name}</span>`;
}

/** With what was found, and what the service itself has said. */
export function problemWithWords(issue: TellableIssue, visitor: Visitor): Html {
  const details = foreign(detailsOf(issue, visitor), 300);
  const language = issue.said === undefined ? html` lang="en"` : '';
  return html`${problemText(issue, visitor)} <span class="soft small"${language}>${details}</span>`;
}

function detailsOf({ said, message }: TellableIssue, visitor: Pick<Visitor, 'language'>): string {
  return said === undefined ? message : speaking(visitor)(said);
}
