/**
 * A practice server of the Collection Inventory API, for tests: every rule of the contract, limits, and faults on demand.
 *
 * @module shelflift/sandbox
 * @example
 * import { startSandbox } from 'shelflift/sandbox';
 * await using sandbox = await startSandbox({ seed: 7 });
 * await using shelf = await open({ apiUrl: sandbox.url, key: sandbox.key, store: ':memory:' });
 */
export type { Collection, Item } from './api/resources.ts';
export type { Scope } from './api/schemas.ts';
export type { ItemSeed, SandboxControl, SandboxCounts } from './sandbox/control.ts';
export type {
  FaultKind,
  FaultRates,
  HeaderStyle,
  LimiterKind,
  OperationName,
  RateLimit,
  RequestRecord,
  SandboxOptions,
  Storing,
} from './sandbox/settings.ts';
export type { SandboxKey, Team } from './sandbox/store/teams.ts';
export type { Outcome, RequestCounts } from './sandbox/tally.ts';
export { type Sandbox, startSandbox } from './sandbox/sandbox.ts';
