/** The wrong cells are marked in the person's own workbook; it comes back, and its job goes on. */
import { readFile } from 'node:fs/promises';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { expect, it } from 'vitest';
import { markedWorkbook } from '../../src/import/correction/marked-workbook.ts';
import { markWorkbook } from '../../src/sheets/xlsx/mark-workbook.ts';
import { english } from '../../src/messages/message.ts';
import { makeBook, MAIN } from '../sheets/support/make-book.ts';
import { undoJob } from '../../src/import/run.ts';
import { openSqliteLedger } from '../../src/ledger/sqlite/sqlite-ledger.ts';
import { openImport, type OpenImport, QUIET_MS } from '../support/open-import.ts';

type Value = string | number;

function cell(column: string, row: number, value: Value, style = 0): string {
  return typeof value === 'number'
    ? `<c r="${column}${row}" s="${style}"><v>${value}</v></c>`
    : `<c r="${column}${row}" s="${style}" t="str"><v>${value}</v></c>`;
}

const rowXml = (number: number, values: readonly Value[]) =>
  `<row r="${number}" ht="30">${values.map((value, index) => (value === '' ? '' : cell('ABC'[index] ?? '', number, value, index))).join('')}</row>`;

const STYLES = `<styleSheet xmlns="${MAIN}"><fonts count="1"><font/></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellXfs count="3"><xf numFmtId="0" fillId="0"/><xf numFmtId="2" fillId="0"><alignment horizontal="right"/></xf><xf numFmtId="0" fontId="0"/></cellXfs></styleSheet>`;
/** Whatever we do not know has to stay. */
const TAIL = `</sheetData><mergeCells count="1"><mergeCell ref="E1:F1"/></mergeCells><conditionalFormatting sqref="C2"><cfRule type="expression" priority="1"><formula>1</formula><extLst><ext uri="x"/></extLst></cfRule></conditionalFormatting><pageMargins left="1" right="1" top="1" bottom="1" header="0" footer="0"/><drawing r:id="rId9" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"/><extLst><ext uri="y"/></extLst>`;

function bookOf(rows: readonly (readonly Value[])[]): Buffer {
  const body = rows.map((values, index) => rowXml(index + 1, values)).join('');
  return makeBook({
    sheets: [
      `<cols><col min="1" max="1" width="42" customWidth="1"/></cols><sheetData>${body}${TAIL}`,
      '<sheetData><row r="1"><c r="A1"><f>SUM(Sheet1!B2:B4)</f><v>3</v></c></row></sheetData>',
    ],
    styles: STYLES,
    extra: { 'xl/drawings/drawing1.xml': '<a chart/>', 'xl/media/image1.png': new Uint8Array([1, 2, 3]) },
  });
}

const ROWS = [
  ['name', 'estimated_value', 'release_year'],
  ['Robot', '1,50', 1985],
  ['', '2,50', 1990],
  ['Bear', 'much', 'soon'],
  ['Car', '4,25', 1999],
];

const parts = (book: Uint8Array) => unzipSync(book);
const text = (book: Uint8Array, part: string) => strFromU8(parts(book)[part] ?? new Uint8Array());

/** What a person does in a spreadsheet program: other cells in the first sheet. */
function edited(book: Uint8Array, change: (xml: string) => string): Uint8Array {
  const name = 'xl/worksheets/sheet1.xml';
  return zipSync({ ...parts(book), [name]: strToU8(change(text(book, name))) });
}

const replaced = (row: number, values: readonly Value[]) => (xml: string) =>
  xml.replace(new RegExp(`<row r="${row}".*?</row>`, 's'), rowXml(row, values));

async function open(): Promise<{
  at: OpenImport;
  job: string;
  marked: Uint8Array;
  back: (book: Uint8Array) => Promise<string>;
}> {
  const at = await openImport();
  const file = await at.file('toys.xlsx', bookOf(ROWS));
  const { summary } = await at.import({ file });
  expect(summary).toMatchObject({ state: 'planned', rows: { invalid: 2, pending: 2 } });
  const job = await at.ledger.jobs.find(summary.job);
  const marked = await markedWorkbook(job, at.ledger, ({ said, message }) =>
    said ? english(said) : message,
  );
  return { at, job: job.id, marked, back: (book) => at.file('back.xlsx', book) };
}

const created = (at: OpenImport) =>
  at
    .items()
    .map(({ name, estimated_value: value, release_year: year }) => [name, value, year])
    .sort(([a], [b]) => String(a).localeCompare(String(b)));

it('invalid cells get a colour and a note, and everything else in the workbook stays the same', async () => {
  const { at, marked } = await open();
  await using _ = at;
  const original = await readFile(`${at.folder}/toys.xlsx`);
  for (const part of ['xl/worksheets/sheet2.xml', 'xl/drawings/drawing1.xml', 'xl/media/image1.png'])
    expect(parts(marked)[part], part).toEqual(parts(original)[part]);
  const sheet = text(marked, 'xl/worksheets/sheet1.xml');
  const withoutMarks = sheet
    .replace(/<legacyDrawing[^>]*>/, '')
    .replace('<c r="A3" s="3"/>', '')
    .replace('<c r="B4" s="4"', '<c r="B4" s="1"')
    .replace('<c r="C4" s="5"', '<c r="C4" s="2"');
  expect(withoutMarks).toBe(text(original, 'xl/worksheets/sheet1.xml'));
  // In its place, and not in the rule's own list of extensions.
  expect(sheet).toMatch(/<drawing [^>]*><legacyDrawing [^>]*><extLst>/);
  const styles = text(marked, 'xl/styles.xml');
  expect(styles).toContain('<xf numFmtId="2" fillId="2" applyFill="1"><alignment horizontal="right"/></xf>');
  expect(styles).toMatch(/<fills count="3">.*<cellXfs count="6">/);
  const notes = text(marked, 'xl/shelfliftNotes1.xml');
  expect(notes).toMatch(/ref="A3".*ref="C4".*soon.*ref="B4".*much/s);
});

it('a cell with a note keeps its note, and the reason is added at its end', async () => {
  const { at, marked, back } = await open();
  await using _ = at;
  const notes = [
    { row: 4, column: 1, text: 'again' },
    { row: 2, column: 0, text: 'first' },
  ];
  const twice = await markWorkbook(await back(marked), new Map([['Sheet1', notes]]), 'another-job');
  expect(text(twice, 'xl/shelfliftNotes1.xml')).toMatch(
    /ref="B4" authorId="0"><text><r>[^/]*much[^/]*<\/t><\/r><r>[^/]*again<\/t><\/r><\/text><\/comment><comment ref="A2" authorId="1"><text><r>[^/]*first<\/t><\/r><\/text><\/comment><\/commentList><\/comments>$/,
  );
  const boxes = text(twice, 'xl/drawings/shelfliftNotes1.vml');
  expect(boxes.match(/<v:shapetype /g)).toHaveLength(1);
  expect(new Set(boxes.match(/id="_x0000_s\d+"/g)).size).toBe(4);
  expect(text(twice, 'xl/workbook.xml').match(/"_shelflift_job" hidden="1">[^<]*/g)).toEqual([
    '"_shelflift_job" hidden="1">"another-job"',
  ]);
});

it('the corrected workbook mends its job, which sends each row once', async () => {
  const { at, job, marked, back } = await open();
  await using _ = at;
  const file = await back(
    edited(marked, (xml) =>
      // A number of a workbook is a number, though the texts of its column have a decimal comma.
      replaced(4, ['Bear', 1.255, 1991])(replaced(3, ['Rocket', '2,50', 1990])(xml)),
    ),
  );
  const rehearsed = await at.import({ file, dryRun: true });
  expect(rehearsed.summary).toMatchObject({ job, rows: { pending: 4, invalid: 0 } });
  const { summary, exitCode } = await at.import({ file });
  expect({ job: summary.job, exitCode }).toEqual({ job, exitCode: 0 });
  expect(created(at)).toEqual([
    ['Bear', 1.255, 1991],
    ['Car', 4.25, 1999],
    ['Robot', 1.5, 1985],
    ['Rocket', 2.5, 1990],
  ]);
  const again = await at.import({ file });
  expect(again.summary.job).toBe(job);
  expect(created(at)).toHaveLength(4);
});

it('in a returned workbook, sent rows are not changed, deleted rows are left out, and moved rows are found', async () => {
  const { at, job, marked, back } = await open();
  await using _ = at;
  expect((await at.apply(job, { skipInvalid: true })).summary.rows.created).toBe(2);
  // Row 3 is deleted; what is below it moves up. Row 2 was sent, and is another one now.
  const moved = ROWS.toSpliced(2, 1).with(1, ['Robot', '99,00', 1985]).with(2, ['Bear', '3,75', 1991]);
  const file = await back(
    edited(marked, (xml) =>
      xml.replace(
        /<sheetData>.*<\/sheetData>/s,
        () => `<sheetData>${moved.map((row, index) => rowXml(index + 1, row)).join('')}</sheetData>`,
      ),
    ),
  );
  const notes: string[] = [];
  const { summary, exitCode } = await at.import(
    { file },
    { onEvent: (event) => event.type === 'note' && notes.push(event.message) },
  );
  expect(exitCode).toBe(3);
  expect(notes.join('\n')).toContain('1 row that differs was sent before and is not sent again');
  expect(summary).toMatchObject({ job, rows: { created: 3, skipped: 1, invalid: 0 } });
  expect(created(at)).toEqual([
    ['Bear', 3.75, 1991],
    ['Car', 4.25, 1999],
    ['Robot', 1.5, 1985],
  ]);
});

it('a workbook that is returned twice at the same time sends each row once', async () => {
  const { at, marked, back } = await open();
  await using _ = at;
  const mended = replaced(4, ['Bear', 1.255, 1991]);
  const file = await back(edited(marked, (xml) => mended(replaced(3, ['Rocket', '2,50', 1990])(xml))));
  await using other = openSqliteLedger(at.store);
  const ends = await Promise.all([at.import({ file }), at.import({ file }, { ledger: other })]);
  expect(ends.map(({ exitCode }) => exitCode)).toContain(0);
  expect(created(at)).toHaveLength(4);
});

it('the workbook of a job that was undone is treated like any other file', async () => {
  const { at, job, marked, back } = await open();
  await using _ = at;
  await at.apply(job, { skipInvalid: true });
  const undone = await at.run((deps) => undoJob(job, deps, { run: { quietPeriodMs: QUIET_MS, yes: true } }));
  expect(undone.exitCode).toBe(0);
  const mended = replaced(4, ['Bear', 1.255, 1991]);
  const file = await back(edited(marked, (xml) => mended(replaced(3, ['Rocket', '2,50', 1990])(xml))));
  const { summary, exitCode } = await at.import({ file });
  expect({ isNew: summary.job !== job, exitCode, rows: summary.rows }).toMatchObject({
    isNew: true,
    exitCode: 0,
    rows: { created: 4 },
  });
  expect((await at.import({ file })).summary.state).toBe('already_applied');
});

it('the workbook of a job at another address is treated like any other file', async () => {
  const { at, marked } = await open();
  await using _ = at;
  await using elsewhere = await openImport();
  const mended = replaced(4, ['Bear', 1.255, 1991]);
  const book = edited(marked, (xml) => mended(replaced(3, ['Rocket', '2,50', 1990])(xml)));
  const file = await elsewhere.file('back.xlsx', book);
  const { exitCode } = await elsewhere.import({ file }, { ledger: at.ledger });
  expect([exitCode, created(at).length, created(elsewhere).length]).toEqual([0, 0, 4]);
});

it('a workbook with other columns, further rows or another order changes nothing', async () => {
  const { at, job, marked, back } = await open();
  await using _ = at;
  const more = (xml: string) =>
    xml.replace('</sheetData>', `${rowXml(6, ['New', '1,00', 2000])}</sheetData>`);
  const sorted = (xml: string) => replaced(5, ROWS[1] ?? [])(replaced(2, ROWS[4] ?? [])(xml));
  for (const [change, says] of [
    [more, 'rows were added'],
    [replaced(1, ['name', 'estimated_value', 'year']), 'different columns'],
    [sorted, 'another order'],
  ] as const) {
    const file = await back(edited(marked, change));
    await expect(at.import({ file })).rejects.toThrow(says);
  }
  const file = await back(marked);
  await expect(at.import({ file, template: 'action-figures' })).rejects.toThrow(
    'without these options: template',
  );
  expect((await at.ledger.rows.counts(job)).invalid).toBe(2);
  expect(at.items()).toEqual([]);
});
