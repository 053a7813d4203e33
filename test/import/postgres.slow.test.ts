import { describe, expect, it } from 'vitest';
import { newPlace } from '../cli/run-shelflift.ts';
import { ledgerContract } from '../ledger/contract.ts';
import { postgresStores } from '../ledger/postgres-stores.ts';
import { toyNames, toys } from '../support/csv.ts';
import { killOften } from '../support/kill-often.ts';
import { openImport } from '../support/open-import.ts';
import { POSTGRES, usePostgres } from '../support/postgres.ts';

const oldest = POSTGRES.length < 2 ? undefined : POSTGRES[0];

describe.skipIf(oldest === undefined)(
  'the ledger keeps its contract on the oldest PostgreSQL that can be installed here',
  () => {
    ledgerContract(postgresStores(usePostgres(oldest)));
  },
);

// One of each, also where none is there: so that what is skipped can be counted.
describe.each([
  ['the oldest PostgreSQL', oldest],
  ['the newest PostgreSQL', POSTGRES.at(-1)],
])('an import on %s', (_, binaries) => {
  const server = usePostgres(binaries, { durable: true });

  it.skipIf(binaries === undefined)(
    'is sent by only one of two processes that import the same file at once',
    async () => {
      await using it = await openImport({ latencyMs: 5 });
      const place = newPlace({
        SHELFLIFT_API_URL: it.sandbox.url,
        SHELFLIFT_API_KEY: it.sandbox.key,
        SHELFLIFT_STORE: await server.newDatabase(),
      });
      place.file('toys.csv', toys(150));
      place.file('others.csv', toys(50, 'Other'));
      const runs = await Promise.all(
        ['toys.csv', 'toys.csv', 'others.csv'].map((file) =>
          place.run(['import', file, '--collection', 'Main', '--json', '--quiet']),
        ),
      );
      // Whoever came second is told that it is sent already, or that it is being sent.
      for (const { code, stderr } of runs) expect([0, 3], stderr).toContain(code);
      expect(it.names()).toEqual([...toyNames(50, 'Other'), ...toyNames(150)]);
    },
  );

  it.skipIf(binaries === undefined)('creates each row once even if it is killed ten times', async () => {
    const store = await server.newDatabase();
    const end = await killOften({ rows: 1000, kills: 10, spread: 80, sandbox: { latencyMs: 10 }, store });
    expect(end).toEqual({ created: 1000, held: 0, kills: 10 });
  });
});
