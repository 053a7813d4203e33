import { SheetError } from '../../base/errors.ts';
import { buildTable } from '../build-table.ts';
import type { FileHead } from '../file-kind.ts';
import { message } from '../../messages/message.ts';
import type { Message } from '../../messages/params.ts';
import type { OpenOptions, SheetTable } from '../table.ts';
import { readAs } from './decode.ts';
import { CsvRows } from './read-csv.ts';
import { type Encoding, encodingName, encodingOption } from './sniff-encoding.ts';
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
      detected: [
        delimiterName(sniffed.delimiter),
        message('verbatim', { text: encodingName(sniffed.encoding) }),
      ],
      notes: [],
      doubts: sniffed.other === undefined ? [] : [encodingDoubt(sniffed.encoding, sniffed.other)],
      rows: new CsvRows(file, sniffed),
      filler: '',
      offset: false,
    },
    options,
  );
}

function encodingDoubt(encoding: Encoding, other: Encoding): Message {
  const params = { encoding: encodingName(encoding), other: encodingName(other) };
  return message('encoding_doubtful', params, readAs(other));
}

function delimiterName(delimiter: string): Message {
  return delimiter === '\t' ? message('tab', {}) : message('verbatim', { text: delimiter });
}

function delimiterOption(text: string): string {
  const delimiter = ['tab', '\\t'].includes(text.toLowerCase()) ? '\t' : text;
  if (delimiter.length === 1 && !/["'\r\n]/u.test(delimiter)) return delimiter;
  throw new SheetError('bad_delimiter', message('delimiter_too_long', { text }));
}
