/** Starts a server on a port of this machine. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { UsageError } from './errors.ts';
import { message } from '../messages/message.ts';

/**
 * @param port 0 chooses a free port
 * @returns the port
 * @throws UsageError `port_in_use`, `cannot_listen`
 */
export function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(
        error.code === 'EADDRINUSE'
          ? new UsageError('port_in_use', message('port_in_use', { port }), {
              cause: error,
              actions: [{ do: 'byHand', label: message('choose_port', {}) }],
            })
          : new UsageError('cannot_listen', message('cannot_listen', { host, port }), { cause: error }),
      );
    });
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}
