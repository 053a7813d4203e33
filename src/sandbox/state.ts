/** The state of a running sandbox, apart from its connections. */
import type { Clock } from './clock.ts';
import type { FaultPlan } from './faults.ts';
import type { Gate } from './limits/gate.ts';
import type { Storing } from './settings.ts';
import type { ItemStore } from './store/items.ts';
import type { TeamStore } from './store/teams.ts';
import type { Tally } from './tally.ts';

export interface SandboxState {
  readonly teams: TeamStore;
  readonly items: ItemStore;
  readonly gate: Gate;
  readonly faults: FaultPlan;
  readonly tally: Tally;
  readonly clock: Clock;
  readonly customFields: 'replace' | 'merge';
  readonly storing: Storing;
  /** Most items a team may have; undefined is no limit. */
  planLimit: number | undefined;
  latencyMs: number;
  listLagMs: number;
  /** Creates and updates that were dropped and are not applied yet. */
  lateCommits: number;
}
