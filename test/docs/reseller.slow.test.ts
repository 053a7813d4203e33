/** The commands of docs/reseller.md run as printed, and do what a plain reading of their files says. */
import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Big } from 'big.js';
import { expect, test } from 'vitest';
import type { Item } from '../../src/api/schemas.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { newPlace } from '../cli/run-shelflift.ts';
import { parseCsv } from '../support/csv.ts';
import { root, stepsOf } from './steps.ts';

const read = (name: string) => readFileSync(join(root, 'samples/reseller', name), 'utf8');
const stock = parseCsv(read('stock.csv'));
const november = parseCsv(read('stock-november.csv'));
// Below a title: separated by semicolons, and without a quoted cell.
const orders = read('orders.csv')
  .trim()
  .split('\n')
  .slice(3)
  .map((line) => line.trim().split(';'))
  .map(([, , sku = '', price = '']) => ({ sku: sku.toUpperCase(), price }));

const skuOf = (item: Item): string => {
  const sku = item.custom_fields?.['sku'];
  return typeof sku === 'string' ? sku : '';
};

test('importing orders, prices and a stock list results in the items that the files describe', async () => {
  await using sandbox = await startSandbox({ seed: 7 });
  const place = newPlace({ SHELFLIFT_API_URL: sandbox.url, SHELFLIFT_API_KEY: sandbox.key });
  cpSync(join(root, 'samples'), join(place.folder, 'samples'), { recursive: true });
  const steps = stepsOf('reseller.md');
  const items = () => new Map(sandbox.control.items().map((item) => [item.id, item]));
  const ours = () => [...items().values()].filter((item) => skuOf(item) !== '');
  const bySku = () => new Map(ours().map((item) => [skuOf(item), item]));
  /** Runs the commands up to the next that contains the text, and that one. */
  const runTo = async (text: string) => {
    for (;;) {
      const step = steps.shift();
      if (step === undefined) throw new Error(`no command has ${text}`);
      const { code, stdout, stderr } = await place.shell(step.line);
      expect(code, `${step.line}\n${stdout}\n${stderr}`).toBe(step.exit);
      if (step.line.includes(text)) return stdout;
    }
  };

  await runTo('stock.csv');
  expect(ours()).toHaveLength(stock.length);

  // The first job, computed from the files alone.
  const had = bySku();
  const wanted = new Map(
    [...had].map(([sku, item]) => [sku, [item.status, item.custom_fields?.['sold_for']]]),
  );
  let sold = 0;
  for (const [sku, item] of had) {
    const prices = new Set(orders.filter((order) => order.sku === sku).map(({ price }) => price));
    const [price] = prices;
    if (prices.size !== 1 || price === undefined) continue;
    if (item.status !== 'sold' || item.custom_fields?.['sold_for'] !== price) sold += 1;
    wanted.set(sku, ['sold', price]);
  }
  expect(sold).toBe(300);
  const plan = await runTo('--dry-run');
  expect(plan).toContain('plan: update 300, unchanged 16, invalid 12');
  expect([...bySku()]).toEqual([...had]);
  const done = await runTo('--skip-invalid');
  expect(done).toMatch(/already up to date: .* \(row \d+\).* and 7 others/);
  expect([...bySku()].map(([sku, item]) => [sku, [item.status, item.custom_fields?.['sold_for']]])).toEqual([
    ...wanted,
  ]);

  // The second: exact decimals, halves up.
  const before = items();
  await runTo('--where status=sell --dry-run');
  await runTo('--where status=sell');
  let raised = 0;
  for (const [id, item] of items()) {
    const was = before.get(id);
    const isMeant =
      was?.brand === 'Corvane' && was.status === 'sell' && typeof was.estimated_value === 'number';
    const value = isMeant
      ? new Big(was.estimated_value ?? 0)
          .times('1.10')
          .div('0.5')
          .round(0, Big.roundHalfUp)
          .times('0.5')
          .toNumber()
      : was?.estimated_value;
    if (value !== was?.estimated_value) raised += 1;
    expect(item.estimated_value, item.name).toBe(value);
  }
  expect(raised).toBeGreaterThan(20);
  const raisedOnce = [...items()];
  await runTo('# exit 2');
  expect([...items()]).toEqual(raisedOnce);

  // The third: a set difference.
  const listed = new Set(november.map(({ SKU = '' }) => SKU));
  const gone = [...bySku()]
    .filter(([sku, { status }]) => status === 'sell' && !listed.has(sku))
    .map(([sku]) => sku);
  const added = [...listed].filter((sku) => !bySku().has(sku));
  expect([gone.length, added.length]).toEqual([6, 8]);
  expect(await runTo('--dry-run --plan')).toContain('plan: create 8, archive 6, unchanged 82');
  await runTo('--missing archive');
  const after = bySku();
  expect(
    [...after]
      .filter(([, { status }]) => status === 'archived')
      .map(([sku]) => sku)
      .sort(),
  ).toEqual(gone.sort());
  expect(added.map((sku) => after.get(sku)?.status)).toEqual(added.map(() => 'sell'));

  await runTo('jobs undo');
  expect(
    [...bySku()]
      .filter(([, { status }]) => status === 'archived')
      .map(([sku]) => sku)
      .sort(),
  ).toEqual(added.sort());
  const kept = [...items()];
  await runTo('part.csv --map');
  expect([...items()]).toEqual(kept);
  expect(steps).toEqual([]);
});
