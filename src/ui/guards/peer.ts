/**
 * Checks which user owns the process at the other end of a connection. The address of a new page is passed to the
 * browser as an argument, which every user of the machine can see, so its token must be worthless to other users.
 */
import { readFileSync } from 'node:fs';
import { endianness } from 'node:os';
import type { Socket } from 'node:net';

const judged = new WeakMap<Socket, boolean>();

/**
 * Check this last, for a request that would otherwise be allowed: the kernel's list grows with every connection of the
 * machine.
 *
 * False only for a connection that certainly belongs to another user (root may read everything anyway). Only Linux
 * gives this information; on other systems every local process passes, and needs the token.
 */
export function isOwnUser(socket: Socket): boolean {
  const known = judged.get(socket) ?? judge(socket);
  judged.set(socket, known);
  return known;
}

function judge({ remotePort, localPort }: Socket): boolean {
  if (process.platform !== 'linux' || process.getuid === undefined) return true;
  let connections: string;
  try {
    connections = readFileSync('/proc/net/tcp', 'utf8');
  } catch {
    return true;
  }
  const from = `${LOOPBACK}:${portText(remotePort)}`;
  const to = `${LOOPBACK}:${portText(localPort)}`;
  // Fields: number, local address, remote address, …, the owner's user id. The list is not split into
  // lines, because there may be thousands.
  const at = connections.indexOf(` ${from} ${to} `);
  const line = at < 0 ? undefined : connections.slice(at, connections.indexOf('\n', at));
  const owner = Number(line?.trim().split(/\s+/)[6] ?? Number.NaN);
  return Number.isNaN(owner) || owner === 0 || owner === process.getuid();
}

/** 127.0.0.1 as the kernel prints it: in the byte order of the machine. */
const LOOPBACK = endianness() === 'LE' ? '0100007F' : '7F000001';

function portText(port: number | undefined): string {
  return (port ?? 0).toString(16).toUpperCase().padStart(4, '0');
}
