/** The account that the page shows: that of the command line, the one chosen last, or that of the environment. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { readConfig } from '../../account/profiles.ts';
import type { TargetChoice } from '../../account/target.ts';
import { UsageError } from '../../base/errors.ts';
import { makeFolder } from '../../base/make-folder.ts';
import { Workspace, type WorkspaceOptions } from './workspace.ts';

const Remembered = z.union([
  z.strictObject({ sandbox: z.literal(true) }),
  z.strictObject({ profile: z.string() }),
  z.strictObject({}),
]);
export type AccountChoice = z.infer<typeof Remembered>;

export interface AccountsOptions extends Omit<WorkspaceOptions, 'choice'> {
  /** `--sandbox`, `--profile`, `--api-url`. */
  choice: TargetChoice;
  /** Folder that stores the last choice, but never a key. */
  folder: string;
}

export class Accounts implements AsyncDisposable {
  readonly #options: AccountsOptions;
  readonly #open = new Map<string, Promise<Workspace>>();
  #current: string | undefined;

  constructor(options: AccountsOptions) {
    this.#options = options;
    makeFolder(options.folder, 0o700);
  }

  /** The account of this page; undefined if none is set up. */
  async current(): Promise<Workspace | undefined> {
    if (this.#current !== undefined) return this.#open.get(this.#current);
    const { choice } = this.#options;
    const isGiven = Object.values(choice).some((value) => value !== undefined && value !== false);
    try {
      return await this.#enter(isGiven ? choice : await this.#remembered());
    } catch (error) {
      // ErrorSummary on the screen where an account is chosen.
      if (error instanceof UsageError) return undefined;
      throw error;
    }
  }

  /** Shows another account from now on. @throws UsageError as openTarget */
  async choose(choice: AccountChoice): Promise<Workspace> {
    const workspace = await this.#enter(choice);
    await writeFile(this.#file, JSON.stringify(choice), { mode: 0o600 });
    return workspace;
  }

  /** An open account whose jobs are in this store (`storeName`); the one shown is opened for it. */
  async inStore(store: string | undefined): Promise<Workspace | undefined> {
    await this.current();
    const open = await Promise.all(this.#open.values());
    return open.find(({ storeName }) => storeName === store);
  }

  /** Names of the saved profiles. */
  profiles(): string[] {
    return Object.keys(readConfig(this.#options.environment).profiles);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const open = await Promise.allSettled(this.#open.values());
    for (const each of open) if (each.status === 'fulfilled') await each.value[Symbol.asyncDispose]();
  }

  get #file(): string {
    return join(this.#options.folder, 'account.json');
  }

  async #enter(choice: TargetChoice): Promise<Workspace> {
    const key = JSON.stringify(choice);
    const { folder: _, ...options } = this.#options;
    const opening = this.#open.get(key) ?? Workspace.open({ ...options, choice });
    this.#open.set(key, opening);
    try {
      const workspace = await opening;
      this.#current = key;
      return workspace;
    } catch (error) {
      this.#open.delete(key);
      throw error;
    }
  }

  async #remembered(): Promise<AccountChoice> {
    try {
      return Remembered.parse(JSON.parse(await readFile(this.#file, 'utf8')));
    } catch {
      return {};
    }
  }
}
