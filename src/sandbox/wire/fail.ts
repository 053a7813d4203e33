/** Carries out each fault on the wire, after the operation if it commits. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Answer, errorAnswer } from '../answer.ts';
import type { Fault } from '../faults.ts';
import type { Outcome } from '../tally.ts';
import { drop, send, sendCut } from './send.ts';
import type { WireContext } from './wire-context.ts';

/** A request in flight. */
export interface Exchange {
  readonly requestId: string;
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/** How a request ended. */
export interface Ending {
  readonly outcome: Outcome;
  /** undefined if no answer was sent. */
  readonly answer: Answer | undefined;
  readonly fault: Fault | undefined;
}

const BAD_GATEWAY =
  '<html>\n<head><title>502 Bad Gateway</title></head>\n<body><h1>502 Bad Gateway</h1></body>\n</html>\n';

/**
 * @param run applies the request and returns its regular answer
 * @param headers of the rate limit; a proxy's page has none
 */
export function fail(
  wire: WireContext,
  exchange: Exchange,
  fault: Fault,
  run: () => Answer,
  headers: readonly string[],
): Ending {
  const { requestId, incoming, outgoing } = exchange;
  const { kind } = fault;
  if (kind === 'lateCommit') commitLater(wire, fault, run);
  const applied = fault.commits && kind !== 'lateCommit' ? run() : undefined;
  if (kind === 'stall') return { outcome: 'stalled', answer: undefined, fault };
  if (kind === 'cutBody') {
    const answer = applied ?? run();
    sendCut(outgoing, answer, requestId, headers);
    return { outcome: 'cut', answer, fault };
  }
  if (kind === 'error500') {
    const answer = errorAnswer(500, 'internal_error', 'Something went wrong.');
    send(outgoing, answer, requestId, headers);
    return { outcome: '500', answer, fault };
  }
  if (kind === 'html502') {
    const answer = { status: 502, body: BAD_GATEWAY };
    send(outgoing, answer, requestId, [], 'text/html');
    return { outcome: '502', answer, fault };
  }
  drop(incoming, fault.resets);
  return { outcome: 'dropped', answer: undefined, fault };
}

function commitLater(wire: WireContext, fault: Fault, run: () => Answer): void {
  const { state } = wire;
  state.lateCommits += 1;
  wire.later(fault.afterMs, () => {
    state.lateCommits -= 1;
    run();
  });
}
