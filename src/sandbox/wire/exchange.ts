/** Handles one API request from its arrival to the sent answer. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Answer, errorAnswer, Refusal } from '../answer.ts';
import type { ApiRequest, Operation } from '../operations.ts';
import type { SandboxState } from '../state.ts';
import type { Access } from '../store/teams.ts';
import { type Ending, type Exchange, fail } from './fail.ts';
import { readRequestBody } from '../reading.ts';
import type { RequestRecord } from '../settings.ts';
import { send } from './send.ts';
import type { WireContext } from './wire-context.ts';

const BEARER = /^Bearer +(\S+)$/i;

/**
 * Answers a request to the API.
 *
 * The order of the checks is the order in which services of this kind decide: key (401), rate limit (429; every request
 * of a key counts, whatever its outcome), route (404), scope (403), then the operation's own.
 *
 * @param operation undefined if method and path do not belong to the contract; the answer is then 404 not_found, even
 *   for a wrong method, because §7 lists no 405
 * @param id the id in the path; '' if there is none
 */
export async function exchange(
  wire: WireContext,
  operation: Operation | undefined,
  id: string,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const { state } = wire;
  const requestId = wire.nextRequestId();
  state.tally.arrived(state.clock.steady());
  let body: Buffer | undefined;
  if (hasBody(incoming)) {
    try {
      body = await readRequestBody(incoming);
    } catch {
      state.tally.ended(operation?.name, 'dropped');
      return;
    }
  } else body = Buffer.alloc(0);
  const { latencyMs } = state;
  if (latencyMs > 0 && !(await wire.sleep(latencyMs / 2))) return;

  const current: Exchange = { requestId, incoming, outgoing };
  const ending = await decide(wire, current, operation, id, body);
  state.tally.ended(operation?.name, ending.outcome);
  wire.onRequest?.(record(current, operation, body, ending));
}

async function decide(
  wire: WireContext,
  current: Exchange,
  operation: Operation | undefined,
  id: string,
  body: Buffer | undefined,
): Promise<Ending> {
  const { state } = wire;
  const { incoming } = current;
  const access = authenticate(state, incoming);
  if (access === undefined) {
    const unauthorised = errorAnswer(401, 'unauthorized', 'The API key is missing or invalid.');
    return finish(wire, current, unauthorised, ['WWW-Authenticate', 'Bearer']);
  }
  const { admitted, headers } = state.gate.pass(access.secret);
  if (!admitted) {
    const limited = errorAnswer(429, 'rate_limited', "This key's rate limit is exceeded.");
    return finish(wire, current, limited, headers);
  }
  if (operation === undefined) return finish(wire, current, unknownRoute(incoming), headers);
  if (!access.scopes.has(operation.scope)) {
    const forbidden = errorAnswer(403, 'forbidden', `This key lacks the scope ${operation.scope}.`);
    return finish(wire, current, forbidden, headers);
  }
  const run = (): Answer => attempt(state, operation, request(access, id, incoming, body));
  const fault = state.faults.forRequest(operation.name);
  if (fault !== undefined) return fail(wire, current, fault, run, headers);
  return finish(wire, current, run(), headers);
}

/** The answer's half of the latency, then the answer. */
async function finish(
  wire: WireContext,
  { outgoing, requestId }: Exchange,
  answer: Answer,
  headers: readonly string[],
): Promise<Ending> {
  const { latencyMs } = wire.state;
  if (latencyMs > 0 && !(await wire.sleep(latencyMs / 2))) {
    return { outcome: 'dropped', answer: undefined, fault: undefined };
  }
  send(outgoing, answer, requestId, headers);
  return { outcome: `${answer.status}`, answer, fault: undefined };
}

function attempt(state: SandboxState, operation: Operation, apiRequest: ApiRequest): Answer {
  try {
    return operation.run(state, apiRequest);
  } catch (error) {
    if (error instanceof Refusal) return error.toAnswer();
    throw error;
  }
}

function request(
  access: Access,
  id: string,
  incoming: IncomingMessage,
  body: Buffer | undefined,
): ApiRequest {
  return {
    team: access.team,
    id,
    query: new URLSearchParams(splitUrl(incoming).query),
    contentType: incoming.headers['content-type'],
    body,
  };
}

/** api-v1 §5.1. The scheme's case does not matter (RFC 9110 §11.1), the key's does. */
function authenticate(state: SandboxState, incoming: IncomingMessage): Access | undefined {
  const secret = BEARER.exec(incoming.headers.authorization ?? '')?.[1];
  return secret === undefined ? undefined : state.teams.access(secret);
}

/** 404, the contract's only status for something that does not exist (§7). */
export function unknownRoute(incoming: IncomingMessage): Answer {
  const { path } = splitUrl(incoming);
  return errorAnswer(
    404,
    'not_found',
    `${incoming.method} ${path.slice(0, 200)} is no operation of this API.`,
  );
}

function hasBody(incoming: IncomingMessage): boolean {
  return incoming.headers['content-length'] !== undefined || 'transfer-encoding' in incoming.headers;
}

function splitUrl(incoming: IncomingMessage): { path: string; query: string } {
  const url = incoming.url ?? '/';
  const mark = url.indexOf('?');
  return mark === -1 ? { path: url, query: '' } : { path: url.slice(0, mark), query: url.slice(mark + 1) };
}

function record(
  { incoming, requestId }: Exchange,
  operation: Operation | undefined,
  body: Buffer | undefined,
  ending: Ending,
): RequestRecord {
  return {
    requestId,
    operation: operation?.name,
    method: incoming.method ?? '',
    ...splitUrl(incoming),
    headers: incoming.headers,
    body: body === undefined ? '' : body.toString('utf8'),
    status: ending.answer?.status,
    answer: ending.answer?.body ?? '',
    fault: ending.fault?.kind,
  };
}
