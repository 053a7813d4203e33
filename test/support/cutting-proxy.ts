/** A proxy before a server that can lose an answer: the server has done what it was asked, and nobody hears of it. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

export interface CuttingProxy extends AsyncDisposable {
  port: number;
  /**
   * The next request that holds this text reaches the server; its answer is cut off with the connection.
   *
   * @param meanwhile done before the client hears of that
   */
  loseAnswerTo(text: string, meanwhile?: () => Promise<unknown>): void;
  /** Answers lost so far. */
  lost: number;
}

export async function cuttingProxy(target: { host: string; port: number }): Promise<CuttingProxy> {
  let wanted: string | undefined;
  let first: () => Promise<unknown> = async () => undefined;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(target.port, target.host);
    let cut = false;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
    }
    client.on('close', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
    client.on('data', (chunk) => {
      if (wanted !== undefined && chunk.includes(wanted)) {
        wanted = undefined;
        cut = true;
      }
      upstream.write(chunk);
    });
    upstream.on('data', (chunk) => {
      if (!cut) {
        client.write(chunk);
        return;
      }
      // The first byte of the answer to a statement comes once it is committed.
      proxy.lost += 1;
      const meanwhile = first;
      first = async () => undefined;
      void meanwhile().finally(() => client.destroy());
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxy: CuttingProxy = {
    port: (server.address() as { port: number }).port,
    lost: 0,
    loseAnswerTo(text, meanwhile = async () => undefined) {
      wanted = text;
      first = meanwhile;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
  return proxy;
}
