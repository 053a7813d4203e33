/**
 * Answers to an assistant: data of a bounded size, which reveals nothing about this machine except what is in the
 * folders.
 */
import { UsageError } from '../base/errors.ts';
import { english } from '../messages/message.ts';
import { type Action, type Message, PARAMS } from '../messages/params.ts';

/** Maximum characters of a text: the beginning is enough to recognise a cell. */
const MAX_TEXT = 300;
/** Maximum entries of a list; the next smaller number is tried if the answer is too long. */
const LIST_LENGTHS = [50, 20, 5, 2];
/** Maximum characters of an answer. */
const MAX_ANSWER = 40_000;

export interface Showing {
  /** Removes the key and paths outside the folders from a text. */
  text: (text: string) => string;
  /** The command that a person would type for an action. */
  command: (action: Exclude<Action, { do: 'byHand' }>) => string;
}

/** Plain data for an assistant: messages with their sentence, actions with their command, texts and lists cut. */
export function bounded(data: unknown, showing: Showing): Record<string, unknown> {
  for (const [at, most] of LIST_LENGTHS.entries()) {
    const cut = { lists: 0 };
    const shown = plain(data, showing, most, cut) as Record<string, unknown>;
    const answer = cut.lists === 0 ? shown : { ...shown, lists_are_cut_to: most };
    if (at === LIST_LENGTHS.length - 1 || JSON.stringify(answer).length <= MAX_ANSWER) return answer;
  }
  return {};
}

function plain(value: unknown, showing: Showing, most: number, cut: { lists: number }): unknown {
  if (typeof value === 'string') return shortened(showing.text(value));
  if (value instanceof Date) return value.toISOString();
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint' ? String(value) : value;
  const inner = (each: unknown) => plain(each, showing, most, cut);
  if (Array.isArray(value)) {
    if (value.length > most) cut.lists += 1;
    return value.slice(0, most).map(inner);
  }
  if (isSaid(value)) {
    const { actions = [] } = value;
    const shown = { code: value.code, text: shortened(showing.text(english(value))) };
    return actions.length === 0 ? shown : { ...shown, actions: inner(actions) };
  }
  if (isAction(value)) {
    const { label, ...action } = value;
    const command = value.do === 'byHand' ? {} : { command: showing.text(showing.command(value)) };
    return { ...(inner(action) as object), label: showing.text(english(label)), ...command };
  }
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  return Object.fromEntries(entries.map(([name, each]) => [shortened(showing.text(name)), inner(each)]));
}

/** The message of a problem, and its possible actions. */
export function problem(error: unknown): Record<string, unknown> {
  const { code, message, actions } = error as { code?: unknown; message?: unknown; actions?: unknown };
  if (typeof code === 'string')
    return { code, text: message, ...(error instanceof UsageError ? { actions } : {}) };
  return { code: 'defect', text: 'This is a defect of shelflift. Nothing more is known.' };
}

const PARTS = ['code', 'params', 'actions'];

function isSaid(value: object): value is Message {
  const isOfParts = Object.keys(value).every((key) => PARTS.includes(key));
  return isOfParts && 'params' in value && 'code' in value && Object.hasOwn(PARAMS, String(value.code));
}

function isAction(value: object): value is Action {
  return 'do' in value && 'label' in value && isSaid(value.label as object);
}

function shortened(text: string): string {
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)}… (${text.length} characters)`;
}
