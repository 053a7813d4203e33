/** A TCP proxy whose connections can go half-open: nothing gets through any more, and nobody is told. */
import { createConnection, createServer, type AddressInfo, type Socket } from 'node:net';

export interface HalfOpenProxy extends AsyncDisposable {
  /** To be used instead of the address behind it. */
  url: string;
  /** From now on no open connection brings anything further: both ways, or only what comes back. */
  stall(what: 'both' | 'answers'): void;
  /** How many connections are stalled. */
  stalled(): number;
}

interface Pair {
  client: Socket;
  server: Socket;
  stalled: boolean;
}

/** @param target address that it stands before; connections that are made after a stall work */
export async function startHalfOpenProxy(target: string): Promise<HalfOpenProxy> {
  const { hostname, port } = new URL(target);
  const pairs = new Set<Pair>();
  const listener = createServer((client) => {
    const server = createConnection(Number(port), hostname);
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
  const cut = (from: Socket, to: Socket) => {
    from.unpipe(to);
    // Read and thrown away, as by a network that has forgotten the connection.
    from.resume();
  };
  return {
    url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    stall(what) {
      for (const pair of pairs) {
        pair.stalled = true;
        cut(pair.server, pair.client);
        if (what === 'both') cut(pair.client, pair.server);
      }
    },
    stalled: () => [...pairs].filter((pair) => pair.stalled).length,
    async [Symbol.asyncDispose]() {
      for (const { client, server } of pairs) {
        client.destroy();
        server.destroy();
      }
      await new Promise<void>((resolve) => listener.close(() => resolve()));
    },
  };
}
