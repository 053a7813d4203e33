import { expect, it } from 'vitest';
import { killOften } from '../support/kill-often.ts';

it('an import that is killed three times has each row once', async () => {
  const end = await killOften({ rows: 300, kills: 3, spreadMs: 300, sandbox: { latencyMs: 10 } });
  expect(end).toEqual({ created: 300, held: 0, kills: 3 });
});
