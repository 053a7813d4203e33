/** `/healthz` (the process works), `/readyz` (its store answers, too) and `/metrics`. None of them reveals a key. */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { UsageError } from '../../base/errors.ts';
import { message } from '../../messages/message.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Metrics } from './metrics.ts';

/** Callers give up long before shelflift stops waiting for an unreachable store. */
const ANSWER_WITHIN_MS = 2_000;

export interface HealthServer extends AsyncDisposable {
  /** `http://127.0.0.1:9464` */
  readonly url: string;
}

/**
 * @param state.alive false if the worker's loop hangs
 * @param state.stopping true from the first SIGTERM on: no longer ready
 * @throws UsageError `port_in_use`
 */
export async function startHealthServer(
  { host, port }: { host: string; port: number },
  ledger: Ledger,
  metrics: Metrics,
  state: { alive: () => boolean; stopping: () => boolean },
): Promise<HealthServer> {
  const answers: Record<string, () => Promise<[status: number, text: string, type?: string]>> = {
    '/healthz': async () => (state.alive() ? [200, 'ok\n'] : [503, 'the worker stands still\n']),
    '/readyz': async () => {
      if (state.stopping()) return [503, 'stopping\n'];
      await ledger.values.get('health', 'ready');
      return [200, 'ready\n'];
    },
    '/metrics': async () => [200, await metrics.text(), metrics.contentType],
  };
  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    const answer = Object.hasOwn(answers, path) ? answers[path] : undefined;
    if (answer === undefined || request.method !== 'GET') {
      send(response, 404, 'not here: /healthz, /readyz, /metrics\n');
      return;
    }
    within(ANSWER_WITHIN_MS, answer()).then(
      ([status, text, type]) => send(response, status, text, type),
      () => send(response, 503, 'the store does not answer\n'),
    );
  });
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (cause) {
    throw new UsageError('port_in_use', message('health_address_taken', { address: `${host}:${port}` }), {
      cause,
      actions: [
        {
          do: 'setOption',
          label: message('to_serve_health_elsewhere', {}),
          option: 'health',
          value: 'HOST:PORT',
        },
      ],
    });
  }
  const { port: taken } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${taken}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}

function send(
  response: ServerResponse,
  status: number,
  text: string,
  type = 'text/plain; charset=utf-8',
): void {
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(text);
}
