/** Stands between a client and a server, passes everything on, and keeps what each of them really sent. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent } from 'undici';

/** One request and its answer, as they were on the wire. */
export interface Exchange {
  method: string;
  /** Without the query. */
  path: string;
  /** Without the question mark; '' where there is none. */
  query: string;
  /** Names in lower case. */
  requestHeaders: IncomingHttpHeaders;
  requestBody: string;
  status: number;
  /** Names in lower case. */
  answerHeaders: IncomingHttpHeaders;
  answer: string;
}

export interface Recorder extends AsyncDisposable {
  /** Base address to use in place of the server's. */
  readonly url: string;
  /** All exchanges whose answer is whole, in the order of their ends. */
  readonly exchanges: Exchange[];
}

/** Of one connection each, not of the message (RFC 9110 §7.6.1), or made anew from the body. */
const HOP_HEADERS = ['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'host'];

export async function startRecorder(target: string): Promise<Recorder> {
  const agent = new Agent();
  const exchanges: Exchange[] = [];
  const server = createServer((incoming, outgoing) => {
    const pass = async (): Promise<void> => {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming) chunks.push(chunk as Buffer);
      const body = Buffer.concat(chunks);
      const url = incoming.url ?? '/';
      const method = incoming.method ?? '';
      const answer = await agent.request({
        origin: target,
        path: url,
        method,
        headers: withoutHops(incoming.headers),
        body: body.length === 0 && method !== 'POST' && method !== 'PATCH' ? null : body,
      });
      const text = await answer.body.text();
      const mark = url.indexOf('?');
      exchanges.push({
        method,
        path: mark === -1 ? url : url.slice(0, mark),
        query: mark === -1 ? '' : url.slice(mark + 1),
        requestHeaders: incoming.headers,
        requestBody: body.toString('utf8'),
        status: answer.statusCode,
        answerHeaders: answer.headers,
        answer: text,
      });
      outgoing.writeHead(answer.statusCode, withoutHops(answer.headers));
      outgoing.end(text);
    };
    pass().catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    exchanges,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await agent.close();
    },
  };
}

function withoutHops(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_HEADERS.includes(name)));
}
