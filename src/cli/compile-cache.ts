/**
 * Keeps what Node makes of our modules from one run to the next: two fifths of a short command from the sources were
 * compiling them, and a tenth of one of the built package.
 *
 * It is kept in a folder of the user's own and not in Node's default below the folder for temporary files, because
 * what is read from there is run as it is. NODE_COMPILE_CACHE names another folder, NODE_DISABLE_COMPILE_CACHE=1 does
 * without.
 */
import { enableCompileCache } from 'node:module';
import { cacheFolder } from '../config.ts';
import { makeFolder } from '../make-folder.ts';

/** For modules that are loaded from now on. Where the folder cannot be made, nothing is kept, and nothing is said. */
export function keepCompiled(environment: NodeJS.ProcessEnv): void {
  const folder = cacheFolder(environment);
  try {
    // Node would make it, too, but its own way never comes back below /proc.
    makeFolder(folder, 0o700);
  } catch {
    return;
  }
  enableCompileCache(folder);
}
