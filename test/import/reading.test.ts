/** What a write may rely on: how old the reading of an item is, whether it shows the whole item, and which intents. */
import { beforeEach, expect, it } from 'vitest';
import { momentOf } from '../../src/base/clock.ts';
import { NO_INTENTS, Readings } from '../../src/import/engine/reading.ts';
import type { Intents } from '../../src/ledger/ledger.ts';

const WHOLE = { id: 'A1', tags: [], custom_fields: {} };
const INTENTS: Intents = { committed: 7, open: new Map() };

let ms: number;
const clock = { now: () => ms, monotonic: () => ms, slept: () => 0 } as ConstructorParameters<
  typeof Readings
>[0]['clock'];
let readings: Readings;

beforeEach(() => {
  ms = 5000;
  const intents = (target: string) => Promise.resolve(target === 'here' ? INTENTS : NO_INTENTS);
  readings = new Readings({ clock, ledger: { items: { intents } }, client: { target: 'here' } });
});

const read = (item: Parameters<Readings['note']>[0], more: { intents?: Intents; isListed?: true } = {}) =>
  readings.note(item, { at: momentOf(clock), intents: INTENTS, ...more });

it('intents are those of the client’s target', async () => {
  expect(await readings.intents()).toBe(INTENTS);
});

it('an item has the age of its last reading, however its id is written, until it is forgotten', () => {
  expect(readings.ageOf('a1')).toBe(Number.POSITIVE_INFINITY);
  read(WHOLE);
  ms += 30;
  expect([readings.ageOf('a1'), readings.ageOf('A1')]).toEqual([30, 30]);
  read({ ...WHOLE, id: 'a1' });
  expect(readings.ageOf('A1')).toBe(0);
  readings.forget('A1');
  expect(readings.ageOf('a1')).toBe(Number.POSITIVE_INFINITY);
});

it('only a whole item, read by itself, is a basis for values that are sent whole', () => {
  expect(readings.isBasis('A1')).toBe(false);
  read(WHOLE);
  expect(readings.isBasis('a1')).toBe(true);
  read(WHOLE, { isListed: true });
  expect(readings.isBasis('A1')).toBe(false);
  read({ id: 'A1', tags: [] });
  expect(readings.isBasis('A1')).toBe(false);
  read({ id: 'A1', custom_fields: {} });
  expect(readings.isBasis('A1')).toBe(false);
});

it('a reading accounts for all committed intents, or those before the item’s open one', () => {
  expect([readings.accountedOf('A1'), readings.accounted]).toEqual([0, Number.POSITIVE_INFINITY]);
  read(WHOLE);
  expect([readings.accountedOf('a1'), readings.accounted]).toEqual([7, 7]);
  read({ ...WHOLE, id: 'B2' }, { intents: { committed: 9, open: new Map([['b2', 4]]) } });
  expect([readings.accountedOf('B2'), readings.accountedOf('A1'), readings.accounted]).toEqual([3, 7, 3]);
});

it.each([
  { tookMs: 1, holdMs: 600_000 },
  { tookMs: 60_000, holdMs: 1_200_000 },
])('a look-up of keys that took $tookMs ms is old after $holdMs ms', ({ tookMs, holdMs }) => {
  expect([readings.areKeysOld(), readings.ageOfKeys()]).toEqual([false, Number.POSITIVE_INFINITY]);
  readings.keys = { at: momentOf(clock), tookMs, committed: 7, isSettled: true };
  ms += holdMs - 1;
  expect([readings.areKeysOld(), readings.ageOfKeys()]).toEqual([false, holdMs - 1]);
  ms += 1;
  expect(readings.areKeysOld()).toBe(true);
});
