import type { SandboxState } from '../state.ts';
import type { RequestRecord } from './request-record.ts';
import type { Timers } from './timers.ts';

/** What the wire's side needs: the sandbox behind it, request ids, waiting, and who wants to hear of requests. */
export interface Surroundings extends Omit<Timers, 'stop'> {
  readonly state: SandboxState;
  nextRequestId(): string;
  readonly onRequest: ((record: RequestRecord) => void) | undefined;
}
