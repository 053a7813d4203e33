import { createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { newPlace, ended } from '../cli/run-shelflift.ts';

/** Tells what the program itself took: this process, which holds the sandbox, is larger. */
const reporter = new URL('../../bench/report-memory.mjs', import.meta.url).href;
const ROWS = 1_000_000;
const BATCH = 5000;
const MAX_MB = 300;

it('a dry run of a million rows takes less than 300 MB', async () => {
  await using sandbox = await startSandbox();
  const place = newPlace({
    SHELFLIFT_API_URL: sandbox.url,
    SHELFLIFT_API_KEY: sandbox.key,
    SHELFLIFT_STORE: 'l.db',
  });
  const out = createWriteStream(`${place.folder}/million.csv`);
  out.write('name,brand,series,year,condition,packaging,status,tags,value,sku,notes,shelf\n');
  for (let first = 0; first < ROWS; first += BATCH) {
    let text = '';
    for (let row = first; row < first + BATCH; row += 1) {
      text += `Toy number ${row},Halloway Plastics,Deep Twelve,${1970 + (row % 50)},loose_good,opened,keep,red;blue,${row % 1000}.50,AF-${row},some notes about this toy that go on a bit,${row % 40}\n`;
    }
    if (!out.write(text)) await once(out, 'drain');
  }
  out.end();
  await once(out, 'close');

  const startedAt = performance.now();
  const argv = ['import', 'million.csv', '--collection', 'Main', '--dry-run', '--json', '--quiet'];
  const { code, stdout, stderr } = await ended(place.start(argv, { NODE_OPTIONS: `--import=${reporter}` }));
  const seconds = (performance.now() - startedAt) / 1000;
  expect(code, stderr).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ plan: { create: ROWS } });
  const peak = Number(/peak-mb=(\d+)/.exec(stderr)?.[1]);
  process.stderr.write(`dry run of ${ROWS} rows: ${seconds.toFixed(1)} s, ${peak.toFixed(0)} MB\n`);
  expect(peak).toBeLessThan(MAX_MB);
});
