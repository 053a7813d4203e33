import type { JobRecord } from '../../ledger/ledger.ts';
import type { Action, ActionOptions, Message } from '../../messages/params.ts';

/** The action that sends a job from its current state. */
export function sendAction(
  { id: job, firstSentAt }: Pick<JobRecord, 'id' | 'firstSentAt'>,
  label: Message,
  options: ActionOptions = {},
): Action {
  return { do: firstSentAt === undefined ? 'apply' : 'resume', job, label, ...withOptions(options) };
}

/** The `options` of an action, for spreading; an empty object if the action has no options. */
export function withOptions(options: ActionOptions): { options?: ActionOptions } {
  return Object.keys(options).length === 0 ? {} : { options };
}
