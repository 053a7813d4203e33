/**
 * Moves a claimed file out of processing/, with what was written about it beside it.
 *
 * How the run ended, and the file's new name, are kept in the run before anything is moved. So each step may be
 * done again after a kill, with the same names, and nothing half moved is left behind.
 */
import { type BigIntStats, createReadStream } from 'node:fs';
import { type FileHandle, link, lstat, open, rename, rm, unlink } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { makeFolder } from '../../make-folder.ts';
import { type Claimed, withClaimed } from './claimed.ts';
import { HeldFolder } from './held-folder.ts';

export type ArchiveFolder = 'done' | 'failed';

/**
 * The name that the file gets: its own, or with -2, -3 … where that, or anything about it, is there already.
 *
 * @param before the name of an earlier try: it stays, unless another file has got it meanwhile
 * @throws UsageError `unsafe_folder`, `claim_replaced`
 */
export async function nameIn(which: ArchiveFolder, source: Claimed, before?: string): Promise<string> {
  return within(source, which, async ({ target, found }) => {
    if (before !== undefined && !(await isTaken(target.at(before), found))) return before;
    const { stem, extension } = partsOf(source.claimed);
    const taken = new Set((await target.entries()).map(({ name }) => name));
    for (let count = 1; ; count += 1) {
      const wanted = count === 1 ? stem : `${stem}-${count}`;
      if (!['.results.csv', '.rejects.csv', ...NOTES, extension].some((end) => taken.has(wanted + end)))
        return wanted + extension;
    }
  });
}

/** Mode of a file that only its owner may read. */
const PRIVATE = 0o600;

const NOTES = ['.error.txt', '.warnings.txt'] as const;

/**
 * @param name as `nameIn` chose it
 * @param outputs results and rejects; they take the file's new name, and stay where they are, too
 * @param notes why it failed, or what is to be looked at, put beside the file as text
 * @returns the new paths: of the file first
 */
export async function archiveFile(
  source: Claimed,
  which: ArchiveFolder,
  name: string,
  outputs: readonly string[],
  notes: Partial<Record<(typeof NOTES)[number], string>>,
): Promise<string[]> {
  return within(source, which, async ({ target, path, found }) => {
    const chosen = partsOf(name).stem;
    const moved: string[] = [];
    // Outputs first: a file in done/ is one whose results are there.
    for (const output of outputs) {
      const to = targetOf(output, source, which, name);
      if (to !== output) await place(target.at(basename(to)), found, createReadStream(output));
      moved.push(to);
    }
    for (const [ending, text] of Object.entries(notes)) {
      await place(target.at(chosen + ending), found, `${text}\n`);
      moved.push(join(target.path, chosen + ending));
    }
    // Nothing to move is no error: an earlier try of the same run has moved it.
    if (found !== undefined) await moveWithoutReplacing(path, target.at(name));
    return [join(target.path, name), ...moved];
  });
}

/** Where a file about the claimed one goes, whose name it begins with; one that is there already stays. */
export function targetOf(output: string, source: Claimed, which: ArchiveFolder, name: string): string {
  const folder = join(source.folder, which);
  if (dirname(output) === folder) return output;
  const chosen = partsOf(name).stem;
  const called = basename(output).replace(partsOf(source.claimed).stem, () => chosen);
  return join(folder, called);
}

/**
 * Opens what is needed to put a file away, such that nothing outside of the watched folder is read or written.
 *
 * @param work gets the folder of the worker's that the file goes to, and the file's path and what it is, if it is there
 */
async function within<T>(
  source: Claimed,
  which: ArchiveFolder,
  work: (at: { target: HeldFolder; path: string; found: BigIntStats | undefined }) => Promise<T>,
): Promise<T> {
  makeFolder(source.folder);
  await using watched = await HeldFolder.open(source.folder);
  await using target = await watched.inside(which, { make: true });
  return await withClaimed(source, watched, (claimed) => work({ target, ...claimed }));
}

/** Whole or not there; and nothing is written through a link that somebody has put there. */
async function place(
  target: string,
  like: BigIntStats | undefined,
  content: AsyncIterable<Uint8Array> | string,
): Promise<void> {
  const part = `${target}.part`;
  await rm(part, { force: true });
  await using written = await open(part, 'wx', PRIVATE);
  await written.writeFile(content);
  await share(written, like);
  await rename(part, target);
}

/** Whoever may read the file may read what is told of it, and nobody else. */
async function share(written: FileHandle, like: BigIntStats | undefined): Promise<void> {
  if (like === undefined || process.getuid === undefined) return;
  const gid = Number(like.gid);
  const isGiven = (uid: number) =>
    written.chown(uid, gid).then(
      () => true,
      () => false,
    );
  // Only root may give a file to somebody else; a group may be given that is one's own.
  const sharesGroup = (await isGiven(Number(like.uid))) || (await isGiven(process.getuid()));
  await written.chmod(PRIVATE | (Number(like.mode) & (sharesGroup ? 0o044 : 0o004)));
}

function partsOf(path: string): { stem: string; extension: string } {
  const extension = extname(path);
  return { stem: basename(path, extension), extension };
}

/** True where something else has that name than the file that is still to be moved there. */
async function isTaken(target: string, claimed: BigIntStats | undefined): Promise<boolean> {
  const there = await lstat(target, { bigint: true }).catch(() => undefined);
  return there !== undefined && claimed !== undefined && there.ino !== claimed.ino;
}

async function moveWithoutReplacing(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
    await unlink(from);
  } catch {
    // Network shares may have no links; nameIn has just looked. An earlier try may have linked it already.
    await rename(from, to);
  }
}
