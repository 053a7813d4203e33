/** The folders that an assistant may use: nothing else of this machine is read, written or named. */
import { lstat, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { UsageError } from '../base/errors.ts';
import { byHand, message } from '../messages/message.ts';

/** An absolute path of any system, within a text; not the part of an address after its host. */
const ABSOLUTE =
  /(?<![\w:/\\.])(?:[A-Za-z]:\\|\/)(?:[^\s/\\"'`:;,()[\]{}<>|]+[/\\])+[^\s/\\"'`:;,()[\]{}<>|]*/gu;

/**
 * A path that does not exist is refused like one outside the folders, so that an answer never reveals which files
 * exist.
 */
export class Roots {
  /** Real paths. */
  readonly #folders: readonly string[];

  private constructor(folders: readonly string[]) {
    this.#folders = folders;
  }

  /** @throws UsageError `no_root` if a path is not a folder */
  static async open(folders: readonly string[]): Promise<Roots> {
    const real = folders.map(async (folder) => {
      const path = await realpath(folder).catch(() => undefined);
      if (path !== undefined && (await stat(path)).isDirectory()) return path;
      throw new UsageError('no_root', message('no_root', { folder }));
    });
    return new Roots(await Promise.all(real));
  }

  /**
   * The real path of a file, with links resolved.
   *
   * @param file relative to the first folder, or absolute
   * @throws UsageError `outside_roots`
   */
  async toRead(file: string): Promise<string> {
    const path = await this.#within(this.#absolute(file), file);
    if (!(await stat(path)).isFile()) throw outside(file);
    return path;
  }

  /** Where a new file may be written. @throws UsageError `outside_roots`, `file_exists` */
  async toWrite(file: string): Promise<string> {
    const wanted = this.#absolute(file);
    const path = join(await this.#within(dirname(wanted), file), basename(wanted));
    if ((await lstat(path).catch(() => undefined)) === undefined) return path;
    throw new UsageError('file_exists', message('assistant_keeps_file', { file }));
  }

  /** The text with paths relative to the folders; of a path outside them, only the last part is shown. */
  shown(text: string): string {
    return text.replaceAll(ABSOLUTE, (path) => {
      const root = this.#folders.find((folder) => isWithin(path, folder));
      return root === undefined ? basename(path.replaceAll('\\', '/')) : relative(root, path) || '.';
    });
  }

  #absolute(file: string): string {
    return resolve(this.#folders[0] ?? sep, file);
  }

  async #within(path: string, file: string): Promise<string> {
    const real = await realpath(path).catch(() => undefined);
    if (real !== undefined && this.#folders.some((folder) => isWithin(real, folder))) return real;
    throw outside(file);
  }
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

function outside(file: string): UsageError {
  return new UsageError('outside_roots', message('outside_roots', { file: basename(file) }), {
    actions: [byHand('name_root', {})],
  });
}
