import { expect, it } from 'vitest';
import { killOften } from '../support/kill-often.ts';

it('an import that is killed twice creates each row once', async () => {
  const end = await killOften({ rows: 100, kills: 2, spread: 30, sandbox: { latencyMs: 50 } });
  expect(end).toEqual({ created: 100, held: 0, kills: 2 });
});
