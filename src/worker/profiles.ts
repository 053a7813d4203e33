/** One client per key, opened when it is first needed and kept, with what it has learned about the key's limit. */
import { type ApiClient, createClient, type RequestRecord } from '../api/client.ts';
import { laneIdOf } from '../api/transport.ts';
import type { Clock } from '../base/clock.ts';
import { UsageError } from '../base/errors.ts';
import { message } from '../messages/message.ts';
import { keyOfProfile } from '../base/profile.ts';
import type { ReadConfig } from './config/read-config.ts';
import { defined } from '../base/defined.ts';

/** Settings of the command line for every client. */
export interface ClientSettings {
  timeoutMs: number;
  maxRate?: number;
  maxConcurrency?: number;
  clock?: Clock;
}

/** Settings of a client without a configuration. */
export type OwnTarget = { apiUrl: string; key: string; target?: string };

interface Listener {
  onRequest: (profile: string, record: RequestRecord) => void;
  onPause: (profile: string, until: Date) => void;
}

/**
 * Number of unused clients to keep, the most recently used ones. Each takes about 10 kB and its
 * connections.
 */
const KEPT = 100;

export class Profiles implements AsyncDisposable {
  /** Name → lane. */
  readonly lanes = new Map<string, string>();
  /** Lane → names of the profiles with its key: they share a client, which paces all of them. */
  readonly names = new Map<string, string[]>();
  /** Lane → its key. */
  readonly #keys = new Map<string, string>();
  readonly #profiles: ReadConfig['profiles'];
  readonly #own: OwnTarget | undefined;
  /** Lane → client; the most recently used client is last. */
  readonly #clients = new Map<string, ApiClient>();
  readonly #settings: ClientSettings;
  readonly #listen: Listener;

  /**
   * @param own a target outside the configuration, under the name ''
   * @throws UsageError `no_key`, and the errors of key files and addresses
   */
  constructor(
    config: ReadConfig,
    environment: Record<string, string | undefined>,
    settings: ClientSettings,
    listen: Listener,
    own?: OwnTarget,
  ) {
    this.#settings = settings;
    this.#listen = listen;
    this.#profiles = config.profiles;
    this.#own = own;
    const add = (name: string, target: OwnTarget) => {
      const lane = laneIdOf(target);
      this.lanes.set(name, lane);
      this.#keys.set(lane, target.key);
      const names = this.names.get(lane);
      if (names === undefined) this.names.set(lane, [name]);
      else names.push(name);
    };
    const keys = keysOf(config, environment);
    for (const [name, { apiUrl }] of Object.entries(config.profiles))
      add(name, { apiUrl, key: keys.get(name) ?? '' });
    if (own !== undefined) add('', own);
  }

  /** The client of a lane. */
  ofLane(lane: string): ApiClient | undefined {
    const client = this.#clients.get(lane) ?? this.#open(lane);
    if (client === undefined) return undefined;
    this.#clients.delete(lane);
    this.#clients.set(lane, client);
    return client;
  }

  /** Closes the clients that have not been used for longest, if there are many. @param busy lanes that are in use */
  async tidy(busy: ReadonlySet<string>): Promise<void> {
    const idle = [...this.#clients.keys()].filter((lane) => !busy.has(lane));
    await this.#close(idle.slice(0, Math.max(0, idle.length - KEPT)));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#close([...this.#clients.keys()]);
  }

  #open(lane: string): ApiClient | undefined {
    const [names = [], key] = [this.names.get(lane), this.#keys.get(lane)];
    const profile = this.#profiles[names[0] ?? ''];
    const apiUrl = (profile ?? this.#own)?.apiUrl;
    if (key === undefined || apiUrl === undefined) return undefined;
    // For events: `main,second`.
    const shown = names.join();
    return createClient({
      ...this.#settings,
      ...(profile === undefined
        ? this.#own
        : defined({ maxRate: profile.maxRate, maxConcurrency: profile.maxConcurrency })),
      apiUrl,
      key,
      onRequest: (record) => this.#listen.onRequest(shown, record),
      onPause: (until) => this.#listen.onPause(shown, until),
    });
  }

  async #close(lanes: readonly string[]): Promise<void> {
    const clients = lanes.flatMap((lane) => this.#clients.get(lane) ?? []);
    for (const lane of lanes) this.#clients.delete(lane);
    await Promise.all(clients.map((client) => client.close()));
  }
}

/** @throws UsageError a message that names every profile without a key */
export function checkKeys(config: ReadConfig, environment: Record<string, string | undefined>): void {
  keysOf(config, environment);
}

function keysOf(
  { profiles, folder }: ReadConfig,
  environment: Record<string, string | undefined>,
): Map<string, string> {
  const keys = new Map<string, string>();
  const missing: UsageError[] = [];
  for (const [name, profile] of Object.entries(profiles)) {
    try {
      keys.set(name, keyOfProfile(name, profile, folder, environment));
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      missing.push(error);
    }
  }
  const [first, ...others] = missing;
  if (first === undefined) return keys;
  if (others.length === 0) throw first;
  throw new UsageError(
    first.code,
    message('keys_missing', {
      problems: missing.map(({ said }) => said),
    }),
    {
      actions: [
        { do: 'run', label: message('to_see_lines', {}), command: 'worker', options: { check: true } },
      ],
    },
  );
}
