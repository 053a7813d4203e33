/** One very long cell or header, of a few characters again and again, through an import to its files of results. */
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Template } from '../../src/mapping/template/template.ts';
import { openImport } from '../support/open-import.ts';
import { MAIN, makeBook } from '../sheets/support/make-book.ts';
import { makeOds, odsRow, odsText } from '../sheets/support/make-ods.ts';
import type { Adversary } from './adversary.ts';
import { numbersOf } from './spoil.ts';

type Random = (below: number) => number;

const LENGTH = 300_000;
/** Characters of each class, and what patterns look for. */
const REPEATED = [
  ...'1 0 x a A E é ß ñ 名 ا ٣ ² Ⅷ $ € kr ™ © 🧸 ☑ …'.split(' '),
  ...`. , ' ’ - – — _ + * / \\ : ; | ! ? # № % & ~ ≈ ^ < > = @ ( ) [ ] { } " \``.split(' '),
  ...` ¶\t¶\n¶\r¶\r\n¶\u00a0¶\u202f¶\u2028¶\u200b¶\ufeff¶\u0301¶\0`.split('¶'),
  ...`1.¶1,¶,1¶.111¶,111¶,11¶1,1111¶'111¶ 111¶1 ¶1e¶e1¶1-¶-1¶,-¶1/¶1:¶1x`.split('¶'),
  ...'ca. ¶VB ¶ab ¶ to ¶ - ¶the ¶Mai ¶EUR ¶12.5.1999 ¶Total ¶Total: ¶of ¶near mint '.split('¶'),
  ...'x@¶x.¶a b ¶a-¶a; ¶a| ¶""¶"a",¶[1,¶{"a":¶\\"¶()¶[]¶( ¶ (¶) ¶a\n¶\n"¶,"¶, "'.split('¶'),
  ...'; one has "¶, in ¶http://¶<<<<<<< ¶&amp;¶_x000D_¶shelflift '.split('¶'),
];
const EDGES = [
  '',
  '1',
  'x',
  '%',
  '-',
  ' ',
  '(',
  ')',
  '[',
  ']',
  '"',
  '.',
  ',',
  '0x',
  '1x',
  'Total ',
  '$',
  ' 1',
];

/** A column for each way to read a cell. */
const COLUMNS = {
  name: 'Name',
  brand: 'Brand',
  release_year: 'Year',
  condition: 'Condition',
  tags: 'Tags',
  estimated_value: { from: 'Value', approximate: 'read' },
  quantity: { from: 'Pieces', approximate: 'read' },
  'custom_fields.whole': { from: 'Whole', as: 'integer' },
  'custom_fields.made': { from: 'Made', as: 'year' },
  'custom_fields.boxed': { from: 'Boxed', as: 'yes_no' },
  'custom_fields.parts': { from: 'Parts', as: 'list' },
  'custom_fields.paid': { from: 'Paid', as: 'money' },
  'custom_fields.size': { from: 'Size', as: 'decimal' },
  'custom_fields.note': 'Note',
};
const TEMPLATE = Template.parse({ name: 'all', columns: COLUMNS });
const HEADERS = Object.values(COLUMNS).map((column) => (typeof column === 'string' ? column : column.from));
const ORDINARY = [
  'Bear',
  'Steiff',
  '1999',
  'mint',
  'a; b',
  '12.50',
  '1',
  '3',
  '1980',
  'yes',
  'x',
  '1',
  '2',
  'n',
];
/** An export's, with a row of the results. */
const OWN = {
  id: 'f4c1f0a2-6f65-4e0b-9f6e-0b9b6d0f8a11',
  object: 'item',
  name: 'Bear',
  status: 'keep',
  collection_id: '',
  release_year: '1999',
  estimated_value: '12.50',
  tags: 'a; b',
  condition: 'mint',
  'custom_fields.n': '1',
  _row: '2',
  _state: 'refused',
  _error: '',
};

/** Each has stopped a process for more than 30 s. */
const ONCE_TOO_LONG = [
  `${'1'.repeat(LENGTH)}x`,
  `${'1.'.repeat(LENGTH / 2)}x`,
  `${'1,1111,'.repeat(LENGTH / 7)}x`,
  `1${',1'.repeat(LENGTH / 2)}x1`,
  `1${','.repeat(LENGTH)}1x1`,
  '('.repeat(LENGTH),
];

/** Up to two runs of repeated characters between two short ones. */
function longText(random: Random): string {
  const run = (length: number) => {
    const unit = REPEATED[random(REPEATED.length)] ?? '';
    return unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
  };
  const edge = () => EDGES[random(EDGES.length)] ?? '';
  const runs = random(3) === 0 ? [run(LENGTH / 2), run(LENGTH / 2)] : [run(LENGTH)];
  return [edge(), runs.join(random(2) === 0 ? '' : edge()), edge()].join('');
}

function csv(rows: readonly string[][], random: Random): string {
  const isBare = random(4) === 0;
  const cell = (text: string) =>
    isBare ? text.replaceAll(/[\r\n]/g, ' ') : `"${text.replaceAll('"', '""')}"`;
  return rows.map((cells) => cells.map(cell).join(',')).join('\n');
}

function escaped(text: string): string {
  return text.replaceAll('\0', '').replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

function xlsx(rows: readonly string[][], random: Random): Buffer {
  const texts = rows.flat().map(escaped);
  const strings = `<sst xmlns="${MAIN}">${texts.map((text) => `<si><t>${text}</t></si>`).join('')}</sst>`;
  const isShared = random(2) === 0;
  const cells = (cell: readonly string[], row: number) =>
    cell.map((text, column) =>
      isShared
        ? `<c t="s"><v>${row * cell.length + column}</v></c>`
        : `<c t="inlineStr"><is><t>${escaped(text)}</t></is></c>`,
    );
  const xml = rows.map((row, at) => `<row r="${at + 1}">${cells(row, at).join('')}</row>`).join('');
  return makeBook({ sheets: `<sheetData>${xml}</sheetData>`, ...(isShared ? { strings } : {}) });
}

function ods(rows: readonly string[][]): Buffer {
  const xml = rows.map((cells) => odsRow(cells.map((text) => odsText(escaped(text))).join('')));
  return makeOds({ sheets: xml.join('') });
}

export async function cells(): Promise<Adversary> {
  const it = await openImport();
  return {
    async play(number) {
      const random = numbersOf(number * 2_654_435_761 + 16);
      const text = ONCE_TOO_LONG[number] ?? longText(random);
      const isOwn = random(6) === 0;
      const headers = isOwn ? Object.keys(OWN) : [...HEADERS];
      const first = isOwn ? Object.values(OWN) : ORDINARY;
      const second = [...first];
      if (number < ONCE_TOO_LONG.length) {
        second.fill(text);
        headers.push(text);
      } else (random(5) === 0 ? headers : second)[random(headers.length)] = text;
      const rows = [headers, first, second, first];
      const kind = ['csv', 'csv', 'xlsx', 'ods'][random(4)] ?? '';
      const content = kind === 'csv' ? csv(rows, random) : kind === 'xlsx' ? xlsx(rows, random) : ods(rows);
      const file = join(it.folder, `long.${kind}`);
      await writeFile(file, content);
      const template = random(2) === 0 ? {} : { template: TEMPLATE };
      const request = isOwn ? { mode: 'update' as const } : template;
      try {
        await it.import({ file, ...request, dryRun: true, run: { yes: true } });
        return 'read';
      } finally {
        await rm(file, { force: true });
      }
    },
    close: async () => it[Symbol.asyncDispose](),
  };
}
