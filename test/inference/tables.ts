/** Tables for measuring inference: each shape in a short and a long file, the long one with its columns in another order. */
import { columnLetter } from '../../src/sheets/cell.ts';
import { Random } from './random.ts';
import { SHAPES } from './shapes.ts';
import { type ValueKind, VALUES } from './values.ts';

/** What a column is: its field, or the field that it may be proposed for without having to. */
export interface Answer {
  field: string;
  /** Right if proposed; not missed if not. */
  optional: boolean;
}

export interface KnownTable {
  /** For messages: the number of the shape, its rows, and its headers. */
  title: string;
  headers: string[];
  letters: string[];
  rows: string[][];
  /** One a column; undefined where the column is no field. */
  answers: (Answer | undefined)[];
}

interface Column {
  header: string;
  kind: ValueKind;
  answer?: Answer;
}

const SIZES = [12, 150];

/** At least 150 tables, always the same. */
export function knownTables(): KnownTable[] {
  return SHAPES.flatMap((shape, index) => SIZES.map((rows, size) => buildTable(shape, index, rows, size)));
}

function buildTable(shape: string, index: number, rowCount: number, size: number): KnownTable {
  const random = new Random(1000 * (index + 1) + size);
  const columns = shape.replace(/^!/, '').split('; ').map(parseColumn);
  if (size > 0) shuffle(columns, random);
  const rows = Array.from({ length: rowCount }, (_, row) =>
    columns.map(({ kind }) => VALUES[kind](random, row)),
  );
  const headers = columns.map(({ header }) => header);
  return {
    title: `${index + 1} (${rowCount} rows): ${headers.join(', ')}`,
    headers,
    letters: headers.map((_, column) => columnLetter(column)),
    rows,
    answers: columns.map(({ answer }) => answer),
  };
}

function parseColumn(text: string): Column {
  const match = /^(?<header>.+)=(?<kind>\w+)(?:>(?<field>\w+)(?<optional>\?)?)?$/.exec(text)?.groups;
  const kind = match?.['kind'] as ValueKind | undefined;
  if (match === undefined || kind === undefined || !(kind in VALUES)) throw new Error(`bad column: ${text}`);
  const field = match['field'];
  return {
    header: match['header'] ?? '',
    kind,
    ...(field === undefined ? {} : { answer: { field, optional: match['optional'] !== undefined } }),
  };
}

function shuffle(items: unknown[], random: Random): void {
  for (let at = items.length - 1; at > 0; at -= 1) {
    const other = random.int(0, at);
    [items[at], items[other]] = [items[other], items[at]];
  }
}
