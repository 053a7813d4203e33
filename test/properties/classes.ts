/** All classes of scenarios, and a mixture of them. */
import * as fc from '../support/fast-check.ts';
import {
  absent,
  exported,
  fromFile,
  months,
  restored,
  returned,
  short,
  stock,
  twoStores,
} from './file-scenarios.ts';
import {
  anything,
  beside,
  bothWays,
  cancelled,
  chains,
  edits,
  equal,
  keysOfOthers,
  lagging,
  later,
  manyUpdates,
  removals,
  rewriting,
  type Scenario,
  takeover,
  twice,
  undone,
} from './scenario.ts';

/** Each with its weight; with 0 it is played on request only (planted/find.ts). */
export const CLASSES = {
  anything: { weight: 4, arbitrary: anything },
  takeover: { weight: 1, arbitrary: takeover },
  twice: { weight: 2, arbitrary: twice },
  cancelled: { weight: 1, arbitrary: cancelled },
  edits: { weight: 2, arbitrary: edits },
  manyUpdates: { weight: 1, arbitrary: manyUpdates },
  undone: { weight: 1, arbitrary: undone },
  removals: { weight: 1, arbitrary: removals },
  equal: { weight: 2, arbitrary: equal },
  keysOfOthers: { weight: 1, arbitrary: keysOfOthers },
  beside: { weight: 2, arbitrary: beside },
  chains: { weight: 2, arbitrary: chains },
  lagging: { weight: 1, arbitrary: lagging },
  bothWays: { weight: 1, arbitrary: bothWays },
  rewriting: { weight: 1, arbitrary: rewriting },
  later: { weight: 1, arbitrary: later },
  stock: { weight: 1, arbitrary: stock },
  absent: { weight: 1, arbitrary: absent },
  fromFile: { weight: 1, arbitrary: fromFile },
  exported: { weight: 1, arbitrary: exported },
  returned: { weight: 1, arbitrary: returned },
  months: { weight: 2, arbitrary: months },
  short: { weight: 1, arbitrary: short },
  restored: { weight: 1, arbitrary: restored },
  twoStores: { weight: 1, arbitrary: twoStores },
};

export const scenario: fc.Arbitrary<Scenario> = fc.oneof(...Object.values(CLASSES));
