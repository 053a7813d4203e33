/** How a job stands, in words. Apart from the summary, whose schemas --help must not load. */
import type { JobState } from '../../ledger/states.ts';
import { message } from '../../messages/message.ts';
import type { Message } from '../../messages/params.ts';

/** A state in words, as a part of a line. */
export function stateOf(state: JobState | 'already_applied'): Message {
  return message(state === 'staging' ? 'state_planned' : `state_${state}`, {});
}
