/** Opens the writer of an export's table: the request determines place and format, the caller the columns. */
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
    ...(stream === undefined ? {} : { stream }),
  });
}
