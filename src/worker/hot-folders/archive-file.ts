/**
 * Moves a claimed file out of processing/ and puts its results and notes next to it.
 *
 * The run records its end and the file's new name before anything moves. So after a kill each step can be repeated with
 * the same names, and nothing is left half moved.
 */
import { type BigIntStats, createReadStream } from 'node:fs';
import { type FileHandle, link, lstat, open, rename, rm, unlink } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { makeFolder } from '../../base/make-folder.ts';
import { type Claimed, withClaimed } from './claimed.ts';
import { HeldFolder, identityOf } from './held-folder.ts';

export type ArchiveFolder = 'done' | 'failed';

/**
 * Chooses the file's new name: its own, or with -2, -3 … if that name, or the name of a file that belongs to it, is taken.
 *
 * @param before the name of an earlier try, which is kept unless another file has taken it meanwhile
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

/** File mode that gives only the owner access. */
const PRIVATE = 0o600;

const NOTES = ['.error.txt', '.warnings.txt'] as const;

/**
 * @param name as `nameIn` chose it
 * @param outputs results and rejects, which are copied under the file's new name
 * @param notes texts to put next to the file: why it failed, or its warnings
 * @param again true if the file goes back to the folder in which it was dropped
 * @returns the new paths, the file's own path first
 */
export async function archiveFile(
  source: Claimed,
  which: ArchiveFolder,
  name: string,
  outputs: readonly string[],
  notes: Partial<Record<(typeof NOTES)[number], string>>,
  again = false,
): Promise<string[]> {
  return within(source, which, async ({ target, watched, path, found }) => {
    const chosen = partsOf(name).stem;
    // If the file is missing, an earlier try of this run has moved it.
    const like = found ?? (await archivedAs(target, name, source));
    const moved: string[] = [];
    // Outputs come first: a file in done/ has its results beside it.
    for (const output of outputs) {
      const to = targetOf(output, source, which, name);
      if (to !== output) await place(target.at(basename(to)), like, createReadStream(output));
      moved.push(to);
    }
    for (const [ending, text] of Object.entries(notes)) {
      await place(target.at(chosen + ending), like, `${text}\n`);
      moved.push(join(target.path, chosen + ending));
    }
    if (found !== undefined)
      await moveWithoutReplacing(
        path,
        again ? await freeIn(watched, basename(source.claimed)) : target.at(name),
      );
    await target.sync();
    if (again) await watched.sync();
    return [join(target.path, name), ...moved];
  });
}

/** The target of a results or rejects file; its name begins with the claimed file's name. */
export function targetOf(output: string, source: Claimed, which: ArchiveFolder, name: string): string {
  const folder = join(source.folder, which);
  if (dirname(output) === folder) return output;
  const chosen = partsOf(name).stem;
  const called = basename(output).replace(partsOf(source.claimed).stem, () => chosen);
  return join(folder, called);
}

/**
 * Opens the folders so that nothing outside the watched folder can be read or written.
 *
 * @param work gets the target folder, and the claimed file's path and metadata (undefined if it is no longer there)
 */
async function within<T>(
  source: Claimed,
  which: ArchiveFolder,
  work: (at: {
    target: HeldFolder;
    watched: HeldFolder;
    path: string;
    found: BigIntStats | undefined;
  }) => Promise<T>,
): Promise<T> {
  makeFolder(source.folder);
  await using watched = await HeldFolder.open(source.folder);
  await using target = await watched.inside(which, { make: true });
  return await withClaimed(source, watched, (claimed) => work({ target, watched, ...claimed }));
}

/** Writes a file atomically, and never through a link. */
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
  // After a power cut, a file under its final name is whole.
  await written.sync();
  await rename(part, target);
}

/** Makes a file readable for the people who could read the dropped file. */
async function share(written: FileHandle, like: BigIntStats | undefined): Promise<void> {
  if (like === undefined || process.getuid === undefined) return;
  const gid = Number(like.gid);
  const isGiven = (uid: number) =>
    written.chown(uid, gid).then(
      () => true,
      () => false,
    );
  // Only root may change the owner; others may set a group they belong to.
  const sharesGroup = (await isGiven(Number(like.uid))) || (await isGiven(process.getuid()));
  await written.chmod(PRIVATE | (Number(like.mode) & (sharesGroup ? 0o044 : 0o004)));
}

function partsOf(path: string): { stem: string; extension: string } {
  const extension = extname(path);
  return { stem: basename(path, extension), extension };
}

/** An unused path in the folder: with that name, or with -2, -3 … added. */
async function freeIn(folder: HeldFolder, name: string): Promise<string> {
  const { stem, extension } = partsOf(name);
  for (let count = 1; ; count += 1) {
    const path = folder.at(count === 1 ? name : `${stem}-${count}${extension}`);
    if ((await statOf(path)) === undefined) return path;
  }
}

/** True if a file other than the claimed one has that name. */
async function isTaken(target: string, claimed: BigIntStats | undefined): Promise<boolean> {
  const there = await statOf(target);
  return there !== undefined && claimed !== undefined && there.ino !== claimed.ino;
}

async function moveWithoutReplacing(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    // Some network shares have no hard links. `nameIn` has just checked that the name is free.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return rename(from, to);
    // An earlier try was killed after it had created this name. Renaming one name of a file to another
    // name of the same file does nothing.
    if (await isTaken(to, await statOf(from))) throw error;
  }
  await unlink(from);
}

async function archivedAs(
  target: HeldFolder,
  name: string,
  { identity }: Claimed,
): Promise<BigIntStats | undefined> {
  const there = await statOf(target.at(name));
  return there !== undefined && identity === (await identityOf(there, target)) ? there : undefined;
}

async function statOf(path: string): Promise<BigIntStats | undefined> {
  return lstat(path, { bigint: true }).catch(() => undefined);
}
