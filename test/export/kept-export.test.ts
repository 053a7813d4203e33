import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { exportResource } from '../../src/export/export.ts';
import { KeptExport, sweepKept } from '../../src/export/keep/kept-export.ts';
import type { ExportEvent } from '../../src/export/read/source.ts';
import { thisProcess } from '../../src/ledger/process-identity.ts';
import type { KeyValues } from '../../src/ledger/key-values.ts';
import { openSqliteLedger } from '../../src/ledger/sqlite/sqlite-ledger.ts';
import { type Setup, setUp } from './support.ts';

const HOUR = 3_600_000;
/** A process of another container on the same kernel. */
const ELSEWHERE = { host: 'another-host', pid: 1, started: '1', machine: 'boot pid:[1]' };

/** Exports, so much later; with `stop` it is interrupted, and its pages stay. @returns whether it went on */
async function run({ client, path }: Setup, values: KeyValues, later: number, stop = false) {
  const signal = new AbortController();
  const events: ExportEvent[] = [];
  const exported = exportResource(
    { resource: 'items', out: path('a.csv') },
    {
      client,
      values,
      signal: signal.signal,
      clock: { ...systemClock, now: () => Date.now() + later },
      onEvent: (event) => {
        events.push(event);
        if (stop && event.type === 'read' && event.seen >= 200) signal.abort();
      },
    },
  );
  if (stop) await expect(exported).rejects.toMatchObject({ code: 'aborted' });
  else expect(await exported).toMatchObject({ rows: 250, consistency: 'stable' });
  return events.some(({ type }) => type === 'resumed');
}

async function heldBy(values: KeyValues, holder: object): Promise<void> {
  const [space = ''] = await values.spaces('export-pages:');
  await values.put(space, [{ key: 'holder', value: JSON.stringify(holder) }]);
}

test('pages that a process on another host has kept are taken over after an hour of silence', async () => {
  const setup = await setUp({ seed: 3, seedItems: 250 });
  await using ledger = openSqliteLedger(':memory:');
  const { values } = ledger;
  await run(setup, values, 0, true);
  await heldBy(values, ELSEWHERE);
  expect(await run(setup, values, HOUR / 2)).toBe(false);
  expect(await values.spaces('export-pages:')).toHaveLength(1);
  expect(await run(setup, values, 2 * HOUR)).toBe(true);
  expect(await values.spaces('export-pages:')).toEqual([]);
});

test('pages that were kept before a reboot, or by a recreated container with another host name, are taken over', async () => {
  const setup = await setUp({ seed: 3, seedItems: 250 });
  await using ledger = openSqliteLedger(':memory:');
  const { values } = ledger;
  const { machine } = thisProcess();
  for (const holder of [
    ...(machine === undefined ? [] : [{ ...ELSEWHERE, pid: 999_999_999, machine }]),
    { ...ELSEWHERE, host: hostname() },
  ]) {
    await run(setup, values, 0, true);
    await heldBy(values, holder);
    expect(await run(setup, values, 0)).toBe(true);
  }
});

test('kept pages are removed after a day, even pages of another host', async () => {
  const setup = await setUp({ seed: 3, seedItems: 250 });
  await using ledger = openSqliteLedger(':memory:');
  const { values } = ledger;
  await run(setup, values, 0, true);
  await heldBy(values, ELSEWHERE);
  await sweepKept(values, Date.now() + 23 * HOUR);
  expect(await values.spaces('export-pages:')).toHaveLength(1);
  await sweepKept(values, Date.now() + 25 * HOUR);
  expect(await values.spaces('export-pages:')).toEqual([]);
});

test('kept pages expire a day after the first page, however often the export was resumed', async () => {
  const setup = await setUp({ seed: 3, seedItems: 250 });
  await using ledger = openSqliteLedger(':memory:');
  const { values } = ledger;
  await run(setup, values, -20 * HOUR, true);
  expect(await run(setup, values, -2 * HOUR, true)).toBe(true);
  expect(await run(setup, values, 5 * HOUR)).toBe(false);
});

test('a process whose kept export was taken over no longer changes the export', async () => {
  await using ledger = openSqliteLedger(':memory:');
  const { values } = ledger;
  const first = await KeptExport.take(values, 'name', Date.now());
  await first?.put([Buffer.from('one')]);
  await heldBy(values, ELSEWHERE);
  await using second = await KeptExport.take(values, 'name', Date.now() + 2 * HOUR);
  await second?.put([Buffer.from('two')]);
  await expect(first?.put([Buffer.from('three')])).rejects.toMatchObject({ code: 'export_taken_over' });
  await first?.done();
  await first?.[Symbol.asyncDispose]();
  expect(await Array.fromAsync(second?.all() ?? [])).toEqual(['two']);
});

test('an export starts looking for the end of the list where the previous export found it', async () => {
  const { sandbox, client, path } = await setUp({ seed: 3, seedItems: 950 });
  await using ledger = openSqliteLedger(':memory:');
  const requests = async () => {
    sandbox.control.resetCounts();
    const request = { resource: 'items' as const, out: path('a.csv') };
    expect(await exportResource(request, { client, values: ledger.values })).toMatchObject({ rows: 950 });
    return sandbox.control.counts().requests;
  };
  const first = await requests();
  expect(await requests()).toBeLessThan(first - 2);
});
