/** One client per profile, open as long as the worker, so that what it learns about a key's limit is kept. */
import { type ApiClient, createClient, type RequestRecord } from '../api/client.ts';
import type { Clock } from '../clock.ts';
import { UsageError } from '../errors.ts';
import { keyOfProfile } from '../profile.ts';
import type { ReadConfig } from './config/read-config.ts';

/** Settings of the command line for every client. */
export interface ClientSettings {
  timeoutMs: number;
  maxRate?: number;
  maxConcurrency?: number;
  clock?: Clock;
}

/** Settings of a client without a configuration. */
export type OwnTarget = { apiUrl: string; key: string; target?: string };

export class Profiles implements AsyncDisposable {
  readonly #clients = new Map<string, ApiClient>();
  /** Lane → the client that paces it: two profiles with one key share it. */
  readonly #byLane = new Map<string, ApiClient>();
  /** Client → the profiles that it serves, for events: `main,second`. */
  readonly #names = new Map<ApiClient, string>();

  /**
   * @param own a target outside the configuration, under the name ''
   * @throws UsageError `no_key`, and those of key files and addresses
   */
  constructor(
    config: ReadConfig,
    environment: Record<string, string | undefined>,
    settings: ClientSettings,
    listen: {
      onRequest: (profile: string, record: RequestRecord) => void;
      onPause: (profile: string, until: number) => void;
    },
    own?: OwnTarget,
  ) {
    const open = (name: string, options: OwnTarget & Partial<ClientSettings>) => {
      const client = createClient({
        ...settings,
        ...options,
        onRequest: (record) => listen.onRequest(this.#names.get(client) ?? name, record),
        onPause: (until) => listen.onPause(this.#names.get(client) ?? name, until),
      });
      const known = this.#byLane.get(client.laneId);
      if (known !== undefined) void client.close();
      const kept = known ?? client;
      const others = this.#names.get(kept);
      this.#names.set(kept, others === undefined ? name : `${others},${name}`);
      this.#byLane.set(client.laneId, kept);
      this.#clients.set(name, kept);
    };
    const keys = keysOf(config, environment);
    for (const [name, profile] of Object.entries(config.profiles)) {
      const key = keys.get(name) ?? '';
      const { apiUrl, maxRate, maxConcurrency } = profile;
      open(name, {
        apiUrl,
        key,
        ...(maxRate === undefined ? {} : { maxRate }),
        ...(maxConcurrency === undefined ? {} : { maxConcurrency }),
      });
    }
    if (own !== undefined) open('', own);
  }

  /** Name → lane. */
  get lanes(): Map<string, string> {
    return new Map([...this.#clients].map(([name, client]) => [name, client.laneId]));
  }

  /** The client of a lane. */
  ofLane(lane: string): ApiClient | undefined {
    return this.#byLane.get(lane);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const client of this.#byLane.values()) await client.close();
  }
}

/** @throws UsageError that names every profile without a key */
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
  throw new UsageError(first.code, missing.map(({ message }) => message).join('\n'), {
    remedy: 'shelflift worker --check shows the line of each.',
  });
}
