/** The file screen's view of a file: its first rows unchanged, and how they would be read. */
import type { Message } from '../../../messages/params.ts';
import { ShelfliftError } from '../../../base/errors.ts';
import { sheetFit } from '../../../mapping/infer/fit-sheet.ts';
import { recogniseExport } from '../../../mapping/template/recognise.ts';
import { cellText } from '../../../sheets/cell.ts';
import { openTable } from '../../../sheets/open-table.ts';
import { peekRows } from '../../../sheets/peek-rows.ts';
import type { FilePassword, OpenOptions, SheetTable } from '../../../sheets/table.ts';
import { rateCode } from '../../../mapping/casts/currency.ts';
import { currencyReader } from '../../../mapping/casts/read-currency.ts';
import type { Choices } from '../../spool.ts';
import { defined } from '../../../base/defined.ts';

export interface Preview {
  sheets: string[];
  /** The first rows of the file, the header among them. */
  rows: { number: number; cells: string[] }[];
  letters: string[];
  /** Row of the header, 0 if there is no header; undefined if none could be found. */
  headerRow: number | undefined;
  headers: string[];
  isText: boolean;
  /** How it was read. */
  detected: Message[];
  doubts: Message[];
  /** Shipped template for these headers. */
  recognised: string | undefined;
  /** Codes of the currencies that its first rows show. */
  currencies: string[];
  /** Asks whether the row taken for column names is data, which only a person can say. */
  question: Message | undefined;
  /** Why the file cannot be read with these choices. */
  problem: ShelfliftError | undefined;
}

export const ROWS_SHOWN = 30;
/** Maximum number of columns to show. */
const COLUMNS_SHOWN = 60;

/** Whether the row taken for column names is certainly `data`, doubtful (a question), or names. */
export type FirstRow = Message | 'data' | undefined;

/** @param look called with the table before it is closed, to get the other facts that the screen needs */
export async function previewFile(
  file: string,
  choices: Choices,
  password: FilePassword,
  look: (table: SheetTable) => Promise<FirstRow> = async () => undefined,
): Promise<Preview> {
  const read = { ...openOptions(choices), password };
  const preview: Preview = {
    sheets: [],
    rows: [],
    letters: [],
    headerRow: undefined,
    headers: [],
    isText: true,
    detected: [],
    doubts: [],
    recognised: undefined,
    currencies: [],
    question: undefined,
    problem: undefined,
  };
  try {
    const chosen = await openTable(file, { ...read, fit: sheetFit() }).catch(() => undefined);
    const sheet = chosen?.sheet === undefined ? {} : { sheet: chosen.sheet };
    const raw = await openTable(file, { ...read, ...sheet, headerRow: 0, everyRow: true });
    preview.sheets = raw.sheets;
    preview.isText = raw.format === 'csv';
    preview.letters = raw.letters.slice(0, COLUMNS_SHOWN);
    const peeked = await peekRows(raw, ROWS_SHOWN);
    await peeked.close();
    preview.rows = peeked.rows.slice(0, ROWS_SHOWN).map(({ number, cells }) => ({
      number,
      cells: cells.slice(0, COLUMNS_SHOWN).map((cell) => cellText(cell)),
    }));
    const table = chosen ?? (await openTable(file, read));
    preview.headerRow = table.headerRow;
    preview.headers = table.headers;
    preview.detected = table.detected;
    preview.doubts = [...table.doubts, ...table.notes];
    preview.currencies = currenciesOf(preview.rows);
    preview.recognised = await recogniseExport(table.headers);
    const first = await look(table);
    if (first === 'data') preview.headerRow = 0;
    else preview.question = first;
  } catch (error) {
    if (!(error instanceof ShelfliftError)) throw error;
    preview.problem = error;
  }
  return preview;
}

/** Amounts with a sign or code beside them. */
function currenciesOf(rows: Preview['rows']): string[] {
  const read = currencyReader();
  const codes = rows.flatMap(({ cells }) => cells.flatMap((cell) => rateCode(read(cell) ?? []) ?? []));
  return [...new Set(codes)].sort();
}

export function openOptions({ sheet, delimiter, encoding, decimal, headerRow }: Choices): OpenOptions {
  return {
    ...defined({ sheet, delimiter, encoding, decimal, headerRow }),
  };
}
