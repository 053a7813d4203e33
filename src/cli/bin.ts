#!/usr/bin/env node
// Uses only syntax that old Node versions can parse, so that it can report which version is needed.
import { unsuitable } from '../base/needed-node.ts';

const reason = unsuitable(process.versions);
if (reason !== undefined) {
  process.stderr.write(
    `${reason}\nInstall it from https://nodejs.org, run npx -p node@24 -p shelflift shelflift …, or use the executable for Linux, which needs none.\n`,
  );
  process.exit(2);
}
await keepCompiled();
const { holdHeap } = await import('./hold-heap.ts');
holdHeap({ isSmall: ['ui', 'worker'].includes(String(process.argv[2])) });
const { main } = await import('./main.ts');
await main(process.argv.slice(2));

/**
 * Caches compiled modules between runs: compiling took two fifths of a short command from the sources, and a tenth of
 * one from the built package. The folder belongs to the user, unlike Node's default among the temporary files, because
 * its content is executed. NODE_COMPILE_CACHE names another folder; NODE_DISABLE_COMPILE_CACHE=1 turns this off.
 */
async function keepCompiled() {
  const { enableCompileCache } = await import('node:module');
  const { cacheFolder } = await import('../base/config.ts');
  const { makeFolder } = await import('../base/make-folder.ts');
  const folder = cacheFolder(process.env);
  try {
    // Node would make it, but never returns from trying to below /proc.
    makeFolder(folder, 0o700);
  } catch {
    return;
  }
  enableCompileCache(folder);
}
