/** Messages on a terminal: what can be done is the command that does it, with the target of this call. */
import { english } from '../../messages/message.ts';
import type { Action, Message } from '../../messages/params.ts';
import { shellWord } from '../../shell-word.ts';
import type { GlobalFlags } from '../flags.ts';
import { targetFlags } from './same-target.ts';

export function toldWithCommands(message: Message, flags: GlobalFlags): string {
  const actions = (message.actions ?? []).map(
    (action) => `${english(action.label)}: ${command(action, flags)}`,
  );
  return [english(message).replace(/(?<![.?!])$/u, actions.length > 0 ? '.' : ''), ...actions].join(' ');
}

function command(action: Action, flags: GlobalFlags): string {
  switch (action.do) {
    case 'setOption':
      return `--${action.option}${action.value === undefined ? '' : ` ${shellWord(action.value)}`}`;
    case 'mend':
      return `shelflift jobs mend ${action.job}${targetFlags(flags)} --option ${shellWord(`${action.option}=${action.value}`)}`;
    default:
      return `shelflift jobs show ${action.job}${targetFlags(flags)}`;
  }
}

/** As `--json` and `--progress json` show it beside the sentence. */
export function messageJson({ code, params, actions = [] }: Message): Record<string, unknown> {
  return {
    code,
    params,
    ...(actions.length === 0
      ? {}
      : { actions: actions.map(({ label, ...action }) => ({ ...action, label: english(label) })) }),
  };
}
