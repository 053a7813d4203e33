import { expect, it } from 'vitest';
import { openImport } from '../support/open-import.ts';

it('the pacer remembers the rate of a server without rate headers, and starts with it next time', async () => {
  await using it = await openImport({ rateLimit: { limit: 10, windowMs: 2500 }, headers: 'none' });
  const rows = (from: number, count: number) =>
    `name\n${Array.from({ length: count }, (_, index) => `Toy ${from + index}`).join('\n')}\n`;
  let key = '';
  const first = await it.import(
    { file: await it.file('a.csv', rows(0, 18)) },
    {
      wrap: (client) => {
        key = client.laneId;
        return client;
      },
    },
  );
  expect(first.summary.requests.limited).toBeGreaterThan(0);
  const kept = JSON.parse((await it.ledger.values.get('rate', key)) ?? '{}') as { rate: number };
  expect(kept.rate).toBeGreaterThan(1);
  expect(kept.rate).toBeLessThan(40);

  let begunAt: number | undefined;
  await it.import(
    { file: await it.file('b.csv', rows(100, 3)) },
    {
      wrap: (client) => {
        const beginAt = client.limiter.beginAt.bind(client.limiter);
        client.limiter.beginAt = (rate) => {
          begunAt = rate;
          beginAt(rate);
        };
        return client;
      },
    },
  );
  expect(begunAt).toBe(kept.rate);
  expect(it.items()).toHaveLength(21);
});

it('the pacer stores no rate if answers have rate headers', async () => {
  await using it = await openImport({ rateLimit: { limit: 1000, windowMs: 1000 }, headers: 'draft3' });
  await it.import({ file: await it.file('a.csv', 'name\nToy\n') });
  expect(await it.ledger.values.spaces('rate')).toEqual([]);
});
