/** Reads a running worker's configuration again when its file or a key file changes, or on request. */
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Clock } from '../../base/clock.ts';
import { ShelfliftError } from '../../base/errors.ts';
import { message } from '../../messages/message.ts';
import type { Message } from '../../messages/params.ts';
import { checkKeys } from '../profiles.ts';
import { configText, type ReadConfig, readWorkerConfig } from './read-config.ts';

const LOOK_EVERY_MS = 2_000;
/** How often key files are checked. */
const LOOK_AT_KEYS_EVERY_MS = 30_000;
/** Key files read at once, in 30 ms: there may be one for each of 100,000 profiles. */
const KEY_FILES = 2_000;
/**
 * A file whose times are unchanged and older than this is not read again, because 10,000 schedules take
 * 1.8 MB.
 */
const AT_REST_MS = 60_000;

export class ConfigReader {
  readonly #file: string;
  readonly #environment: Record<string, string | undefined>;
  readonly #clock: Clock;
  readonly #tell: (said: Message) => void;
  /** The newest configuration that could be read: the one in use, unless keys are missing. */
  #config: ReadConfig;
  /** The file's text when last used, and when last seen (it may still be being written), as hashes. */
  #known: string;
  #seen: string;
  /** The size and times of the file when it was last read. */
  #stamp: string | undefined;
  #nextLook = 0;
  #nextLookAtKeys: number;
  /** Its keys, as a hash. */
  #keys: string;
  /** Reads the key files, some at a time. */
  #keysNow: ReturnType<typeof keysOf> | undefined;
  #asked = false;

  /** @throws UsageError `config_unreadable` */
  constructor(
    file: string,
    around: {
      /** The configuration in use. */
      config: ReadConfig;
      environment: Record<string, string | undefined>;
      clock: Clock;
      /** Reports why a changed configuration is not used. */
      tell: (said: Message) => void;
    },
  ) {
    this.#file = file;
    this.#environment = around.environment;
    this.#clock = around.clock;
    this.#tell = around.tell;
    this.#known = hashOf(configText(file));
    this.#seen = this.#known;
    this.#keys = wholeHash(keysOf(around.config));
    this.#config = around.config;
    this.#nextLookAtKeys = around.clock.monotonic() + LOOK_AT_KEYS_EVERY_MS;
  }

  /** Reads the file again even if its text is unchanged: files that it names may have changed. */
  ask(): void {
    this.#asked = true;
    this.#nextLook = 0;
  }

  /** @returns the configuration if it has changed and is valid */
  next(): ReadConfig | undefined {
    const now = this.#clock.monotonic();
    if (now < this.#nextLook) return undefined;
    this.#nextLook = now + LOOK_EVERY_MS;
    if (now >= this.#nextLookAtKeys) {
      this.#keysNow ??= keysOf(this.#config);
      const keys = this.#keysNow.next().value;
      if (keys !== undefined) {
        this.#keysNow = undefined;
        this.#nextLookAtKeys = now + LOOK_AT_KEYS_EVERY_MS;
        if (keys !== this.#keys) this.ask();
        this.#keys = keys;
      }
    }
    try {
      const stamp = stampOf(this.#file);
      if (stamp !== undefined && stamp === this.#stamp && !this.#asked) return undefined;
      const hash = hashOf(configText(this.#file));
      const isWhole = hash === this.#seen;
      this.#stamp = isWhole ? stamp : undefined;
      this.#seen = hash;
      if (!isWhole || (hash === this.#known && !this.#asked)) return undefined;
      this.#known = hash;
      this.#asked = false;
      const config = readWorkerConfig(this.#file);
      // Before the check: a key file may be written later than the configuration that names it.
      this.#config = config;
      this.#keys = wholeHash(keysOf(config));
      this.#keysNow = undefined;
      checkKeys(config, this.#environment);
      return config;
    } catch (error) {
      if (!(error instanceof ShelfliftError)) throw error;
      // A file that is being replaced is briefly missing.
      if (error.code === 'config_unreadable' && !this.#asked) return undefined;
      this.#asked = false;
      this.#tell(message('config_kept', { why: error.said }));
      return undefined;
    }
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}

/** A hash of the contents of the key files; a file that cannot be read counts as empty. */
function* keysOf({ profiles, folder }: ReadConfig): Generator<undefined, string, undefined> {
  const hash = createHash('sha256');
  const files = Object.values(profiles).flatMap(({ keyFile }) => keyFile ?? []);
  for (const [index, file] of files.entries()) {
    if (index > 0 && index % KEY_FILES === 0) yield;
    try {
      hash.update(readFileSync(resolve(folder, file)));
    } catch {
      // Empty.
    }
    hash.update('\n\n');
  }
  return hash.digest('base64');
}

function wholeHash(parts: ReturnType<typeof keysOf>): string {
  for (;;) {
    const { done, value } = parts.next();
    if (done === true) return value;
  }
}

/** Undefined if the file is so new that a change might not alter its times, or if it cannot be read. */
function stampOf(file: string): string | undefined {
  try {
    const { dev, ino, size, mtimeMs, ctimeMs } = statSync(file);
    if (Date.now() - Math.max(mtimeMs, ctimeMs) < AT_REST_MS) return undefined;
    return [dev, ino, size, mtimeMs, ctimeMs].join();
  } catch {
    return undefined;
  }
}
