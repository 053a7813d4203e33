import { describe, it } from 'vitest';
import { killChanges } from '../support/kill-changes.ts';

const faults = {
  dropAfterCommit: 0.05,
  dropBefore: 0.03,
  cutBody: 0.03,
  error500: 0.02,
  html502: 0.02,
  operations: ['createItem' as const, 'updateItem' as const],
};

describe('with a sixth of the answers lost, and six kills each of the job and its undo,', () => {
  it('an update changes each item once, and the undo restores everything', () =>
    killChanges({
      mode: 'update',
      rows: 300,
      kills: 6,
      spread: 60,
      sandbox: { latencyMs: 10, faults, faultSeed: 5 },
    }));

  it('an upsert changes, creates and archives each item once, and the undo restores everything', () =>
    killChanges({
      mode: 'upsert',
      rows: 270,
      missing: 30,
      kills: 6,
      spread: 60,
      sandbox: { latencyMs: 10, faults, faultSeed: 9 },
    }));
});
