import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parse } from 'csv-parse/sync';
import { describe, expect, test } from 'vitest';
import { createClient } from '../../src/api/client.ts';
import { exportResource } from '../../src/export/export.ts';
import { Manifest } from '../../src/export/verify/manifest.ts';
import type { ExportEvent } from '../../src/export/read/source.ts';
import { openSqliteLedger } from '../../src/ledger/sqlite/sqlite-ledger.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts';
import { ended, newPlace, type Place, type Run } from '../cli/run-shelflift.ts';
import { setUp } from './support.ts';

const ITEMS = 12_000;

/** Starts an export and ends it by a signal once the server has answered so many pages. */
async function endAfter(
  pages: number,
  signal: NodeJS.Signals,
  place: Place,
  api: Sandbox,
  argv: string[],
): Promise<Run> {
  api.control.resetCounts();
  const child = place.start(argv);
  const run = ended(child);
  const gone = once(child, 'exit');
  while (api.control.counts().requests < pages) {
    if (child.exitCode !== null) throw new Error((await run).stderr);
    await setTimeout(5);
  }
  child.kill(signal);
  await gone;
  return run;
}

function ids(place: Place, file: string): string[] {
  const rows = parse<Record<string, string>>(readFileSync(join(place.folder, file)), { columns: true });
  return rows.map((row) => row['id'] ?? '').sort();
}

describe('an interrupted export', () => {
  test.each(['SIGKILL', 'SIGINT'] as const)('continues after %s, and is complete', async (signal) => {
    await using api = await startSandbox({ seed: 3, seedItems: ITEMS, latencyMs: 30 });
    const place = newPlace({ SHELFLIFT_API_URL: api.url, SHELFLIFT_API_KEY: api.key });
    const argv = ['export', 'items', '--out', 'items.csv', '--max-concurrency', '6'];
    const first = await endAfter(110, signal, place, api, argv);
    const files = () => readdirSync(place.folder).filter((name) => name.includes('items.csv'));
    // A kill leaves what was begun under a hidden name; the next run takes it away.
    expect(files().filter((name) => !/^\.items\.csv\..+\.tmp$/.test(name))).toEqual([]);
    if (signal === 'SIGINT') {
      expect(files()).toEqual([]);
      expect(first.code).toBe(130);
      expect(first.stderr).toMatch(
        /rows that were read are kept for 24 hours\. To continue from there:\n {2}shelflift export items --out items\.csv --max-concurrency 6/,
      );
    }
    // What comes and changes meanwhile is in the file too: the newest items, and each in one version.
    const added = api.control.insertItems(
      Array.from({ length: 250 }, (_, number) => ({ name: `New ${number}` })),
    );
    api.control.resetCounts();
    const run = await place.run([...argv, '--json']);
    expect(run.code, run.stderr).toBe(0);
    expect(run.stderr).toContain('continuing the export');
    expect(JSON.parse(run.stdout)).toMatchObject({ rows: ITEMS + 250, consistency: 'stable', passes: 1 });
    expect(files().sort()).toEqual(['items.csv', 'items.csv.manifest.json']);
    expect(ids(place, 'items.csv')).toEqual(
      api.control
        .items()
        .map(({ id }) => id)
        .sort(),
    );
    expect(ids(place, 'items.csv')).toEqual(expect.arrayContaining([...added].sort()));
    // Many of 120 pages were there already: up to 32 wait for an earlier one when the kill comes.
    expect(api.control.counts().requests).toBeLessThan(100);
    const manifest = Manifest.parse(
      JSON.parse(readFileSync(join(place.folder, 'items.csv.manifest.json'), 'utf8')),
    );
    expect(manifest.resumed?.rows).toBeGreaterThan(2000);
    expect(Date.parse(manifest.startedAt)).toBeLessThan(Date.parse(manifest.resumed?.at ?? ''));
    expect(manifest.seen).toMatchObject({
      countBefore: ITEMS,
      countAfter: ITEMS + 250,
      createdMeanwhile: 250,
    });
    const ledger = openSqliteLedger(join(place.folder, '.state/shelflift/ledger.db'));
    expect(await ledger.values.spaces('export-pages:')).toEqual([]);
    await ledger.close();
  });

  test('resumes with the same filters, and starts again with other filters, with --fresh or as another team', async () => {
    const { sandbox, client, path } = await setUp({ seed: 3, seedItems: 5600 });
    await using ledger = openSqliteLedger(':memory:');
    const stop = async (status: string, using = client) => {
      const signal = new AbortController();
      const deps = { client: using, values: ledger.values, signal: signal.signal };
      const onEvent = (event: ExportEvent) => event.type === 'read' && event.seen > 5200 && signal.abort();
      await expect(
        exportResource({ resource: 'items', out: path('a.csv'), status }, { ...deps, onEvent }),
      ).rejects.toMatchObject({ code: 'aborted' });
    };
    const goesOn = async (status: string, fresh: boolean, using = client) => {
      const events: ExportEvent[] = [];
      const onEvent = (event: ExportEvent) => events.push(event);
      const request = { resource: 'items' as const, out: path('a.csv'), status, fresh };
      const summary = await exportResource(request, { client: using, values: ledger.values, onEvent });
      expect(summary.consistency).toBe('stable');
      expect(ids({ folder: path('') } as Place, 'a.csv')).toHaveLength(summary.rows);
      return events.some(({ type }) => type === 'resumed') ? summary.rows : undefined;
    };
    const sold = sandbox.control.items().filter(({ status }) => status === 'sold').length;
    await stop('sold');
    expect(await goesOn('sell', false)).toBeUndefined();
    expect(await goesOn('sold', false)).toBe(sold);
    expect(await goesOn('sold', false)).toBeUndefined();
    await stop('sold');
    expect(await goesOn('sold', true)).toBeUndefined();

    await stop('sold');
    const otherKey = sandbox.control.addKey();
    await using sameTeam = createClient({ apiUrl: sandbox.url, key: otherKey.secret });
    expect(await goesOn('sold', false, sameTeam)).toBe(sold);
    await stop('sold');
    const team = sandbox.control.addTeam();
    await using other = createClient({
      apiUrl: sandbox.url,
      key: sandbox.control.addKey(undefined, team.id).secret,
    });
    expect(await goesOn('sold', false, other)).toBeUndefined();
  });

  test('is read again if items were removed meanwhile', async () => {
    const { sandbox, client, path } = await setUp({ seed: 3, seedItems: 5600 });
    await using ledger = openSqliteLedger(':memory:');
    const signal = new AbortController();
    const request = { resource: 'items' as const, out: path('a.csv') };
    await expect(
      exportResource(request, {
        client,
        values: ledger.values,
        signal: signal.signal,
        onEvent: (event) => event.type === 'read' && event.seen > 5200 && signal.abort(),
      }),
    ).rejects.toMatchObject({ code: 'aborted' });
    for (const { id } of sandbox.control.items().slice(0, 3)) sandbox.control.removeItem(id);
    const summary = await exportResource(request, { client, values: ledger.values });
    expect(summary).toMatchObject({ rows: 5597, consistency: 'stable', passes: 2 });
    expect(await ledger.values.spaces('export-pages:')).toEqual([]);
  });
});
