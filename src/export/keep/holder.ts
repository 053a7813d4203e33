/** The process that holds something in the store, and whether it may still be running. */
import { z } from 'zod';
import { mayStillRun, thisProcess } from '../../ledger/process-identity.ts';

export const Holder = z.object({
  host: z.string(),
  pid: z.int(),
  started: z.string(),
  machine: z.string().optional(),
});
export type Holder = z.infer<typeof Holder>;

/** A process on another host is considered ended after this long without a sign of life. */
const SILENT_MS = 3_600_000;

/**
 * Pids are compared only on the machine that assigned them (boot and pid namespace): a recreated container may have
 * another host name, and a restarted host has other processes.
 *
 * @param seenAt time of its last sign of life, ms since the epoch
 */
export function mayHold(holder: Holder, seenAt: number, now: number): boolean {
  const { host, machine } = thisProcess();
  if (holder.machine === machine && (machine !== undefined || holder.host === host))
    return mayStillRun({ host, pid: holder.pid, started: holder.started });
  return holder.host !== host && now - seenAt < SILENT_MS;
}
