/** Makes messages, and says them in English; the page, which speaks German too, has `german.ts`. */
import { EN } from './en.ts';
import type { Action, MessageCode, Message, MessageParams } from './params.ts';
import { sayWith } from './texts.ts';

export function message<C extends MessageCode>(
  code: C,
  params: MessageParams<C>,
  ...actions: readonly Action[]
): Message {
  return { code, params, ...(actions.length === 0 ? {} : { actions }) } as Message;
}

export const english = sayWith(EN);

/** How a file was read, on one line. */
export function inOneLine(parts: readonly Message[], say = english): string {
  return parts.map(say).join(' · ');
}
