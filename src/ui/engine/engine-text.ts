/** Messages of the engine in the language of the visitor: errors with possible actions, and notes. */
import { textOf } from '../../messages/german.ts';
import { generalProblem, sentence } from '../../messages/message.ts';
import type { Action, Message } from '../../messages/params.ts';
import type { Say } from '../../messages/texts.ts';
import { isRowCode } from '../../messages/row-codes.ts';
import { foreign, html, type Html, shownText } from '../html.ts';
import type { Visitor } from '../ui.ts';
import { fieldName } from '../words.ts';

/** An error, or the part of it that a summary keeps. */
export type ErrorSummary = Pick<Error, 'message'> & {
  code?: string;
  said?: Message | undefined;
  actions?: readonly Action[];
};

/** An error of the engine, with possible actions. */
export function errorText(error: ErrorSummary, visitor: Visitor, longest = 1000): Html {
  return html`<p>${foreign(plainError(error, visitor), longest)}</p>${actionsText(error.actions ?? error.said?.actions ?? [], visitor)}`;
}

/** An error as plain text, without actions. */
export function plainError({ message, said }: ErrorSummary, visitor: Pick<Visitor, 'language'>): string {
  return said === undefined ? message : sentence(speaking(visitor)(said));
}

/** Links to the screens for the actions; for actions that the page does not offer, only their purpose. */
function actionsText(actions: readonly Action[], visitor: Visitor): Html {
  if (actions.length === 0) return html``;
  const say = speaking(visitor);
  return html`<ul class="can-do">${actions.map((action) => {
    const screen = screenOf(action);
    const text = foreign(action.do === 'byHand' ? sentence(say(action.label)) : say(action.label), 300);
    return html`<li>${screen === undefined ? text : html`<a href="${screen}">${text}</a>`}</li>`;
  })}</ul>`;
}

/** Commands that the page has a screen for, by how they begin. */
const SCREENS: readonly [command: string, screen: string][] = [
  ['import', '/file'],
  ['export', '/reports'],
  ['report', '/reports'],
  ['dupes', '/duplicates'],
  ['jobs list', '/history'],
  ['doctor', '/connect'],
  ['profile', '/connect'],
  ['worker', '/automatic'],
];

function screenOf(action: Action): string | undefined {
  switch (action.do) {
    case 'byHand':
    case 'setOption':
      return undefined;
    case 'run':
      return SCREENS.find(([command]) => action.command.startsWith(command))?.[1];
    case 'mend':
      return `/job/${action.job}/mend`;
    case 'apply':
      return `/job/${action.job}/plan`;
    case 'resume':
      return `/job/${action.job}`;
    default:
      return `/job/${action.job}/result`;
  }
}

/** Renders messages in the visitor's language. */
export function speaking({ language }: Pick<Visitor, 'language'>): Say {
  return (message) => textOf(message, language);
}

/** A note of the engine, as part of a line; a note that exists only as text is in English. */
export function noteText(note: Message | string, visitor: Pick<Visitor, 'language'>, longest = 400): Html {
  return typeof note === 'string'
    ? html`<span>${foreign(note, longest)}</span>`
    : html`<span>${foreign(speaking(visitor)(note), longest)}</span>`;
}

/** A problem of a row, as it is stored. */
export interface TellableIssue {
  code: string;
  said?: Message;
  message: string;
  column?: string;
}

/** A kind of problem, as a sentence; the code itself if it is from another version. */
export function problemName(code: string, visitor: Pick<Visitor, 'language'>): string {
  return isRowCode(code) ? speaking(visitor)(generalProblem(code)) : code;
}

/** One problem of a row, with its details in a tooltip. */
export function problemText({ code, said, column }: TellableIssue, visitor: Visitor): Html {
  const where = column === undefined ? '' : html`${foreign(fieldName(column, visitor), 40)}: `;
  const details = said === undefined ? '' : html` title="${shownText(speaking(visitor)(said), 400)}"`;
  return html`<span${details}>${where}${problemName(code, visitor)}</span>`;
}

/** A problem with its details; messages of the service are shown as they are. */
export function problemWithWords(issue: TellableIssue, visitor: Visitor): Html {
  const { said, code, message } = issue;
  if (said !== undefined)
    return html`${problemText(issue, visitor)} <span class="soft small">${foreign(speaking(visitor)(said), 300)}</span>`;
  if (code !== 'invalid_request') return problemText(issue, visitor);
  return html`${problemText(issue, visitor)} <q class="soft small">${foreign(message, 300)}</q>`;
}
