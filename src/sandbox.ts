/**
 * A practice server of the Collection Inventory API, for tests: every rule of the contract, limits, and faults on demand.
 *
 * @module shelflift/sandbox
 * @example
 * import { startSandbox } from 'shelflift/sandbox';
 * await using sandbox = await startSandbox({ seed: 7 });
 * await using shelf = await open({ apiUrl: sandbox.url, key: sandbox.key, store: ':memory:' });
 */
import './base/check-node.ts';
import type { Sandbox } from './sandbox/sandbox.ts';
import type { SandboxOptions } from './sandbox/settings.ts';

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
export type { Sandbox } from './sandbox/sandbox.ts';

/**
 * Starts a sandbox, which serves when the promise resolves.
 *
 * @throws UsageError `port_in_use`, `cannot_listen`, `bad_rate_limit`; those of a data file that cannot be used
 * @throws RangeError if `faults` are not probabilities or add up to more than 1
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { startSandbox: start } = await import('./sandbox/sandbox.ts');
  return start(options);
}
