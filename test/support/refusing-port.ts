/** A port at which nobody listens, and which no other process gets: a connection of ours holds it. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/**
 * @returns a port of 127.0.0.1 that refuses connections until the test ends, or until the test itself listens there
 */
export async function refusingPort(): Promise<number> {
  const peer = createServer(() => undefined).listen(0, '127.0.0.1');
  await once(peer, 'listening');
  for (;;) {
    const localPort = await freePort();
    const socket = connect({ host: '127.0.0.1', port: portOf(peer), localPort });
    const isHeld = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    if (!isHeld) continue;
    onTestFinished(() => close(socket, peer));
    return localPort;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = portOf(server);
  server.close();
  await once(server, 'close');
  return port;
}

function portOf(server: ReturnType<typeof createServer>): number {
  return (server.address() as AddressInfo).port;
}

function close(socket: Socket, peer: ReturnType<typeof createServer>): void {
  socket.destroy();
  peer.close();
}
