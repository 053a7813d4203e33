/** Two jobs of one store that change the same items at one time: neither erases what the other has written. */
import { describe, expect, it } from 'vitest';
import { setItems } from '../../src/import/run.ts';
import type { SetRequest } from '../../src/import/set/stage-set.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { type OpenImport, openImport, QUIET_MS, type RunSetting } from '../support/open-import.ts';
import { overriding } from '../support/overriding.ts';
import { beforeTurn } from '../support/before-turn.ts';
import { POSTGRES, usePostgres } from '../support/postgres.ts';

const ITEMS = 40;

function set(it: OpenImport, changes: string[], setting: RunSetting, more: Partial<SetRequest> = {}) {
  const run = { quietPeriodMs: QUIET_MS, yes: true, ...more.run };
  return it.run(
    (deps) => setItems({ outDir: it.folder, changes, where: 'brand=A', ...more, run }, deps),
    setting,
  );
}

/** Makes both changes, the second of which is planned before the first one is made. */
async function together(it: OpenImport, ledger: Ledger, changes: [string, string], keys: 1 | 2) {
  it.sandbox.control.insertItems(
    Array.from({ length: ITEMS }, (_, index) => ({
      name: `T ${index}`,
      brand: 'A',
      estimated_value: 100,
      custom_fields: { box: index },
    })),
  );
  const key = keys === 1 ? it.sandbox.key : it.sandbox.control.addKey().secret;
  let first: Awaited<ReturnType<typeof set>> | undefined;
  const second = await set(it, [changes[1]], {
    ledger: beforeTurn(ledger, async () => {
      first = await set(it, [changes[0]], { ledger, client: { key } });
    }),
  });
  expect([first?.exitCode, first?.summary.rows.updated]).toEqual([0, ITEMS]);
  return second;
}

async function keepBoth(it: OpenImport, ledger: Ledger, keys: 1 | 2): Promise<void> {
  const changes: [string, string] = ['custom_fields.shelf=A1', 'custom_fields.sold_for=12'];
  const second = await together(it, ledger, changes, keys);
  expect([second.exitCode, second.summary.rows.updated]).toEqual([0, ITEMS]);
  for (const { custom_fields: fields } of it.items())
    expect(fields).toEqual({ box: expect.any(Number), shelf: 'A1', sold_for: '12' });
}

describe('two jobs that change the same items at the same time', () => {
  it.for([1, 2] as const)('both set their custom field, with %i key', async (keys) => {
    await using open = await openImport();
    await keepBoth(open, open.ledger, keys);
  });

  it('both add their tag', async () => {
    await using open = await openImport();
    const second = await together(open, open.ledger, ['tags+=a', 'tags+=b'], 2);
    expect([second.exitCode, second.summary.rows.updated]).toEqual([0, ITEMS]);
    expect(open.items().map(({ tags }) => tags)).toEqual(Array.from({ length: ITEMS }, () => ['a', 'b']));
  });

  it.for(['estimated_value+=5', 'estimated_value=70'])(
    'hold %s if the other job has changed the value since the plan',
    async (change) => {
      await using open = await openImport();
      const second = await together(open, open.ledger, ['estimated_value*=1.1', change], 2);
      expect([second.exitCode, second.summary.rows]).toMatchObject([3, { updated: 0, held: ITEMS }]);
      expect(open.items().map((item) => item.estimated_value)).toEqual(Array(ITEMS).fill(110));
    },
  );

  it('compute a value from the result of the other job with --on-drift overwrite', async () => {
    await using open = await openImport();
    open.sandbox.control.insertItems([
      { name: 'T', brand: 'A', estimated_value: 100, custom_fields: { count: '7' } },
    ]);
    const { exitCode } = await set(
      open,
      ['estimated_value*=1.5', 'custom_fields.count+=1'],
      {
        ledger: beforeTurn(open.ledger, () =>
          set(open, ['estimated_value*=1.5', 'custom_fields.count+=2'], {}),
        ),
      },
      { run: { onDrift: 'overwrite' } },
    );
    expect(exitCode).toBe(0);
    expect(open.items()[0]).toMatchObject({ estimated_value: 225, custom_fields: { count: '10' } });
  });

  it('with --recheck never, do not send values that were read before the other job wrote', async () => {
    await using open = await openImport();
    open.sandbox.control.insertItems([{ name: 'T', brand: 'A', custom_fields: { box: 1 } }]);
    await set(
      open,
      ['custom_fields.shelf=A1'],
      {
        ledger: beforeTurn(open.ledger, () => set(open, ['custom_fields.sold_for=12'], {})),
      },
      { run: { recheckMs: Number.POSITIVE_INFINITY } },
    );
    expect(open.items()[0]?.custom_fields).toEqual({ box: 1, shelf: 'A1', sold_for: '12' });
  });

  it('wait for each other’s open requests before they send their own for the same item', async () => {
    await using open = await openImport();
    open.sandbox.control.insertItems([{ name: 'T', brand: 'A', custom_fields: { box: 1 } }]);
    const key = open.sandbox.control.addKey().secret;
    // The second job reads the item while the first one's change is on its way.
    let second: ReturnType<typeof set> | undefined;
    const first = await set(open, ['custom_fields.shelf=A1'], {
      wrap: (client) =>
        overriding(client, {
          updateItem: async (...args) => {
            const planned = Promise.withResolvers<void>();
            second = set(open, ['custom_fields.sold_for=12'], {
              client: { key },
              ledger: beforeTurn(open.ledger, async () => planned.resolve()),
            });
            await planned.promise;
            return client.updateItem(...args);
          },
        }),
    });
    expect([first.exitCode, (await second)?.exitCode]).toEqual([0, 0]);
    expect(open.items()[0]?.custom_fields).toEqual({ box: 1, shelf: 'A1', sold_for: '12' });
  });
});

describe.skipIf(POSTGRES.length === 0)('on PostgreSQL', () => {
  const server = usePostgres(POSTGRES.at(-1));

  it.for([1, 2] as const)('two jobs both set their custom field, with %i key', async (keys) => {
    await using open = await openImport();
    await using ledger = await openLedger(await server.newDatabase());
    await keepBoth(open, ledger, keys);
  });
});
