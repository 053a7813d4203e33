/** Two exports of 1,000,000 items, of which each hundredth has changed: how long `shelflift diff` takes, and in what memory. */
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ITEM_FIELDS } from '../../src/where/item-values.ts';
import { inTurn, markdown } from '../measure.ts';

export const name = 'diff';

const cli = resolve(import.meta.dirname, '../../src/cli/bin.ts');
const RUNS = 1;
const ITEMS = 1_000_000;

export async function run(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'shelflift-bench-'));
  try {
    const path = (file: string) => join(folder, file);
    await write(path('a.csv'), csvHead, (n) => csvLine(n, 10));
    await write(path('b.csv'), csvHead, (n) => csvLine(n, n % 100 === 0 ? 11 : 10));
    await write(path('b.ndjson'), '', (n) => jsonLine(n, n % 100 === 0 ? 11 : 10));
    const side = (label: string, b: string) => ({
      label,
      args: [cli, 'diff', path('a.csv'), path(b), '--json', '--quiet'],
    });
    const measured = await inTurn([side('CSV and CSV', 'b.csv'), side('CSV and NDJSON', 'b.ndjson')], RUNS);
    return markdown(`Two exports of ${ITEMS.toLocaleString('en-US')} items`, 'items', ITEMS, measured);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const fields = ITEM_FIELDS.map((field) => (field === 'custom_fields' ? 'custom_fields.shelf' : field));
const csvHead = `${fields.join(',')}\r\n`;
const idOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const COLLECTION = '11111111-1111-4111-8111-111111111111';
const AT = '2026-05-01T10:00:00.000Z';

function csvLine(n: number, value: number): string {
  return `item,${idOf(n)},Die-cast car ${n},Acme,Series ${n % 40},${1970 + (n % 50)},loose_good,opened,keep,red; metal,A${n % 90},${COLLECTION},${value}.5,usd,${AT},${AT}\r\n`;
}

function jsonLine(n: number, value: number): string {
  const item = {
    object: 'item',
    id: idOf(n),
    name: `Die-cast car ${n}`,
    brand: 'Acme',
    series: `Series ${n % 40}`,
    release_year: 1970 + (n % 50),
    condition: 'loose_good',
    packaging: 'opened',
    status: 'keep',
    tags: ['red', 'metal'],
    custom_fields: { shelf: `A${n % 90}` },
    collection_id: COLLECTION,
    estimated_value: value + 0.5,
    currency: 'usd',
    created_at: AT,
    updated_at: AT,
  };
  return `${JSON.stringify(item)}\n`;
}

async function write(file: string, head: string, line: (n: number) => string): Promise<void> {
  const pieces = function* () {
    yield head;
    for (let n = 0; n < ITEMS; n += 1000)
      yield Array.from({ length: 1000 }, (_, index) => line(n + index)).join('');
  };
  await pipeline(Readable.from(pieces()), createWriteStream(file));
}
