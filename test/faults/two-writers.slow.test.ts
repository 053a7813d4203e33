/** Two processes, each with a job that changes the same items: no change of either is lost. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts';
import { ended, newPlace, type Place } from '../cli/run-shelflift.ts';
import { csv } from '../support/csv.ts';
import { POSTGRES, usePostgres } from '../support/postgres.ts';

const ITEMS = 40;
const ALWAYS = ['--json', '--quiet', '--yes', '--max-concurrency', '1'];

/** Slow enough for the second process to plan while the first one writes. */
async function open(store: string): Promise<{ sandbox: Sandbox; place: Place }> {
  const sandbox = await startSandbox({ latencyMs: 40 });
  sandbox.control.insertItems(
    Array.from({ length: ITEMS }, (_, index) => ({
      name: `T ${index}`,
      brand: 'A',
      custom_fields: { sku: `S${index}` },
    })),
  );
  const place = newPlace({
    SHELFLIFT_API_URL: sandbox.url,
    SHELFLIFT_API_KEY: sandbox.key,
    SHELFLIFT_STORE: store,
  });
  return { sandbox, place };
}

/** Once the first has changed an item, the second begins; both succeed. */
async function inTurn(sandbox: Sandbox, place: Place, first: string[], second: string[], secondKey: string) {
  const begun = place.start(first);
  const one = ended(begun);
  const written = () => sandbox.control.counts().byOperation.updateItem?.['200'] ?? 0;
  while (written() === 0 && begun.exitCode === null) await sleep(10);
  const two = ended(place.start([...second, ...ALWAYS], { SHELFLIFT_API_KEY: secondKey }));
  for (const { code, stdout, stderr } of [await one, await two]) expect(code, stdout + stderr).toBe(0);
}

function setCommand(change: string): string[] {
  return ['set', change, '--where', 'brand=A'];
}

async function setBoth(store: string, keys: 1 | 2): Promise<void> {
  const { sandbox, place } = await open(store);
  await using _ = sandbox;
  const key = keys === 1 ? sandbox.key : sandbox.control.addKey().secret;
  const first = [...setCommand('custom_fields.shelf=A1'), ...ALWAYS];
  await inTurn(sandbox, place, first, setCommand('custom_fields.sold_for=12'), key);
  for (const { custom_fields: fields } of sandbox.control.items())
    expect(fields).toEqual({ sku: expect.any(String), shelf: 'A1', sold_for: '12' });
}

/** A worker updates the items by SKU, while a person sets a field of them. */
async function setBesideWorker(store: string): Promise<void> {
  const { sandbox, place } = await open(store);
  await using _ = sandbox;
  const lines = Array.from({ length: ITEMS }, (_item, index) => [`S${index}`, 'A1']);
  place.file('shelves.csv', csv(['custom_fields.sku', 'custom_fields.shelf'], lines));
  const words = ['--mode', 'update', '--match', 'custom_fields.sku'];
  const submitted = await place.run(['jobs', 'submit', 'import', 'shelves.csv', ...words]);
  expect(submitted.code, submitted.stderr).toBe(0);
  const key = sandbox.control.addKey().secret;
  const worker = ['worker', '--once', '--api-url', sandbox.url, '--store', store, '--max-concurrency', '1'];
  await inTurn(sandbox, place, worker, setCommand('custom_fields.sold_for=12'), key);
  for (const { custom_fields: fields } of sandbox.control.items())
    expect(fields).toEqual({ sku: expect.any(String), shelf: 'A1', sold_for: '12' });
}

describe('two processes that set different custom fields of the same items', () => {
  it.for([1, 2] as const)('both keep their field on SQLite, with %i key', (keys) =>
    setBoth('ledger.db', keys),
  );

  it('both keep their field if one is a worker', () => setBesideWorker('ledger.db'));

  describe.skipIf(POSTGRES.length === 0)('on PostgreSQL', () => {
    const server = usePostgres(POSTGRES.at(-1));

    it.for([1, 2] as const)('both keep their field, with %i key', async (keys) =>
      setBoth(await server.newDatabase(), keys),
    );

    it('both keep their field if one is a worker', async () => setBesideWorker(await server.newDatabase()));
  });
});
