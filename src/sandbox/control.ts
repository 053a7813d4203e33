/** Controls a running sandbox, for tests and the control surface. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { Collection, Item } from '../api/resources.ts';
import { SCOPES, type Scope } from '../api/schemas.ts';
import { newItem } from './item-form.ts';
import { toRateLimit } from './rate-limit-text.ts';
import { noSales } from './sales.ts';
import { toStored } from './seed/seed-team.ts';
import type { FaultKind, FaultRates, RateLimit, OperationName } from './settings.ts';
import type { SandboxState } from './state.ts';
import type { SandboxKey, Team } from './store/teams.ts';
import type { RequestCounts } from './tally.ts';

/** The team that every sandbox starts with. */
export const DEFAULT_TEAM = 1;

/** The counters of a sandbox. */
export interface SandboxCounts extends RequestCounts {
  /** Number of items by team id. */
  items: Record<number, number>;
  /** Creates and updates whose connection was dropped and that are not applied yet. */
  lateCommits: number;
}

/** Any fields of an item, even unknown to the API; missing ones get the API's defaults. */
export type ItemSeed = Partial<Item<Record<string, unknown>>>;

/** `team` is a team's id; default: the default team. */
export interface SandboxControl {
  /** Adds a team with one key that has all scopes, and one collection, "Main". */
  addTeam(options?: {
    /** Default: `Another team`. */
    name?: string;
    /** Lower-case code of the items' currency. Default `usd`. */
    currency?: string;
  }): Team;
  /** Adds a key, by default with all scopes. */
  addKey(scopes?: readonly Scope[], team?: number): SandboxKey;
  /** The key gets 401 from now on. Returns true if it existed. */
  revokeKey(secret: string): boolean;
  /** Adds a collection. Its name need not be unique. */
  addCollection(
    name: string,
    options?: {
      /** Id of the team. Default: the default team. */
      team?: number;
      /** Default: none. */
      description?: string | null;
      /** Whether the collection is public. Default false. */
      isPublic?: boolean;
    },
  ): Collection;
  /** The counts since the start, or since `resetCounts`. */
  counts(): SandboxCounts;
  /** Sets the request counts to zero. */
  resetCounts(): void;
  /** `100/60s`, an object, or null for none. Resets the budget of every key. */
  setRateLimit(limit: RateLimit | string | null): void;
  /** Maximum number of items of a team, or null. */
  setPlanLimit(limit: number | null): void;
  /** Replaces all probabilities; `{}` turns faults off. */
  setFaults(rates: FaultRates): void;
  /** The next request (of this operation) meets this fault; see FaultPlan. */
  failNext(kind: FaultKind, operation?: OperationName, commits?: boolean): void;
  /** Milliseconds. */
  setLatency(ms: number): void;
  /** Time until lists show a new item, ms. */
  setListLag(ms: number): void;
  /** All items of a team, newest first. */
  items(team?: number): Item[];
  /** Inserts items in bulk, without the API. Returns their ids in order. */
  insertItems(items: Iterable<ItemSeed>, team?: number): string[];
  /** Removes an item, which is possible on the service's web pages but not by its API. Returns true if it existed. */
  removeItem(id: string, team?: number): boolean;
}

export function createControl(state: SandboxState): SandboxControl {
  return {
    addTeam({ name = 'Another team', currency = 'usd' } = {}) {
      const team = state.teams.addTeam(name, currency, JSON.stringify(noSales()));
      state.teams.addKey(team.id, newSecret(), SCOPES);
      addCollection(state, 'Main', team.id, null, false);
      return team;
    },
    addKey: (scopes = SCOPES, team = DEFAULT_TEAM) => state.teams.addKey(team, newSecret(), scopes),
    revokeKey: (secret) => state.teams.revokeKey(secret),
    addCollection: (name, { team = DEFAULT_TEAM, description = null, isPublic = false } = {}) =>
      addCollection(state, name, team, description, isPublic),
    counts: () => ({
      ...state.tally.counts(),
      items: Object.fromEntries(state.teams.all().map((team) => [team.id, state.items.count(team.id)])),
      lateCommits: state.lateCommits,
    }),
    resetCounts: () => state.tally.reset(),
    setRateLimit: (limit) => state.gate.setRate(limit === null ? undefined : toRateLimit(limit)),
    setPlanLimit(limit) {
      state.planLimit = limit ?? undefined;
    },
    setFaults: (rates) => state.faults.setRates(rates),
    failNext: (kind, operation, commits) => state.faults.failNext(kind, operation, commits),
    setLatency(ms) {
      state.latencyMs = ms;
    },
    setListLag(ms) {
      state.listLagMs = ms;
    },
    items: (team = DEFAULT_TEAM) =>
      state.items.page(team, 'all', 0, Number.MAX_SAFE_INTEGER).map((text) => JSON.parse(text) as Item),
    insertItems: (items, team = DEFAULT_TEAM) => insertItems(state, items, team),
    removeItem: (id, team = DEFAULT_TEAM) => state.items.remove(team, id.toLowerCase()),
  };
}

export function addCollection(
  state: SandboxState,
  name: string,
  team: number,
  description: string | null,
  isPublic: boolean,
): Collection {
  const time = new Date(state.clock.wall()).toISOString();
  return state.teams.addCollection(team, {
    object: 'collection',
    id: randomUUID(),
    name,
    description,
    is_public: isPublic,
    created_at: time,
    updated_at: time,
  });
}

function insertItems(state: SandboxState, items: Iterable<ItemSeed>, teamId: number): string[] {
  const team = state.teams.team(teamId);
  const collection = team.collections.at(-1)?.id ?? '';
  const time = new Date(state.clock.wall()).toISOString();
  const ids: string[] = [];
  const stored = Iterator.from(items).map((seed) => {
    const id = seed.id ?? randomUUID();
    ids.push(id);
    const create = { collection_id: collection, name: 'Toy' };
    return toStored({ ...newItem(create, id, team.currency, time), ...seed, id }, teamId);
  });
  state.items.insertAll(stored);
  return ids;
}

function newSecret(): string {
  return `sandbox-key-${randomBytes(12).toString('hex')}`;
}
