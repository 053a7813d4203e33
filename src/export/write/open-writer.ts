/** The writer of a table that an export makes: where to and how is the request's, the columns are the caller's. */
import { createTableWriter } from '../../sheets/write-table.ts';
import type { CheckedRequest } from '../request.ts';

type Columns = Parameters<typeof createTableWriter>[0]['columns'];

export function openWriter(request: CheckedRequest, columns: Columns): ReturnType<typeof createTableWriter> {
  const { file, stream, format, resource, delimiter, decimal, bom } = request;
  return createTableWriter({
    file,
    format,
    columns,
    sheetName: resource,
    delimiter,
    decimal,
    bom,
    // Texts are escaped by the columns: here numbers in text columns would be taken for formulas.
    escapeFormulas: false,
    ...(stream === undefined ? {} : { stream }),
  });
}
