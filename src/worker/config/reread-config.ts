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
/** How often key files are checked; there may be one for each profile. */
const LOOK_AT_KEYS_EVERY_MS = 30_000;
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
  #config: ReadConfig;
  /** The file's text when last used, and when last seen (it may still be being written), as hashes. */
  #known: string;
  #seen: string;
  /** The size and times of the file when it was last read. */
  #stamp: string | undefined;
  #nextLook = 0;
  #nextLookAtKeys: number;
  /** The keys that were last used, as a hash. */
  #keys: string;
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
    this.#keys = keysOf(around.config);
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
      this.#nextLookAtKeys = now + LOOK_AT_KEYS_EVERY_MS;
      const keys = keysOf(this.#config);
      if (keys !== this.#keys) this.ask();
      this.#keys = keys;
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
      checkKeys(config, this.#environment);
      this.#config = config;
      this.#keys = keysOf(config);
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
function keysOf({ profiles, folder }: ReadConfig): string {
  const texts = Object.values(profiles).flatMap(({ keyFile }) => {
    if (keyFile === undefined) return [];
    try {
      return [readFileSync(resolve(folder, keyFile), 'utf8')];
    } catch {
      return [''];
    }
  });
  return hashOf(JSON.stringify(texts));
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
