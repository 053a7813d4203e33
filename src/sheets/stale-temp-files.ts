/** Temporary files left behind by a killed process. Their names contain the host and process id. */
import { createHash, randomBytes } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';

const HOST = createHash('sha256').update(hostname()).digest('hex').slice(0, 8);
/** It is unknown whether a process on another host still runs, but no write takes this long. */
const OTHER_HOST_MS = 24 * 3_600_000;

const TEMPORARY = /\.([0-9a-f]{8})-(\d+)-[0-9a-f]{12}\.tmp$/;
/** A folder with more files is listed once a minute: 100,000 names take 0.1 s. */
const MANY_FILES = 1_000;
const MANY_FILES_MS = 60_000;
const listed = new Map<string, Promise<string[]>>();

/** `.items.csv.HOST-PID-RANDOM.tmp`: hidden, in the folder of the final file. */
export function temporaryName(name: string): string {
  return `.${name}.${HOST}-${process.pid}-${randomBytes(6).toString('hex')}.tmp`;
}

/** Removes temporary files of `name` whose process has ended. Best effort: never fails. */
export async function removeStaleTempFiles(folder: string, name: string): Promise<void> {
  try {
    for (const entry of await temporaryFilesIn(folder)) {
      if (!entry.startsWith(`.${name}.`)) continue;
      const match = TEMPORARY.exec(entry);
      if (match?.index !== name.length + 1) continue;
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

/** Names that end as those of temporary files do. @throws file errors */
function temporaryFilesIn(folder: string): Promise<string[]> {
  const known = listed.get(folder);
  if (known !== undefined) return known;
  const forget = () => void listed.delete(folder);
  const names = readdir(folder).then((all) => {
    if (all.length < MANY_FILES) forget();
    else setTimeout(forget, MANY_FILES_MS).unref();
    return all.filter((name) => TEMPORARY.test(name));
  });
  listed.set(folder, names);
  names.catch(forget);
  return names;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
