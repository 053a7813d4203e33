/** Answers unreadable HTTP and CONNECT, which never become requests. These answers have a request id, too. */
import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { type Answer, errorAnswer } from '../answer.ts';

export function answerRawErrors(server: Server, nextRequestId: () => string): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const answer = errorAnswer(
      400,
      'invalid_request',
      `request: unreadable HTTP (${error.code ?? 'unknown'})`,
    );
    endWith(socket, answer, nextRequestId());
  });
  server.on('connect', (_request, socket) => {
    endWith(socket, errorAnswer(404, 'not_found', 'CONNECT is no operation of this API.'), nextRequestId());
  });
  // Node would answer 417 without a request id; unknown expectations may be ignored.
  server.on('checkExpectation', (request, response) => {
    server.emit('request', request, response);
  });
}

function endWith(socket: Duplex, { status, body }: Answer, requestId: string): void {
  const head = [
    `HTTP/1.1 ${status} ${status === 404 ? 'Not Found' : 'Bad Request'}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
