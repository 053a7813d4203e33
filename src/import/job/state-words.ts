/** The state of a job in words. Separate from the summary, because --help must not load the summary's schemas. */
import type { JobState } from '../../ledger/states.ts';
import { message } from '../../messages/message.ts';
import type { Message } from '../../messages/params.ts';

export function stateOf(state: JobState | 'already_applied'): Message {
  return message(state === 'staging' ? 'state_planned' : `state_${state}`, {});
}
