import { describe, expect, it } from 'vitest';
import { killOften } from '../support/kill-often.ts';

describe('an import of 2,000 rows that is killed twenty times', () => {
  it('has each row once', async () => {
    const end = await killOften({ rows: 2000, kills: 20, spreadMs: 400, sandbox: { latencyMs: 10 } });
    expect(end).toEqual({ created: 2000, held: 0, kills: 20 });
  });

  it('has each row once, although answers are lost and the plan of the server is a changing list', async () => {
    const faults = {
      dropAfterCommit: 0.05,
      dropBefore: 0.03,
      cutBody: 0.03,
      error500: 0.02,
      html502: 0.02,
      operations: ['createItem' as const],
    };
    const sandbox = { latencyMs: 10, order: 'updated' as const, faults, faultSeed: 3 };
    const { created, held } = await killOften({ rows: 2000, kills: 20, spreadMs: 400, sandbox });
    expect({ created, held }).toEqual({ created: 2000, held: 0 });
  });
});
