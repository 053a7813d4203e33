/** A TCP proxy whose connections can be cut, or go half-open: nothing gets through any more, and nobody is told. */
import { createConnection, createServer, type AddressInfo, type Socket } from 'node:net';

export interface HalfOpenProxy extends AsyncDisposable {
  /** To be used instead of the address behind it, where that is one of HTTP. */
  url: string;
  port: number;
  /** From now on no open connection brings anything further: both ways, or only what comes back. */
  stall(what: 'both' | 'answers'): void;
  /** How many connections are stalled. */
  stalled(): number;
  /** Cuts every open connection, both sides at once (RST), and tells how many. */
  cut(): number;
}

interface Pair {
  client: Socket;
  server: Socket;
  stalled: boolean;
}

/** @param target address that it stands before; connections that are made after a stall work */
export async function startHalfOpenProxy(target: string): Promise<HalfOpenProxy> {
  const behind = new URL(target);
  const pairs = new Set<Pair>();
  const listener = createServer((client) => {
    const server = createConnection(Number(behind.port), behind.hostname);
    const pair: Pair = { client, server, stalled: false };
    pairs.add(pair);
    client.pipe(server);
    server.pipe(client);
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      one.on('error', () => undefined);
      one.on('close', () => {
        pairs.delete(pair);
        // A stalled connection does not even tell that the other side has gone.
        if (!pair.stalled) other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const part = (from: Socket, to: Socket) => {
    from.unpipe(to);
    // Read and thrown away, as by a network that has forgotten the connection.
    from.resume();
  };
  const { port } = listener.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    stall(what) {
      for (const pair of pairs) {
        pair.stalled = true;
        part(pair.server, pair.client);
        if (what === 'both') part(pair.client, pair.server);
      }
    },
    stalled: () => [...pairs].filter((pair) => pair.stalled).length,
    cut() {
      const open = [...pairs];
      for (const { client, server } of open) {
        client.resetAndDestroy();
        server.resetAndDestroy();
      }
      return open.length;
    },
    async [Symbol.asyncDispose]() {
      for (const { client, server } of pairs) {
        client.destroy();
        server.destroy();
      }
      await new Promise<void>((resolve) => listener.close(() => resolve()));
    },
  };
}
