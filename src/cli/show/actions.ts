/** Messages on a terminal: actions are shown as commands, with the target of this call. */
import { english, sentence } from '../../messages/message.ts';
import type { Action, ActionOptions, Message } from '../../messages/params.ts';
import { shellWord } from '../../base/shell-word.ts';
import type { Say } from '../../messages/texts.ts';
import type { GlobalFlags } from '../flags.ts';
import { say } from './say.ts';
import { withoutPassword } from '../../ledger/postgres/location.ts';

/** A message with its actions, on one line. */
export function toldWithCommands(message: Message, flags: GlobalFlags): string {
  const { actions = [] } = message;
  const text = say(message);
  return actions.length === 0 ? text : `${sentence(text)} ${commandsOf(actions, flags)}`;
}

/** The actions on one line, each command after its label. */
export function commandsOf(actions: readonly Action[], flags: GlobalFlags, saying = say): string {
  return actions
    .map((action, index) => actionText(action, flags, index === actions.length - 1, saying))
    .join(' ');
}

const ENDS_WITH_COMMAND: ReadonlySet<string> = new Set(['usage_is', 'verbatim']);

/** A command at the end has no full stop, so that a double click selects it. */
function actionText(action: Action, flags: GlobalFlags, isLast: boolean, saying: Say): string {
  const label = saying(action.label);
  // The command line's own advice may end with a command.
  if (action.do === 'byHand') return ENDS_WITH_COMMAND.has(action.label.code) ? label : sentence(label);
  const text = `${label.replace(/\.$/u, '')}: ${commandOf(action, flags)}`;
  return isLast ? text : `${text}.`;
}

/** The command of an action, or the options to add to this call. */
export function commandOf(action: Exclude<Action, { do: 'byHand' }>, flags: GlobalFlags): string {
  switch (action.do) {
    case 'setOption': {
      const { option, value, also = {} } = action;
      return optionsText({ [option]: value ?? true, ...also }).slice(1);
    }
    case 'run': {
      const { command, args = [], options = {} } = action;
      const words = args.map((arg) => ` ${shellWord(arg)}`).join('');
      const target = AT_TARGET.test(command) ? targetFlags(flags) : '';
      return `shelflift ${command}${words}${target}${optionsText(options)}`;
    }
    default: {
      const { job, row, options = {} } = action;
      const rows = row === undefined ? '' : ` --row ${row}`;
      return `shelflift jobs ${action.do} ${job}${targetFlags(flags)}${rows}${optionsText(options)}`;
    }
  }
}

/** The flags for the API and store of this call; '' if it has none. */
export function targetFlags(flags: GlobalFlags): string {
  return [
    flags.sandbox === true ? ' --sandbox' : '',
    flags.profile === undefined ? '' : ` --profile ${shellWord(flags.profile)}`,
    flags['api-url'] === undefined ? '' : ` --api-url ${shellWord(flags['api-url'])}`,
    flags.store === undefined ? '' : ` --store ${shellWord(withoutPassword(flags.store))}`,
  ].join('');
}

/** Commands that reach an API or a store. */
const AT_TARGET = /^(?:jobs|import|set|dupes|export(?! verify)|report|store|why|doctor|worker|schedule)\b/;

/** ` --option value` for each option. */
export function optionsText(options: ActionOptions): string {
  return Object.entries(options)
    .flatMap(([name, value]) =>
      value === true ? [` --${name}`] : [value].flat().map((each) => ` --${name} ${shellWord(each)}`),
    )
    .join('');
}

/** A message in the form of `--json` and `--progress json`. */
export function messageJson({ code, params, actions = [] }: Message): Record<string, unknown> {
  return { code, params, ...actionsJson(actions) };
}

/** Actions with their labels in English; absent if there are none. */
export function actionsJson(actions: readonly Action[]): Record<string, unknown> {
  if (actions.length === 0) return {};
  return { actions: actions.map(withLabel) };
}

/** An action as data, with its label in English. */
export function withLabel({ label, ...action }: Action): Record<string, unknown> {
  return { ...action, label: english(label) };
}
