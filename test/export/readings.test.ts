/** What the store keeps of the inventory: whole or not at all, whose it is, and for how long. */
import { onTestFinished, expect, test } from 'vitest';
import {
  EVERYTHING,
  isNearTurn,
  markReported,
  nearestTo,
  pruneReadings,
  type ReadItem,
  type Reading,
  type ReadingOwner,
  Readings,
} from '../../src/export/keep/readings.ts';
import type { KeyValues } from '../../src/ledger/key-values.ts';
import { openSqliteLedger } from '../../src/ledger/sqlite/sqlite-ledger.ts';
import { compare } from '../../src/reports/roll-forward.ts';

const MAIN = '11111111-1111-4111-8111-111111111111';
const ownerBy = (laneId: string, collections: string[] | null): ReadingOwner => ({
  target: 'https://api.example',
  selection: EVERYTHING,
  team: { laneId, collections },
});
const OWNER = ownerBy('one', [MAIN]);
const DAY = 86_400_000;

function openValues(): KeyValues {
  const ledger = openSqliteLedger(':memory:');
  onTestFinished(() => ledger.close());
  return ledger.values;
}

function itemOf(id: string, value: number | null = 1): ReadItem {
  return [id, `Toy\n"${id}"`, 'keep', 'usd', value, MAIN];
}

function readingOf(at: string, items: readonly ReadItem[], team = OWNER.team): Reading {
  const groups = [
    { currency: 'usd', collection: MAIN, status: 'keep', items: items.length, known: 0, sum: '0' },
  ];
  const pieces = async function* () {
    for (let from = 0; from < items.length; from += 2000) yield items.slice(from, from + 2000);
  };
  return { startedAt: at, at, items: items.length, groups, team, pieces };
}

async function itemsOf(reading: Reading | undefined): Promise<string[] | undefined> {
  if (reading?.pieces === undefined) return undefined;
  return (await Array.fromAsync(reading.pieces())).flat().map(([id]) => id);
}

const stateOf = async (values: KeyValues, owner = OWNER) =>
  (await (await Readings.open(values, owner)).all()).map(({ at, pieces }) => [
    at.slice(0, 10),
    pieces !== undefined,
  ]);

const keep = async (values: KeyValues, day: string, reported = true, owner = OWNER) =>
  (await Readings.open(values, owner)).keep(
    readingOf(`${day}T06:00:00.000Z`, [itemOf(day)], owner.team),
    reported,
  );

test('a stored reading is read back unchanged, even in several pieces', async () => {
  const values = openValues();
  const many = Array.from({ length: 4500 }, (_, index) => itemOf(`id-${index}`, index / 100));
  const readings = await Readings.open(values, OWNER);
  await readings.keep(readingOf('2026-06-10T06:00:00.000Z', many), true);
  const last = await readings.lastReported();
  expect(last).toMatchObject({ at: '2026-06-10T06:00:00.000Z', items: 4500 });
  expect((await Array.fromAsync(last?.pieces?.() ?? [])).flat()).toEqual(many);
});

test('prune keeps the figures of every reading, but its items only for the last report and around the end of a month', async () => {
  const values = openValues();
  for (const day of ['2026-06-10', '2026-06-20', '2026-06-30', '2026-07-02', '2026-07-10', '2026-07-15'])
    await keep(values, day, day !== '2026-07-15');
  expect(await stateOf(values)).toEqual([
    ['2026-06-10', false],
    ['2026-06-20', false],
    ['2026-06-30', true],
    ['2026-07-02', true],
    ['2026-07-10', true],
    ['2026-07-15', true],
  ]);
  // The next report is compared with the last report, not with what an export has read since.
  expect(await itemsOf(await (await Readings.open(values, OWNER)).lastReported())).toEqual(['2026-07-10']);
});

test('of reports that nobody has received, only the newest keep their items, and the last one received is the last report', async () => {
  const values = openValues();
  await keep(values, '2026-06-05');
  const places = [];
  for (let day = 8; day < 20; day += 1)
    places.push(await keep(values, `2026-06-${String(day).padStart(2, '0')}`, false));
  const withItems = async () => (await stateOf(values)).flatMap(([at, has]) => (has === true ? [at] : []));
  expect(await withItems()).toEqual(['2026-06-05', ...places.slice(2).map(({ key }) => key.slice(3, 13))]);
  const last = async () => itemsOf(await (await Readings.open(values, OWNER)).lastReported());
  expect(await last()).toEqual(['2026-06-05']);
  for (const index of [5, 3, 0]) await markReported(values, places[index] ?? { space: '', key: '' });
  expect(await last()).toEqual(['2026-06-13']);
  expect(await withItems()).toEqual(places.slice(5).map(({ key }) => key.slice(3, 13)));
});

test('the reading that closed a month keeps its items', async () => {
  const values = openValues();
  await keep(values, '2026-06-15');
  const readings = await Readings.open(values, OWNER);
  const end = Date.UTC(2026, 5, 15);
  await readings.setEndOfMonth(end, '2026-06-15T06:00:00.000Z');
  await keep(values, '2026-06-16');
  expect(await itemsOf(await readings.endOfMonth(end))).toEqual(['2026-06-15']);
  expect(await readings.endOfMonth(end + DAY)).toBeUndefined();
});

test('the other readings survive a kill while a reading is written, and prune removes the incomplete one', async () => {
  const values = openValues();
  await keep(values, '2026-06-15');
  const dying = new Proxy(values, {
    get: (target, name) =>
      name === 'put'
        ? async (space: string, entries: { key: string; value: string }[]) => {
            if (entries.some(({ key }) => key.startsWith('at/'))) throw new Error('killed');
            await target.put(space, entries);
          }
        : (target[name as keyof KeyValues] as (...given: never[]) => unknown).bind(target),
  });
  await expect(keep(dying, '2026-06-16')).rejects.toThrow('killed');
  expect(await stateOf(values)).toEqual([['2026-06-15', true]]);
  const [space = ''] = await values.spaces('readings:');
  expect(await values.list(space, { prefix: 'rows/', limit: 9 })).toHaveLength(2);
  await pruneReadings(values, Date.now() + DAY, false);
  expect(await values.list(space, { prefix: 'rows/', limit: 9 })).toHaveLength(1);
  expect(await itemsOf(await (await Readings.open(values, OWNER)).lastReported())).toEqual(['2026-06-15']);
});

test('a reading with missing items is not used for a comparison', async () => {
  const values = openValues();
  const readings = await Readings.open(values, OWNER);
  const many = Array.from({ length: 2500 }, (_, index) => itemOf(`id-${index}`));
  await readings.keep(readingOf('2026-06-15T06:00:00.000Z', many), true);
  const last = await readings.lastReported();
  const [space = ''] = await values.spaces('readings:');
  const [piece] = await values.list(space, { prefix: 'rows/', limit: 1 });
  await values.remove(space, [piece?.key ?? '']);
  expect(last && (await compare(last, []))).toBeUndefined();
});

test('prune forgets old readings, but never the last one of a selection', async () => {
  const values = openValues();
  const other = { ...OWNER, selection: 'keep' };
  for (const day of ['2026-01-10', '2026-01-31', '2026-06-15']) await keep(values, day);
  await keep(values, '2026-01-10', true, other);
  expect(await pruneReadings(values, Date.UTC(2026, 5, 1), true)).toBe(2);
  expect(await stateOf(values)).toHaveLength(3);
  expect(await pruneReadings(values, Date.UTC(2026, 5, 1), false)).toBe(2);
  expect(await stateOf(values)).toEqual([['2026-06-15', true]]);
  expect(await stateOf(values, other)).toEqual([['2026-01-10', true]]);
});

test('prune never forgets the reading of the last report that somebody has received', async () => {
  const values = openValues();
  await keep(values, '2026-01-10');
  await keep(values, '2026-01-20');
  for (const day of ['2026-02-15', '2026-03-15', '2026-06-15']) await keep(values, day, false);
  expect(await pruneReadings(values, Date.UTC(2026, 6, 1), false)).toBe(3);
  expect(await itemsOf(await (await Readings.open(values, OWNER)).lastReported())).toEqual(['2026-01-20']);
  expect((await stateOf(values)).map(([day]) => day)).toEqual(['2026-01-20', '2026-06-15']);
});

test('readings of another address, selection or team are never used', async () => {
  const values = openValues();
  await keep(values, '2026-06-15');
  const otherTeam = ownerBy('two', ['99999999-9999-4999-8999-999999999999']);
  const others = [
    { ...OWNER, target: 'https://other.example' },
    { ...OWNER, selection: 'keep' },
    otherTeam,
    ownerBy('three', null),
  ];
  for (const owner of others) expect(await stateOf(values, owner)).toEqual([]);
  await keep(values, '2026-06-16', true, otherTeam);
  expect(await stateOf(values)).toEqual([['2026-06-15', true]]);
  expect(await stateOf(values, otherTeam)).toEqual([['2026-06-16', true]]);
  // A collection more is still the same team.
  const grown = ownerBy('four', ['77777777-7777-4777-8777-777777777777', MAIN]);
  expect(await stateOf(values, grown)).toEqual([['2026-06-15', true]]);
  // A key that may not read collections has the readings that it made.
  await keep(values, '2026-06-17', true, ownerBy('three', null));
  expect(await stateOf(values, ownerBy('three', ['88888888-8888-4888-8888-888888888888']))).toEqual([
    ['2026-06-17', true],
  ]);
  expect(await stateOf(values, ownerBy('five', null))).toEqual([]);
});

test('the reading nearest to a time is the one in progress then, or else the closest within a day', () => {
  const at = (from: number, to = from) => ({
    startedAt: new Date(from).toISOString(),
    at: new Date(to).toISOString(),
  });
  const nearest = (readings: ReturnType<typeof at>[], instant: number) =>
    nearestTo(readings, instant, (each) => each);
  const T = Date.UTC(2026, 6, 1);
  const [before, during, after] = [at(T - 3000), at(T - 60_000, T + 60_000), at(T + 5000)];
  expect(nearest([before, during, after], T)).toBe(during);
  expect(nearest([before, after], T)).toBe(before);
  expect(nearest([at(T - DAY - 1), at(T + DAY + 1)], T)).toBeUndefined();
  expect([T - 38 * 3_600_000, T + 38 * 3_600_000].map(isNearTurn)).toEqual([true, true]);
  expect([T - 39 * 3_600_000, T + 15 * DAY].map(isNearTurn)).toEqual([false, false]);
});
