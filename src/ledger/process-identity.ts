/**
 * Who this process is, such that a later one can tell whether it still runs: a pid alone is used again.
 */
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

export interface ProcessIdentity {
  host: string;
  pid: number;
  /** When the process started, in whatever form the system tells it; only compared for equality. */
  started: string;
  /** See thisMachine. */
  machine?: string;
}

/** Handed in where a test has several processes, on several hosts, in one. */
export interface Processes {
  current(): ProcessIdentity;
  /** False only when it is certain that the process has gone. Processes of other hosts are never certain. */
  mayStillRun(identity: ProcessIdentity): boolean;
}

/** What an SQLite store compares: where the system tells no machine (other than Linux), the host's name must do. */
export function machineOf({ machine, host }: ProcessIdentity): string {
  return machine ?? `host ${host}`;
}

export const systemProcesses: Processes = { current: thisProcess, mayStillRun };

export function thisProcess(): ProcessIdentity {
  const machine = thisMachine();
  return {
    host: hostname(),
    pid: process.pid,
    started: startOf(process.pid) ?? 'unknown',
    ...(machine === undefined ? {} : { machine }),
  };
}

/** For a Linux that hides /proc: equal to no other process's, so that none is ever taken to be gone. */
const UNKNOWN_MACHINE = `unknown ${randomUUID()}`;

/**
 * Tells this machine from every other, also from containers on it that share its name, or even its kernel: pids
 * mean something only where this is equal. Undefined where there is no Linux; after a reboot it is another.
 */
function thisMachine(): string | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return UNKNOWN_MACHINE;
  }
}

/** False only when it is certain that the process has gone. Processes of other hosts are never certain. */
export function mayStillRun(identity: ProcessIdentity): boolean {
  if (identity.host !== hostname()) return true;
  if (identity.pid === process.pid) return identity.started === (startOf(process.pid) ?? 'unknown');
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
      // A zombie has ended: only its parent has not asked yet.
      if (fields[0] === 'Z') return 'ended';
      return fields[19];
    }
    if (process.platform === 'win32') return undefined;
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined;
  } catch {
    return undefined;
  }
}
