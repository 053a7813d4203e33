/** Sends answers and faults. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Answer } from '../answer.ts';

/** Headers are in Node's flat form: name, value, name, value. */
export function send(
  outgoing: ServerResponse,
  answer: Answer,
  requestId: string,
  headers: readonly string[] = [],
  contentType = 'application/json',
): void {
  const body = Buffer.from(answer.body);
  outgoing.writeHead(answer.status, head(body, requestId, headers, contentType));
  outgoing.end(body);
}

/** The head announces the whole body; after half of it, the connection ends. */
export function sendCut(
  outgoing: ServerResponse,
  answer: Answer,
  requestId: string,
  headers: readonly string[],
): void {
  const body = Buffer.from(answer.body);
  outgoing.writeHead(answer.status, head(body, requestId, headers, 'application/json'));
  outgoing.write(body.subarray(0, Math.floor(body.length / 2)), () => outgoing.destroy());
}

/** No answer: the connection is reset or closed normally. */
export function drop(incoming: IncomingMessage, resets: boolean): void {
  if (resets) incoming.socket.resetAndDestroy();
  else incoming.socket.destroy();
}

function head(body: Buffer, requestId: string, headers: readonly string[], contentType: string): string[] {
  return [
    'Content-Type',
    contentType,
    'Content-Length',
    String(body.length),
    'X-Request-Id',
    requestId,
    ...headers,
  ];
}
