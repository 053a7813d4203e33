/** Possible actions, as a worker writes them in e-mails and notes: a sentence, a key of shelflift.yaml, or a command. */
import { message, sentence } from '../../messages/message.ts';
import type { Action } from '../../messages/params.ts';
import type { Say } from '../../messages/texts.ts';

/** Writes the command of an action; given by the program that started the worker. */
export type CommandOf = (action: Exclude<Action, { do: 'byHand' | 'setOption' }>) => string;

/**
 * A line for each possible action.
 *
 * @param command undefined if the reader has no command line: such actions are left out
 */
export function adviceLines(actions: readonly Action[], say: Say, command?: CommandOf): string[] {
  return actions.flatMap((action): string[] => {
    const label = say(action.label);
    switch (action.do) {
      case 'byHand':
        return [sentence(label)];
      case 'setOption': {
        const set = { [action.option]: action.value ?? true, ...action.also };
        const keys = Object.entries(set).map(([key, value]) =>
          say(message('key_in_config', { key, value: [value].flat().join(', ') })),
        );
        return [`${label}: ${keys.join(', ')}`];
      }
      default:
        return command === undefined ? [] : [`${label}: ${command(action)}`];
    }
  });
}
