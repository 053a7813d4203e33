/** Starts a server on a port of this machine. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { UsageError } from './errors.ts';

/**
 * @param port 0 takes any free one
 * @returns the port
 * @throws UsageError `port_in_use`, `cannot_listen`
 */
export function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(
        error.code === 'EADDRINUSE'
          ? new UsageError('port_in_use', `Port ${port} is in use.`, {
              cause: error,
              remedy: 'Choose another port, or 0 for any free one.',
            })
          : new UsageError('cannot_listen', `Cannot listen on ${host}:${port}.`, { cause: error }),
      );
    });
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}
