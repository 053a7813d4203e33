/** The connection for a delivery. It ends when its signal aborts, whatever the library waits for. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** How long a server may take to answer. */
export const PATIENCE_MS = 30_000;

/** @throws the system's error, the signal's reason, or a timeout after PATIENCE_MS */
export async function openConnection(
  { host, port }: { host: string; port: number },
  signal: AbortSignal,
): Promise<Socket> {
  signal.throwIfAborted();
  const socket = connect({ host, port, signal });
  // Until the library listens and reads the error from the socket.
  socket.on('error', () => undefined);
  const timer = setTimeout(() => {
    const message = `${host}:${port} does not answer within ${PATIENCE_MS / 1000} s`;
    socket.destroy(Object.assign(new Error(message), { code: 'ETIMEDOUT' }));
  }, PATIENCE_MS);
  try {
    await once(socket, 'connect');
  } finally {
    clearTimeout(timer);
  }
  return socket;
}
