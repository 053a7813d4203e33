import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import * as fc from '../support/fast-check.ts';
import { expect, onTestFinished, test } from 'vitest';
import type { Report } from '../../src/reports/model.ts';
import { writeCsv } from '../../src/reports/write-csv.ts';
import { anyItem, inventoryReport, itemOf } from './support.ts';

async function linesOf(report: Report): Promise<Record<string, string>[]> {
  const folder = mkdtempSync(join(tmpdir(), 'shelflift-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  await writeCsv(report, join(folder, 'report.csv'));
  return parse(readFileSync(join(folder, 'report.csv')), { columns: true });
}

test('a report as CSV has one figure per row, totals in a separate section, and blanks for unknown values', async () => {
  const items = [
    itemOf({ brand: 'total', estimated_value: 0.1 }),
    itemOf({ brand: 'total', estimated_value: 0.2 }),
    itemOf({ brand: null, estimated_value: null }),
  ];
  const lines = await linesOf(inventoryReport(items));
  expect(Object.keys(lines[0] ?? {})).toEqual(['section', 'key', 'currency', 'measure', 'value']);
  const value = (section: string, key: string, measure: string) =>
    lines.find((line) => line['section'] === section && line['key'] === key && line['measure'] === measure)?.[
      'value'
    ];
  expect(value('by_brand', 'total', 'value')).toBe('0.30');
  expect(value('by_brand', '', 'value')).toBe('');
  expect(value('by_brand', '', 'items_without_value')).toBe('1');
  expect(value('by_brand_total', '', 'items')).toBe('3');
  expect(value('by_brand_total', '', 'value')).toBe('0.30');
});

test('section, key, currency and measure identify a row of a report', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyItem, { maxLength: 25 }), async (items) => {
      const lines = (await linesOf(inventoryReport(items))).filter((line) => line['section'] !== 'report');
      const names = lines.map((line) =>
        JSON.stringify([line['section'], line['key'], line['currency'], line['measure']]),
      );
      expect(new Set(names).size).toBe(names.length);
    }),
    { numRuns: 20 },
  );
});

test('a report escapes text that a spreadsheet would run, but not negative figures', async () => {
  const lines = await linesOf(inventoryReport([itemOf({ brand: '=1+1', estimated_value: -5 })]));
  expect(lines.find((line) => line['section'] === 'by_brand')).toMatchObject({ key: "'=1+1" });
  expect(lines.find((line) => line['section'] === 'by_brand' && line['measure'] === 'value')).toMatchObject({
    value: '-5.00',
  });
});
