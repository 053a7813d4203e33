/**
 * The files that people uploaded to the page, each in its own folder with the choices for it.
 *
 * Folders are 0700 and files 0600: nobody else on this machine can read them. A file without an import is removed after
 * 24 hours; one with an import stays, beside its results, until its job is pruned or its store no longer has it.
 */
import { randomBytes } from 'node:crypto';
import { open, readdir, readFile, rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { ShelfliftError, UsageError } from '../base/errors.ts';
import { RecipeOptions } from '../import/job/options.ts';
import { message } from '../messages/message.ts';
import { makeFolder } from '../base/make-folder.ts';

/** The choices on the file screen, in the form that the import takes. */
const Choices = RecipeOptions.omit({
  stamp: true,
  checkSimilar: true,
  skipInvalid: true,
  noSettle: true,
}).extend({
  /** `none`: the file is not a known export, even if it looks like one. */
  template: z.string().exactOptional(),
  /** A recipe of this store, instead of a template. */
  recipe: z.string().exactOptional(),
  /** Code of the currency that amounts without one are in. */
  currency: z.string().exactOptional(),
  /** What to do with rows that were sent before. */
  known: z.enum(['new', 'all']).exactOptional(),
});
export type Choices = z.infer<typeof Choices>;

const Upload = z.object({
  id: z.string(),
  /** The file's original name; only for display, and for the names of results. */
  name: z.string(),
  bytes: z.number(),
  /** ms since the epoch. */
  at: z.number(),
  choices: Choices,
  /** The job that this file was last read into. */
  job: z.string().exactOptional(),
  /** Jobs that it was read into before, and that were sent: their results are beside the file. */
  earlier: z.array(z.string()).exactOptional(),
  /** The store of that job, without a password: a page shows several accounts in turn. */
  store: z.string().exactOptional(),
});
export type Upload = z.infer<typeof Upload>;

/** Room to leave free, for the store and the results. */
const SPARE_BYTES = 100 * 1024 * 1024;
const CHECK_ROOM_EVERY_BYTES = 64 * 1024 * 1024;
const KEPT_WITHOUT_JOB_MS = 24 * 3600 * 1000;
const ID = /^[0-9a-f]{16}$/;

export class Spool {
  readonly #folder: string;
  /** Two changes of one file's choices wait for each other. */
  #writing: Promise<unknown> = Promise.resolve();

  constructor(folder: string) {
    this.#folder = folder;
    makeFolder(folder, 0o700);
  }

  /**
   * Writes a file as it arrives.
   *
   * @param expectedBytes size as announced, if it was
   * @throws ShelfliftError `disk_full`; what had arrived is removed
   */
  async add(
    name: string,
    content: AsyncIterable<Uint8Array>,
    given: { expectedBytes?: number; choices?: Choices } = {},
  ): Promise<Upload> {
    await this.#checkRoom(given.expectedBytes ?? 0);
    const id = randomBytes(8).toString('hex');
    const folder = join(this.#folder, id);
    makeFolder(folder, 0o700);
    try {
      const shown = safeName(name);
      const file = await open(join(folder, shown), 'wx', 0o600);
      let bytes = 0;
      try {
        let unchecked = 0;
        for await (const chunk of content) {
          await file.writeFile(chunk);
          bytes += chunk.byteLength;
          unchecked += chunk.byteLength;
          if (unchecked < CHECK_ROOM_EVERY_BYTES) continue;
          await this.#checkRoom(0);
          unchecked = 0;
        }
      } finally {
        await file.close();
      }
      const upload: Upload = { id, name: shown, bytes, at: Date.now(), choices: given.choices ?? {} };
      await this.#write(upload);
      return upload;
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      throw (error as NodeJS.ErrnoException).code === 'ENOSPC' ? full() : error;
    }
  }

  /** @throws UsageError `no_such_upload` */
  async find(id: string): Promise<Upload> {
    // Never a path: an id has digits and letters only.
    if (!ID.test(id)) throw gone();
    let record: string;
    try {
      record = await readFile(join(this.#folder, id, RECORD), 'utf8');
    } catch {
      throw gone();
    }
    return Upload.parse(JSON.parse(record));
  }

  fileOf({ id, name }: Pick<Upload, 'id' | 'name'>): string {
    return join(this.#folder, id, name);
  }

  folderOf({ id }: Pick<Upload, 'id'>): string {
    return join(this.#folder, id);
  }

  update(id: string, change: (upload: Upload) => Upload): Promise<Upload> {
    const next = this.#writing.then(async () => {
      const changed = change(await this.find(id));
      await this.#write(changed);
      return changed;
    });
    this.#writing = next.catch(() => undefined);
    return next;
  }

  /** Removes a file whose plan was discarded, unless a job has sent it. */
  async forgetJob({ id, earlier = [] }: Upload): Promise<void> {
    const job = earlier.at(-1);
    if (job === undefined) await this.#remove(id);
    else await this.update(id, (upload) => ({ ...upload, job, earlier: earlier.slice(0, -1) }));
  }

  async #remove(id: string): Promise<void> {
    if (ID.test(id)) await rm(join(this.#folder, id), { recursive: true, force: true });
  }

  /** Newest first. */
  async list(): Promise<Upload[]> {
    const uploads: Upload[] = [];
    for (const id of await readdir(this.#folder)) {
      if (ID.test(id))
        uploads.push(
          ...(await this.find(id).then(
            (found) => [found],
            () => [],
          )),
        );
    }
    return uploads.sort((a, b) => b.at - a.at);
  }

  /**
   * Removes files that are older than a day and have no job, including leftovers of kills.
   *
   * @param isGone true only if the job's store has confirmed it
   */
  async sweep(isGone: (upload: Upload) => Promise<boolean>, now: number): Promise<void> {
    for (const id of await readdir(this.#folder)) {
      if (!ID.test(id)) continue;
      const folder = await stat(join(this.#folder, id)).catch(() => undefined);
      if (folder === undefined || now - folder.mtimeMs < KEPT_WITHOUT_JOB_MS) continue;
      const hasRecord = (await readdir(join(this.#folder, id))).includes(RECORD);
      const isOver =
        !hasRecord ||
        // If that cannot be determined, the file stays.
        (await this.find(id)
          .then((upload) => upload.job === undefined || isGone(upload))
          .catch(() => false));
      if (isOver) await this.#remove(id);
    }
  }

  async #write(upload: Upload): Promise<void> {
    const file = join(this.#folder, upload.id, RECORD);
    await writeFile(`${file}.new`, JSON.stringify(upload), { mode: 0o600 });
    await rename(`${file}.new`, file);
  }

  async #checkRoom(bytes: number): Promise<void> {
    const { bavail, bsize } = await statfs(this.#folder);
    if (bavail * bsize < bytes + SPARE_BYTES) throw full();
  }
}

const RECORD = '.upload.json';

/** The last part of the name, without characters that cause trouble in a file system or a terminal. */
function safeName(given: string): string {
  const last = given.split(/[/\\]/).at(-1) ?? '';
  const plain = last
    .toWellFormed()
    .normalize('NFC')
    .replaceAll(/[\p{C}<>:"|?*]/gu, '_')
    .replace(/^[.\s]+/, '')
    .trim();
  // Together with the endings of the results, a name has at most 255 bytes.
  let short = plain;
  while (Buffer.byteLength(short) > 180) short = [...short].slice(1).join('');
  return short === '' ? 'table' : short;
}

function full(): ShelfliftError {
  return new ShelfliftError('disk_full', message('no_room_for_upload', {}), {
    actions: [{ do: 'byHand', label: message('free_some_space', {}) }],
  });
}

function gone(): UsageError {
  return new UsageError('no_such_upload', message('no_such_upload', {}), {
    actions: [{ do: 'byHand', label: message('choose_it_again', {}) }],
  });
}
