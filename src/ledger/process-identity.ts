/**
 * Identifies this process so that a later one can tell whether it still runs. Pids alone are reused.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

export interface ProcessIdentity {
  host: string;
  pid: number;
  /** When the process started, in the system's own form; compared only for equality. */
  started: string;
  /** See thisMachine. */
  machine?: string;
}

/** Replaced by tests that simulate several processes and hosts. */
export interface Processes {
  current(): ProcessIdentity;
  mayStillRun(identity: ProcessIdentity): boolean;
}

/** The machine as an SQLite store compares it: the host's name on systems other than Linux. */
export function machineOf({ machine, host }: ProcessIdentity): string {
  return machine ?? `host ${host}`;
}

export const systemProcesses: Processes = { current: thisProcess, mayStillRun };

export function thisProcess(): ProcessIdentity {
  own ??= { pid: process.pid, started: startOf(process.pid) ?? 'unknown', ...thisMachine() };
  return { host: hostname(), ...own };
}

/** Read once: a worker with 20 keys asked the system for it several hundred times a second. */
let own: Omit<ProcessIdentity, 'host'> | undefined;

/** For a Linux that hides /proc: unique for each process, so that no other process ever counts as dead. */
const UNKNOWN_MACHINE = `unknown ${randomUUID()}`;

/**
 * Identifies the machine and pid namespace: pids are comparable only if this value is equal. Containers on one host
 * differ, even if they share its name and kernel. Changes with a reboot; absent on systems other than Linux.
 */
function thisMachine(): Pick<ProcessIdentity, 'machine'> {
  if (process.platform !== 'linux') return {};
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return { machine: `${boot} ${readlinkSync('/proc/self/ns/pid')}` };
  } catch {
    return { machine: UNKNOWN_MACHINE };
  }
}

/** False only if the process has certainly ended. For a process of another host, always true. */
export function mayStillRun(identity: ProcessIdentity): boolean {
  if (identity.host !== hostname()) return true;
  if (identity.pid === process.pid) return identity.started === thisProcess().started;
  try {
    process.kill(identity.pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  const started = startOf(identity.pid);
  return started === undefined || identity.started === 'unknown' || started === identity.started;
}

function startOf(pid: number): string | undefined {
  try {
    if (process.platform === 'linux') {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
      // The command in parentheses may hold spaces; state is the first field after it, the start time the 20th.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      // A zombie has ended; its parent has only not reaped it yet.
      if (fields[0] === 'Z') return 'ended';
      return fields[19];
    }
    if (process.platform === 'win32') return undefined;
    // Loaded here: Linux needs no ps, and loading it takes 4 ms.
    const { execFileSync } = process.getBuiltinModule('node:child_process');
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined;
  } catch {
    return undefined;
  }
}
