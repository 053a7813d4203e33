/**
 * Moves a claimed file out of processing/, with what was written about it beside it.
 *
 * How the run ended, and the file's new name, are kept in the run before anything is moved. So each step may be
 * done again after a kill, with the same names, and nothing half moved is left behind.
 */
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

export interface Claimed {
  claimed: string;
  /** The watched folder. */
  folder: string;
}

export type PutAwayFolder = 'done' | 'failed';

/**
 * The name that the file gets: its own, or with -2, -3 … where that, or anything about it, is there already.
 *
 * @param before the name of an earlier try: it stays, unless another file has got it meanwhile
 */
export async function nameIn(which: PutAwayFolder, source: Claimed, before?: string): Promise<string> {
  const folder = join(source.folder, which);
  makeFolder(folder);
  if (before !== undefined && !(await isTaken(join(folder, before), source.claimed))) return before;
  const { stem, extension } = partsOf(source.claimed);
  const taken = new Set(await readdir(folder));
  for (let count = 1; ; count += 1) {
    const wanted = count === 1 ? stem : `${stem}-${count}`;
    if (!['.results.csv', '.rejects.csv', ...NOTES, extension].some((end) => taken.has(wanted + end)))
      return wanted + extension;
  }
}

const NOTES = ['.error.txt', '.warnings.txt'] as const;

/**
 * @param name as `nameIn` chose it
 * @param outputs results and rejects; they take the file's new name, and stay where they are, too
 * @param notes why it failed, or what is to be looked at, put beside the file as text
 * @returns the new paths: of the file first
 */
export async function putAway(
  source: Claimed,
  which: PutAwayFolder,
  name: string,
  outputs: readonly string[],
  notes: Partial<Record<(typeof NOTES)[number], string>>,
): Promise<string[]> {
  const folder = join(source.folder, which);
  const chosen = partsOf(name).stem;
  const moved: string[] = [];
  // Outputs first: a file in done/ is one whose results are there.
  for (const output of outputs) {
    const target = targetOf(output, source, which, name);
    if (target !== output) await place(target, (part) => copyFile(output, part, constants.COPYFILE_EXCL));
    moved.push(target);
  }
  for (const [ending, text] of Object.entries(notes)) {
    const target = join(folder, chosen + ending);
    await place(target, (part) => writeFile(part, `${text}\n`, { flag: 'wx' }));
    moved.push(target);
  }
  const target = join(folder, name);
  await moveWithoutReplacing(source.claimed, target);
  await rmdir(dirname(source.claimed)).catch(() => undefined);
  return [target, ...moved];
}

/** Where a file about the claimed one goes, whose name it begins with; one that is there already stays. */
export function targetOf(output: string, source: Claimed, which: PutAwayFolder, name: string): string {
  const folder = join(source.folder, which);
  if (dirname(output) === folder) return output;
  const chosen = partsOf(name).stem;
  const called = basename(output).replace(partsOf(source.claimed).stem, () => chosen);
  return join(folder, called);
}

/** Whole or not there; and nothing is written through a link that somebody has put there. */
async function place(target: string, write: (part: string) => Promise<void>): Promise<void> {
  const part = `${target}.part`;
  await rm(part, { force: true });
  await write(part);
  await rename(part, target);
}

function partsOf(path: string): { stem: string; extension: string } {
  const extension = extname(path);
  return { stem: basename(path, extension), extension };
}

/** True where `target` is a file, and not the one that is still to be moved there. */
async function isTaken(target: string, claimed: string): Promise<boolean> {
  const there = await stat(target).catch(() => undefined);
  const own = await stat(claimed).catch(() => undefined);
  return there !== undefined && own !== undefined && there.ino !== own.ino;
}

/** Nothing to move is no error: an earlier try of the same run has moved it. */
async function moveWithoutReplacing(from: string, to: string): Promise<void> {
  if ((await stat(from).catch(() => undefined)) === undefined) return;
  try {
    await link(from, to);
    await unlink(from);
  } catch {
    // Network shares may have no links; nameIn has just looked. An earlier try may have linked it already.
    await rename(from, to);
  }
}
