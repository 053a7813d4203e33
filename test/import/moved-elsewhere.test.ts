/**
 * A row that another process moves while this one is about to: no defect, and nothing is sent for it. Each of these
 * was found by the scenarios of test/properties, as a move that the state machine forbids.
 */
import { expect, it } from 'vitest';
import { UnreachableError } from '../../src/api/errors.ts';
import { csv, toys } from '../support/csv.ts';
import { openImport } from '../support/open-import.ts';
import { asWritten } from '../support/as-written.ts';

it('a row is not sent if another resume has held it after this resume read it', async () => {
  await using at = await openImport();
  const file = await at.file('toys.csv', toys(3));
  let isFirst = true;
  const { summary, exitCode } = await at.import(
    { file },
    {
      wrap: (client) => {
        const create = client.createItem.bind(client);
        client.createItem = async (body, options) => {
          // The first create goes alone, and the others are read already.
          const { id } = await at.ledger.jobs.find('last');
          const issues = [{ code: 'drifted' as const, message: 'held elsewhere' }];
          if (isFirst) await at.ledger.rows.move(id, [{ ordinal: 3, to: 'held', issues }]);
          isFirst = false;
          return create(body, options);
        };
        return client;
      },
    },
  );
  expect([exitCode, summary.state, summary.rows]).toMatchObject([
    3,
    'done',
    { created: 2, held: 1, pending: 0 },
  ]);
  expect(at.items()).toHaveLength(2);
});

it('a row that another job marked as unknown, and whose own answer is lost, is looked up', async () => {
  await using at = await openImport();
  const file = await at.file('toys.csv', toys(3));
  let count = 0;
  const { summary, exitCode } = await at.import(
    { file },
    {
      wrap: (client) => {
        const create = client.createItem.bind(client);
        client.createItem = async (body, options) => {
          const answer = await create(body, options);
          count += 1;
          if (count !== 2) return answer;
          const { id } = await at.ledger.jobs.find('last');
          const [row] = await at.ledger.rows.list(id, { states: ['sending'], limit: 1 });
          await at.ledger.rows.move(id, [{ ordinal: row?.ordinal ?? 0, to: 'unknown' }]);
          throw new UnreachableError('unreachable', asWritten('reset'), { applied: 'unknown' });
        };
        return client;
      },
      client: { maxConcurrency: 1 },
    },
  );
  expect([exitCode, summary.rows]).toMatchObject([0, { created: 3, pending: 0 }]);
  expect(at.items()).toHaveLength(3);
});

it('a row that another process has sent while its item is compared is not marked as drifted', async () => {
  await using at = await openImport();
  const ids = at.sandbox.control.insertItems([{ name: 'a' }, { name: 'b' }]);
  const rows = ids.map((id) => [id, 'Acme']);
  const file = await at.file('brands.csv', csv(['id', 'brand'], rows));
  const plan = await at.import({ file, mode: 'update', dryRun: true });
  await at.run(async ({ client }) => {
    for (const id of ids) await client.updateItem(id, { brand: 'Somebody' });
  });
  const { job } = plan.summary;
  await at.apply(
    job,
    {},
    {
      wrap: (client) => {
        const read = client.getItem.bind(client);
        client.getItem = async (id, options) => {
          if (id === ids[0]) await at.ledger.rows.move(job, [{ ordinal: 1, to: 'sending' }]);
          return read(id, options);
        };
        return client;
      },
    },
  );
  const states = (await at.ledger.rows.list(job, { limit: 10 })).map((row) => row.state);
  expect(states).toEqual(['sending', 'held']);
});
