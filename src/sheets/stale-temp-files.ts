/** Temporary files left behind by a killed process. Their names contain the host and process id. */
import { createHash, randomBytes } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';

const HOST = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);
/** It is unknown whether a process on another host still runs, but no write takes this long. */
const OTHER_HOST_MS = 24 * 3_600_000;

/** `.items.csv.HOST-PID-RANDOM.tmp`: hidden, in the folder of the final file. */
export function temporaryName(name: string): string {
  return `.${name}.${HOST}-${process.pid}-${randomBytes(6).toString('hex')}.tmp`;
}

/** Removes temporary files of `name` whose process has ended. Best effort: never fails. */
export async function removeStaleTempFiles(folder: string, name: string): Promise<void> {
  try {
    for (const entry of await readdir(folder)) {
      if (!entry.startsWith(`.${name}.`)) continue;
      const match = /^\.([0-9a-f]{8})-(\d+)-[0-9a-f]{12}\.tmp$/.exec(entry.slice(name.length + 1));
      if (match === null) continue;
      const path = join(folder, entry);
      const [, host, pid] = match;
      const gone =
        host === HOST ? !isRunning(Number(pid)) : Date.now() - (await stat(path)).mtimeMs > OTHER_HOST_MS;
      if (gone) await rm(path, { force: true });
    }
  } catch {
    // A folder that cannot be listed may still be writable.
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
