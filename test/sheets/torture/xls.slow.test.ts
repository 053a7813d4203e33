import { inOneLine } from '../../../src/messages/message.ts';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SheetRow } from '../../../src/sheets/table.ts';
import { readFile } from '../support/files.ts';
import { convert, office, python, runPython } from './programs.ts';

let folder = '';
const made = (name: string) => join(folder, name);
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'torture-xls-'));
  await runPython('make-awkward.py', folder);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function shortened({ number, cells, problem }: SheetRow): unknown[] {
  const short = (amount: number) => Number(amount.toPrecision(14));
  const plain = cells.map((cell) => {
    if (typeof cell === 'number') return short(cell);
    const isMoney = typeof cell === 'object' && cell?.kind === 'money';
    return isMoney ? { ...cell, amount: short(cell.amount) } : cell;
  });
  return [number, problem, ...plain];
}

describe.skipIf(python === undefined || office === undefined)('an .xls from LibreOffice', () => {
  const names = ['awkward', 'awkward-1904'];
  beforeAll(async () => {
    const files = names.map((name) => made(`${name}.xlsx`));
    await convert(files, 'xls', made(''));
    // Saved again, because openpyxl writes no results of formulas.
    await convert(files, 'xlsx:Calc MS Excel 2007 XML', made('saved'));
  });

  it.each(names)('%s has the same cells as the .xlsx', async (name) => {
    for (const [sheet, rows] of [
      ['Toys & Bären', 3000],
      ['Offset', 2],
      ['Secret', 1],
    ] as const) {
      const old = await readFile(made(`${name}.xls`), { sheet });
      const expected = await readFile(made(`saved/${name}.xlsx`), { sheet });
      expect(old.rows).toHaveLength(rows);
      // LibreOffice writes 15 digits into an .xlsx, and the whole number into an .xls.
      expect(old.rows.map(shortened)).toEqual(expected.rows.map(shortened));
      expect(old.table.headers).toEqual(expected.table.headers);
      expect(old.table.letters).toEqual(expected.table.letters);
      expect(old.table.notes).toEqual(expected.table.notes);
      expect(inOneLine(old.table.detected)).toBe(inOneLine(expected.table.detected).replace('XLSX', 'XLS'));
    }
  });
});
