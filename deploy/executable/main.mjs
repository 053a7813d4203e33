/**
 * The program inside the executable. It unpacks the package into the user's cache folder, once for each version, and runs
 * its command line from there: the same files that npm installs, which also load fast from there.
 */
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { getAsset, getAssetKeys, getRawAsset } from 'node:sea';
import { pathToFileURL } from 'node:url';
import { constants, Script } from 'node:vm';
import { cacheFolder } from '../../src/base/config.ts';

// A double click has no terminal, and gives no word: that asks for the page.
const isDoubleClick =
  process.argv.length === 2 && !process.stdin.isTTY && !process.stdout.isTTY && !process.stderr.isTTY;
if (isDoubleClick) process.argv.push('ui');

const entry = pathToFileURL(join(unpacked(), 'dist/cli/bin.js')).href;
// The executable's own import() knows the modules of Node alone.
const load = new Script('(file) => import(file)', {
  importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
});
await load.runInThisContext()(entry);

/** The folder with this version's files. */
function unpacked() {
  const name = getAsset('digest', 'utf8');
  let parent = join(cacheFolder(process.env), 'executable');
  const folder = join(parent, name);
  if (existsSync(folder)) return folder;
  try {
    mkdirSync(parent, { recursive: true, mode: 0o700 });
  } catch {
    // Nobody else can write into it.
    parent = mkdtempSync(join(tmpdir(), 'shelflift-'));
  }
  // Another process may unpack at the same time: who is first, wins.
  const work = mkdtempSync(join(parent, 'new-'));
  for (const path of getAssetKeys()) {
    mkdirSync(dirname(join(work, path)), { recursive: true });
    writeFileSync(join(work, path), new Uint8Array(getRawAsset(path)));
  }
  try {
    renameSync(work, join(parent, name));
  } catch (error) {
    if (!existsSync(join(parent, name))) throw error;
    rmSync(work, { recursive: true, force: true });
  }
  return join(parent, name);
}
