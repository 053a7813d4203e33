/** Moves a claimed file out of processing/, with what was written about it beside it. */
import {
  constants,
  copyFile,
  link,
  readdir,
  rename,
  rm,
  rmdir,
  stat,
  unlink,
  writeFile,
} from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { makeFolder } from '../../make-folder.ts';

/**
 * @param outputs results and rejects; they take the file's new name where its own is taken
 * @param message why it failed, put beside the file as text
 * @returns the new paths: of the file first
 */
export async function putAway(
  source: { claimed: string; folder: string },
  outputs: readonly string[],
  which: 'done' | 'failed',
  message?: string,
): Promise<string[]> {
  const folder = join(source.folder, which);
  makeFolder(folder);
  const name = basename(source.claimed);
  const stem = basename(name, extname(name));
  const chosen = await freeStem(folder, stem, extname(name));
  const moved: string[] = [];
  // Outputs first: a file in done/ is one whose results are there.
  for (const output of outputs) {
    const target = join(
      folder,
      basename(output).replace(stem, () => chosen),
    );
    // The spool may lie on another disk.
    await rm(`${target}.part`, { force: true });
    // Nothing is written through a link that somebody has put there.
    await copyFile(output, `${target}.part`, constants.COPYFILE_EXCL);
    await rename(`${target}.part`, target);
    await rm(output, { force: true });
    moved.push(target);
  }
  if (which === 'failed' && message !== undefined) {
    const note = join(folder, `${chosen}.error.txt`);
    await writeFile(note, `${message}\n`, { flag: 'wx' });
    moved.push(note);
  }
  const target = join(folder, `${chosen}${extname(name)}`);
  await moveWithoutReplacing(source.claimed, target);
  await rmdir(dirname(source.claimed)).catch(() => undefined);
  return [target, ...moved];
}

/** The name itself, or with -2, -3 … where that, or anything about it, is there already. */
async function freeStem(folder: string, stem: string, extension: string): Promise<string> {
  const taken = new Set(await readdir(folder));
  for (let count = 1; ; count += 1) {
    const wanted = count === 1 ? stem : `${stem}-${count}`;
    const names = ['.results.csv', '.rejects.csv', '.error.txt', extension].map((end) => wanted + end);
    if (!names.some((name) => taken.has(name))) return wanted;
  }
}

/** Nothing to move is no error: an earlier try of the same run has moved it, and was killed before it said so. */
async function moveWithoutReplacing(from: string, to: string): Promise<void> {
  if ((await stat(from).catch(() => undefined)) === undefined) return;
  try {
    await link(from, to);
    await unlink(from);
  } catch {
    // Network shares may have no links; freeStem has just looked.
    await rename(from, to);
  }
}
