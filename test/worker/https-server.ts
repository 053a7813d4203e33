/** An https server within the test, with a certificate of its own authority. */
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { CERTIFICATE, KEY } from './test-certificate.ts';

export interface HttpsServer {
  port: number;
  /** `https://localhost:PORT` */
  url: string;
  /** Method and path of each request. */
  asked: string[];
}

/** @param answer gets the request and its body */
export async function httpsServer(
  answer: (request: IncomingMessage, response: ServerResponse, body: string) => void,
): Promise<HttpsServer> {
  const asked: string[] = [];
  const server = createServer({ key: KEY, cert: CERTIFICATE }, (request, response) => {
    asked.push(`${request.method ?? ''} ${request.url ?? ''}`);
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => answer(request, response, body));
  });
  server.listen(0, 'localhost');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { port, url: `https://localhost:${port}`, asked };
}
