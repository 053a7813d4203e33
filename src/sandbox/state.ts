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
  /** Maximum number of items of a team; undefined for no limit. */
  planLimit: number | undefined;
  latencyMs: number;
  listLagMs: number;
  /** Creates and updates whose connection was dropped and that are not applied yet. */
  lateCommits: number;
}
