/** Passwords of protected workbooks that people type on the file screen: in memory only, never stored or shown. */
import { filePasswords } from '../../sheets/file-password.ts';
import type { FilePassword } from '../../sheets/table.ts';

export class Passwords {
  readonly #given = new Map<string, string>();
  readonly #fromEnvironment: FilePassword;

  constructor(environment: NodeJS.ProcessEnv) {
    this.#fromEnvironment = filePasswords(environment);
  }

  /** For readers of files. A wrong password ends the reading, and the screen asks again. */
  readonly of: FilePassword = async (file, wrong) =>
    wrong ? undefined : (this.#given.get(file) ?? this.#fromEnvironment(file, false));

  give(file: string, password: string): void {
    this.#given.set(file, password);
  }
}
