/** The workbooks in LibreOffice and openpyxl: opened, calculated anew, and written again with their charts. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { createClient } from '../../src/api/client.ts';
import { openSqliteLedger } from '../../src/ledger/sqlite/sqlite-ledger.ts';
import { writeReportFile } from '../../src/reports/report.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { newPlace } from '../cli/run-shelflift.ts';
import { find, findPython, runProgram } from './programs.ts';

const soffice = find('soffice', 'libreoffice');
const python = findPython();
const NAMES = ['inventory', 'listings', 'sales'] as const;
/** Charts of each report below: two currencies by six properties, where there is more than one group; and so on. */
const CHARTS = { inventory: 8, listings: 5, sales: 1 };

/** LibreOffice keeps a file's cached results unless it is told to calculate on load. */
const ALWAYS_CALCULATE = `<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
<item oor:path="/org.openoffice.Office.Calc/Formula/Load"><prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>0</value></prop></item>
</oor:items>`;

/** Sheets with their charts, cells and results, as openpyxl sees them. */
const LOOK = `
import json, sys, openpyxl
formulas = openpyxl.load_workbook(sys.argv[1])
values = openpyxl.load_workbook(sys.argv[1], data_only=True)
print(json.dumps([{
  'name': sheet.title,
  'charts': len(sheet._charts),
  'titles': sheet.print_title_rows,
  'formulas': [cell.coordinate for row in sheet.iter_rows() for cell in row if cell.data_type == 'f'],
  'cells': {cell.coordinate: cell.value for row in values[sheet.title].iter_rows() for cell in row
            if isinstance(cell.value, (int, float, str))},
} for sheet in formulas]))`;

interface ValueFormat {
  name: string;
  charts: number;
  titles: string | null;
  formulas: string[];
  cells: Record<string, string | number>;
}

async function look(file: string): Promise<ValueFormat[]> {
  return JSON.parse(await runProgram(python ?? '', ['-c', LOOK, file])) as ValueFormat[];
}

async function writeReports(folder: string): Promise<void> {
  await using sandbox = await startSandbox({ seed: 7, seedItems: 300 });
  // A second currency, and amounts whose floats do not add up.
  sandbox.control.insertItems(
    Array.from({ length: 60 }, (_, index) => ({
      name: `Toy ${index}`,
      brand: `Brand ${index % 7}`,
      status: index % 2 === 0 ? ('sell' as const) : ('trade' as const),
      currency: 'kwd',
      estimated_value: index % 5 === 0 ? null : 0.1 + index / 1000,
    })),
  );
  await using client = createClient({ apiUrl: sandbox.url, key: sandbox.key });
  await using ledger = openSqliteLedger(join(folder, 'ledger.db'));
  for (const report of NAMES) {
    const request = {
      report,
      out: join(folder, `${report}.xlsx`),
      ...(report === 'sales' ? { currency: 'usd' } : {}),
    };
    for (const _ of [1, 2]) await writeReportFile(request, { client, values: ledger.values });
  }
}

async function convert(folder: string, names: readonly string[], to: string): Promise<void> {
  const profile = join(folder, 'office');
  mkdirSync(join(profile, 'user'), { recursive: true });
  writeFileSync(join(profile, 'user/registrymodifications.xcu'), ALWAYS_CALCULATE);
  await runProgram(soffice ?? '', [
    '--headless',
    '--norestore',
    `-env:UserInstallation=${pathToFileURL(profile).href}`,
    '--convert-to',
    to,
    '--outdir',
    join(folder, 'out'),
    ...names.map((name) => join(folder, name)),
  ]);
}

/** The same workbook with other results in its formulas' cells: who does not calculate will show them. */
function spoil(from: string, to: string): void {
  const parts = unzipSync(readFileSync(from));
  for (const [name, part] of Object.entries(parts)) {
    if (!name.startsWith('xl/worksheets/sheet')) continue;
    parts[name] = strToU8(strFromU8(part).replaceAll(/<\/f><v>[^<]*<\/v>/g, '</f><v>-1</v>'));
  }
  writeFileSync(to, zipSync(parts));
}

describe.skipIf(soffice === undefined || python === undefined)('in LibreOffice and openpyxl', () => {
  test('every formula gives the cached result after recalculation, and every chart is kept', async () => {
    const { folder } = newPlace();
    await writeReports(folder);
    for (const name of NAMES) spoil(join(folder, `${name}.xlsx`), join(folder, `${name}-spoilt.xlsx`));
    await convert(
      folder,
      NAMES.map((name) => `${name}-spoilt.xlsx`),
      'xlsx:Calc MS Excel 2007 XML',
    );
    for (const name of NAMES) {
      const ours = await look(join(folder, `${name}.xlsx`));
      const theirs = await look(join(folder, 'out', `${name}-spoilt.xlsx`));
      expect(ours.reduce((sum, sheet) => sum + sheet.charts, 0)).toBe(CHARTS[name]);
      expect(theirs.map((sheet) => [sheet.name, sheet.charts])).toEqual(
        ours.map((sheet) => [sheet.name, sheet.charts]),
      );
      let compared = 0;
      for (const [index, sheet] of ours.entries()) {
        if (sheet.name !== 'Summary') expect(sheet.titles).toMatch(/^\$\d+:\$\d+$/);
        for (const cell of sheet.formulas) {
          const [mine, other] = [sheet.cells[cell] ?? '', theirs[index]?.cells[cell] ?? ''];
          compared += 1;
          // Shares are shown to a tenth of a percent and cached to six digits; everything else is equal.
          if (typeof mine === 'number' && Math.abs(mine) < 1 && typeof other === 'number')
            expect(other, `${name} ${sheet.name} ${cell}`).toBeCloseTo(mine, 6);
          else expect(other, `${name} ${sheet.name} ${cell}`).toBe(mine);
        }
      }
      if (name !== 'sales') expect(compared).toBeGreaterThan(50);
    }
  });

  test('each workbook can be printed', async () => {
    const { folder } = newPlace();
    await writeReports(folder);
    await convert(
      folder,
      NAMES.map((name) => `${name}.xlsx`),
      'pdf',
    );
    expect(readdirSync(join(folder, 'out')).sort()).toEqual(NAMES.map((name) => `${name}.pdf`).sort());
    for (const name of NAMES)
      expect(
        readFileSync(join(folder, 'out', `${name}.pdf`))
          .subarray(0, 5)
          .toString(),
      ).toBe('%PDF-');
  });
});
