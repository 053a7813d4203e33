import { SheetError } from '../../errors.ts';
import { buildTable } from '../build-table.ts';
import type { FileHead } from '../file-kind.ts';
import type { OpenOptions, SheetTable } from '../table.ts';
import { CsvRows } from './read-csv.ts';
import { encodingName, encodingOption } from './sniff-encoding.ts';
import { sniff } from './sniff.ts';

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
      detected: [delimiterName(sniffed.delimiter), encodingName(sniffed.encoding)],
      notes: [],
      doubts: sniffed.other === undefined ? [] : [encodingDoubt(sniffed.encoding, sniffed.other)],
      rows: new CsvRows(file, sniffed),
      filler: '',
      offset: false,
    },
    options,
  );
}

function encodingDoubt(encoding: string, other: string): string {
  const name = encodingName(encoding);
  return `The text may be ${name} or ${encodingName(other)}, and is read as ${name}. Check the accented letters. To read it as ${encodingName(other)}: --encoding ${other}.`;
}

function delimiterName(delimiter: string): string {
  return delimiter === '\t' ? 'tab' : delimiter;
}

function delimiterOption(text: string): string {
  const delimiter = ['tab', '\\t'].includes(text.toLowerCase()) ? '\t' : text;
  if (delimiter.length === 1 && !/["'\r\n]/u.test(delimiter)) return delimiter;
  throw new SheetError('bad_delimiter', `The delimiter must be one character or "tab"; found "${text}".`);
}
