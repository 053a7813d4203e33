/**
 * Makes the spreadsheets in samples/. Run it after a change here: `node test/demo/make-samples.ts`.
 *
 * Deterministic: the same files byte for byte (the workbook: the same cells). All names are invented.
 */
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import ExcelJS from 'exceljs';
import iconv from 'iconv-lite';

const SAMPLES = new URL('../../samples/', import.meta.url);

/** mulberry32: small, and the same everywhere. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const heroes = [
  'Kapitän Nebel',
  'Röhrling',
  'Madame Éclair',
  'Garrow',
  'Sister Cinder',
  'Old Barnacle',
  'Zwölfer',
  'Mirelle',
  'Commander Tusk',
  'Peño el Rápido',
  'The Lamplighter',
  'Dr. Quillon',
  'Sgt. Marrow',
  'Ünal the Small',
  'Brass Widow',
  'Kid Comet',
];
const variants = [
  '',
  ' (Arctic)',
  ' – Battle Damage',
  ' "Night Watch"',
  ' II',
  ', gold cape',
  ' & Hound',
  ' (1st issue)',
  ' mit Umhang',
  ' in Tiefsee-Anzug',
];
const makers = [
  'Tinwhistle Toys',
  'Grünfeld & Söhne',
  'Maison Poulpe',
  'Orbita S.A.',
  'Halloway Plastics',
  'tinwhistle toys',
  '',
];
const lines = [
  'Nebula Rangers',
  'Harbour Guard',
  'Les Mécaniques',
  'Moor & Mire',
  'Sternenküste',
  'Deep Twelve',
];
const zustand = [
  'MOC',
  'moc',
  'MIB',
  'M.O.C.',
  'lose',
  'Loose',
  'loose complete',
  'bespielt',
  'Near Mint',
  'gut',
  'beschädigt',
  'OVP',
  'sealed',
  'n/a',
  '',
];
const verpackung = ['', '', '', 'OVP', 'ohne Verpackung', 'offen', 'Bubble lifted'];
const verbleib = ['behalten', 'behalten', 'behalten', '', 'zu verkaufen', 'verkauft', 'Tausch', 'archiviert'];
const tags = [
  'Sternenküste; selten',
  'Kindheit',
  'Flohmarkt | 2011',
  'Börse, Halle 3',
  '',
  '',
  'doppelt; tauschen',
];
const notes = [
  '',
  '',
  '',
  'Cape has a tear,\nlower left',
  'from the "red box"',
  'Füße leicht vergilbt',
  'Helm fehlt; Ersatz bestellt',
  '=vermutlich Nachguss',
  '- ohne Ständer -',
];

function pick<T>(list: readonly T[], next: () => number): T {
  return list[Math.floor(next() * list.length)] as T;
}

/** One line of CSV: quoted where it must be. */
function csvLine(cells: readonly string[], delimiter: string): string {
  return cells
    .map((cell) =>
      cell.includes(delimiter) || /["\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell,
    )
    .join(delimiter);
}

/** A year as ten years of typing have left it. */
function untidyYear(year: number, next: () => number): string {
  const kind = next();
  if (kind < 0.72) return String(year);
  if (kind < 0.8) return `01.0${1 + Math.floor(next() * 9)}.${year}`;
  if (kind < 0.84) return `0${1 + Math.floor(next() * 9)}/${year}`;
  if (kind < 0.87) return `${year},0`;
  if (kind < 0.9) return `ca. ${year}`;
  if (kind < 0.92) return `${year}?`;
  return pick(['', 'unbekannt', '-', '?'], next);
}

/** A price with a comma; some in the thousands, some that are ambiguous alone. No sign: the sandbox has US dollars. */
function untidyPrice(next: () => number): string {
  const kind = next();
  const euros = 1 + Math.floor(next() * 180);
  const cents = pick(['00', '50', '90', '25', '99'], next);
  if (kind < 0.75) return `${euros},${cents}`;
  if (kind < 0.83) return String(euros);
  if (kind < 0.87) return `${euros},-`;
  if (kind < 0.9) return `1.${100 + euros},${cents}`;
  if (kind < 0.915) return `2.${100 + euros}`;
  return pick(['', '-', 'n/a', '?'], next);
}

function untidy(): Buffer {
  const next = random(1984);
  const header = [
    'Nr.',
    'Bezeichnung',
    'Hersteller',
    'Serie',
    'Jahr',
    'Zustand',
    'Verpackung',
    'Verbleib',
    'Wert',
    'Schlagworte',
    'Regal',
    'Bemerkungen',
  ];
  const rows: string[][] = [];
  for (let number = 1; rows.length < 1000; number += 1) {
    const row = [
      `AF-${String(number).padStart(4, '0')}`,
      `${next() < 0.05 ? ' ' : ''}${pick(heroes, next)}${pick(variants, next)}${next() < 0.05 ? '  ' : ''}`,
      pick(makers, next),
      pick(lines, next),
      untidyYear(1972 + Math.floor(next() * 45), next),
      pick(zustand, next),
      pick(verpackung, next),
      pick(verbleib, next),
      untidyPrice(next),
      pick(tags, next),
      pick(['007', '012', 'B-3', 'Keller', ''], next),
      pick(notes, next),
    ];
    rows.push(row);
    // Two equal toys, bought as a pair and never numbered: two rows, two items.
    if (number % 90 === 0) {
      row[0] = '';
      rows.push([...row]);
    }
  }
  const text: string[] = [
    'Meine Sammlung;;;;;;;;;;;',
    'Stand: 3. März 2024;;;;;;;;;;;',
    '',
    csvLine(header, ';'),
  ];
  for (const [index, row] of rows.slice(0, 1000).entries()) {
    if (index > 0 && index % 250 === 0) text.push(';;;;;;;;;;;', csvLine(header, ';'));
    if (index % 170 === 99) text.push('');
    text.push(csvLine(row, ';'));
  }
  text.push('Summe;;;;;;;;61.204,50;;;', '');
  return iconv.encode(text.join('\r\n'), 'windows-1252');
}

function dieCast(): string {
  const next = random(1971);
  const text = ['Make,Casting,Casting No.,Series,Year,Colour,Scale,Condition,Box,Qty,Value,Owned,Tags,Notes'];
  const models = [
    'Falcon GT',
    'Breeze 1300',
    'Dockyard Crane',
    'Milk Float',
    'Tornado Estate',
    'Alpine Bus',
    'Salt Flat Racer',
    'Nº 5 Coupé',
  ];
  for (let index = 1; index <= 60; index += 1) {
    text.push(
      csvLine(
        [
          pick(['Corvane', 'Little Axle', 'Pavé', 'Broadgauge'], next),
          pick(models, next),
          String(index).padStart(3, '0'),
          pick(['Superwheels', 'Town & Country', '1-100'], next),
          pick(
            [String(1969 + Math.floor(next() * 30)), `c. ${1970 + Math.floor(next() * 20)}`, 'various', ''],
            next,
          ),
          pick(['red', 'metallic blue', 'lime', 'cream/brown'], next),
          pick(['1:64', '1:43', '1:76'], next),
          pick(['Mint', 'Near Mint', 'Good', 'Chipped', 'Poor', 'Mint Boxed', 'Carded', 'unknown'], next),
          pick(['yes', 'no', 'repro box', '', 'blister'], next),
          pick(['1', '1', '1', '', '2', '3'], next),
          pick(
            [`$${4 + Math.floor(next() * 90)}.00`, `${3 + Math.floor(next() * 40)}.50`, '', '$1,150.00'],
            next,
          ),
          pick(['yes', 'yes', 'yes', 'yes', 'wanted'], next),
          pick(['', 'spares', 'boxed, display', 'swap'], next),
          pick(['', '', 'wheels replaced', 'ex "Harbour" auction, lot 14'], next),
        ],
        ',',
      ),
    );
  }
  return `${text.join('\n')}\n`;
}

function statusChanges(): string {
  const next = random(7);
  const text = ['sku,Title,New Status'];
  for (let number = 3; text.length <= 40; number += 7) {
    // Multiples of 90 are the unnumbered pairs of the untidy sample.
    if (number % 90 === 0) continue;
    text.push(
      `AF-${String(number).padStart(4, '0')},(for people: not used),${pick(['sold', 'for sale', 'keep', 'Gone', 'archived', 'trade'], next)}`,
    );
  }
  return `${text.join('\n')}\n`;
}

function withMistakes(): string {
  const text = ['Name,Brand,Year,Condition,Status,Value,Tags'];
  const good = (index: number) =>
    `Harbour Guard No. ${index},Halloway Plastics,${1980 + index},loose_good,keep,${index}.50,guard; harbour`;
  const bad: Record<number, string> = {
    4: ',Halloway Plastics,1984,loose_good,keep,4.00,guard',
    7: 'Future Guard,Halloway Plastics,2105,loose_good,keep,7.00,guard',
    10: "Guard of the Gate,Halloway Plastics,'87,loose_good,keep,10.00,guard",
    13: 'Guard with Lantern,Halloway Plastics,1985,C7,keep,13.00,guard',
    16: 'Guard on Loan,Halloway Plastics,1986,damaged,borrowed,16.00,guard',
    19: 'Guard in Debt,Halloway Plastics,1986,damaged,keep,-19.00,guard',
    22: 'Priceless Guard,Halloway Plastics,1987,damaged,keep,ask my brother,guard',
    25: `${'Very '.repeat(52)}Long Guard,Halloway Plastics,1988,damaged,keep,25.00,guard`,
  };
  for (let index = 1; index <= 30; index += 1) text.push(bad[index] ?? good(index));
  return `${text.join('\n')}\n`;
}

/** A merged title, a table that begins at B5, formulas, real dates, numbers that are text. */
async function actionFigures(file: string): Promise<void> {
  const next = random(1999);
  const workbook = new ExcelJS.Workbook();
  workbook.created = new Date(Date.UTC(2024, 0, 6));
  workbook.modified = workbook.created;
  const about = workbook.addWorksheet('About');
  about.getCell('A1').value = 'Insurance list. The figures are on the next sheet.';
  const sheet = workbook.addWorksheet('Figures');
  sheet.mergeCells('B2:J2');
  sheet.getCell('B2').value = 'Figures on the landing, January 2024';
  sheet.getCell('B2').font = { bold: true, size: 16 };
  const header = [
    'Our No.',
    'Figure',
    'Maker',
    'Line',
    'Released',
    'Condition',
    'For sale?',
    'Paid',
    'Value',
    'Shelf',
  ];
  for (const [index, text] of header.entries()) sheet.getCell(5, 2 + index).value = text;
  for (let index = 0; index < 48; index += 1) {
    const row = 6 + index;
    const year = 1975 + Math.floor(next() * 40);
    const paid = 2 + Math.floor(next() * 60);
    const cells: ExcelJS.CellValue[] = [
      String(index + 1).padStart(3, '0'),
      `${pick(heroes, next)}${pick(variants, next)}`,
      pick(makers, next) || null,
      next() < 0.1
        ? { richText: [{ text: 'Nebula ' }, { text: 'Rangers', font: { bold: true } }] }
        : pick(lines, next),
      next() < 0.3 ? new Date(Date.UTC(year, Math.floor(next() * 12), 1)) : year,
      pick(['MOC', 'MIB', 'loose', 'loose complete', 'played with', 'very good', 'carded'], next),
      next() < 0.2,
      paid,
      { formula: `ROUND(I${row}*1.5,2)`, result: Math.round(paid * 150) / 100 },
      pick(['007', 'top', 'A1'], next),
    ];
    for (const [column, value] of cells.entries()) sheet.getCell(row, 2 + column).value = value;
    const released = sheet.getCell(row, 6);
    if (released.value instanceof Date) released.numFmt = 'yyyy-mm-dd';
  }
  sheet.getCell('B54').value = 'Total';
  sheet.getCell('J54').value = { formula: 'SUM(J6:J53)', result: 2500 };
  await workbook.xlsx.writeFile(file);
}

const path = (name: string) => fileURLToPath(new URL(name, SAMPLES));
await writeFile(path('untidy-1000.csv'), untidy());
await writeFile(path('die-cast.csv'), dieCast());
await writeFile(path('status-changes.csv'), statusChanges());
await writeFile(path('with-mistakes.csv'), withMistakes());
await actionFigures(path('action-figures.xlsx'));
