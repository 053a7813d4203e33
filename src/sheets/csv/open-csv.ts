import { SheetError } from '../../errors.ts';
import { buildTable } from '../build-table.ts';
import type { FileHead } from '../file-kind.ts';
import type { OpenOptions, SheetTable } from '../table.ts';
import { CsvRows } from './read-csv.ts';
import { type Encoding, sniff } from './sniff.ts';

const ENCODINGS: Record<string, Encoding> = {
  utf8: 'utf-8',
  utf16le: 'utf-16le',
  utf16: 'utf-16le',
  utf16be: 'utf-16be',
  windows1252: 'windows-1252',
  cp1252: 'windows-1252',
  ansi: 'windows-1252',
  // As browsers do (WHATWG Encoding): Windows-1252 agrees with Latin-1 in every printable character.
  latin1: 'windows-1252',
  iso88591: 'windows-1252',
  shiftjis: 'shift_jis',
  sjis: 'shift_jis',
  cp932: 'shift_jis',
};

const ENCODING_NAMES: Record<Encoding, string> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16 LE',
  'utf-16be': 'UTF-16 BE',
  'windows-1252': 'Windows-1252',
  shift_jis: 'Shift_JIS',
};

/** The table of a CSV file; `head` are its first bytes. */
export async function openCsv(file: string, head: FileHead, options: OpenOptions): Promise<SheetTable> {
  const delimiter = options.delimiter === undefined ? undefined : delimiterOption(options.delimiter);
  const encoding = options.encoding === undefined ? undefined : encodingOption(options.encoding);
  const sniffed = sniff(head.bytes, head.whole, {
    ...(delimiter === undefined ? {} : { delimiter }),
    ...(encoding === undefined ? {} : { encoding }),
  });
  return buildTable(
    {
      file,
      format: 'csv',
      delimiter: sniffed.delimiter,
      detected: [delimiterName(sniffed.delimiter), ENCODING_NAMES[sniffed.encoding]],
      notes: [],
      rows: new CsvRows(file, sniffed),
      filler: '',
      offset: false,
    },
    options,
  );
}

function delimiterName(delimiter: string): string {
  return delimiter === '\t' ? 'tab' : delimiter;
}

function delimiterOption(text: string): string {
  const delimiter = ['tab', '\\t'].includes(text.toLowerCase()) ? '\t' : text;
  if (delimiter.length === 1 && !/["'\r\n]/u.test(delimiter)) return delimiter;
  throw new SheetError('bad_delimiter', `Expected one character or "tab" as delimiter, got "${text}".`);
}

function encodingOption(text: string): Encoding {
  const encoding = ENCODINGS[text.toLowerCase().replaceAll(/[^a-z0-9]/gu, '')];
  if (encoding !== undefined) return encoding;
  throw new SheetError(
    'bad_encoding_name',
    `The encoding "${text}" is not known. Expected one of: ${Object.keys(ENCODING_NAMES).join(', ')}, latin1.`,
  );
}
