/** Makes messages, and says them in English; the page, which speaks German too, has `german.ts`. */
import { EN } from './en/texts.ts';
import type { Action, ByHand, MessageCode, Message, MessageOf, MessageParams } from './params.ts';
import type { RowCode } from './row-codes.ts';
import { type Say, sayWith } from './texts.ts';

export function message<C extends MessageCode>(
  code: C,
  params: MessageParams<C>,
  ...actions: readonly Action[]
): Message {
  return { code, params, ...(actions.length === 0 ? {} : { actions }) };
}

/** The general meaning of a row's code, for any row. */
export function generalProblem(code: RowCode): Message {
  return message(`row_${code}`, {});
}

/** True for a message of this code: then the compiler knows its parameters. */
export function isMessage<C extends MessageCode>(
  message: Message | undefined,
  code: C,
): message is MessageOf<C> {
  return message?.code === code;
}

/** The same message with other actions in place of its own. */
export function withActions({ code, params }: Message, ...actions: readonly Action[]): Message {
  return { code, params, actions };
}

/** A step that a person takes outside shelflift. Its text is a whole sentence. */
export function byHand<C extends MessageCode>(code: C, params: MessageParams<C>): ByHand {
  return { do: 'byHand', label: message(code, params) };
}

export const english = sayWith(EN);

/** How a file was read, on one line. */
export function inOneLine(parts: readonly Message[], say = english): string {
  return parts.map(say).join(' · ');
}

/**
 * The possible actions in words: a sentence for each action. The command line has commands instead, and the page
 * buttons.
 *
 * @returns `Choose the decimal mark: decimal=point. To go on: resume job 241125-brave.`; undefined without an action
 */
export function adviceOf(actions: readonly Action[], say: Say = english): string | undefined {
  if (actions.length === 0) return undefined;
  return actions.map((action) => sentence(`${say(action.label)}${how(action)}`)).join(' ');
}

function how(action: Action): string {
  switch (action.do) {
    case 'byHand':
      return '';
    case 'setOption':
      return `: ${action.option}${action.value === undefined ? '' : `=${action.value}`}`;
    case 'run':
      return `: ${action.command}`;
    default: {
      const options = Object.entries(action.options ?? {}).map(([name, value]) =>
        value === true ? name : `${name}=${[value].flat().join(', ')}`,
      );
      return `: ${action.do} job ${action.job}${options.length === 0 ? '' : ` (${options.join(', ')})`}`;
    }
  }
}

/** With a full stop, if nothing ends it. */
export function sentence(text: string): string {
  return /[.?!…]["”“)]?$/u.test(text) ? text : `${text}.`;
}
