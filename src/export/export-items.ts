/** The export as a library function. */
import { type ExportDeps, type ExportSummary, exportResource } from './export.ts';
import type { ExportRequest, ExportResource } from './request.ts';

export type ExportItemsOptions = Omit<ExportRequest, 'resource'> &
  ExportDeps & {
    /** Default `items`. */
    resource?: ExportResource;
  };

/**
 * Exports items (or listings, collections, sales) to CSV, XLSX or NDJSON; the file appears when it is complete.
 *
 * @throws UsageError for a request that cannot be met, ApiError when the API fails; an older file stays as it was
 */
export function exportItems(options: ExportItemsOptions): Promise<ExportSummary> {
  const { client, values, patience, signal, onEvent, clock, resource = 'items', ...request } = options;
  return exportResource(
    { ...request, resource },
    {
      client,
      ...(values === undefined ? {} : { values }),
      ...(patience === undefined ? {} : { patience }),
      ...(signal === undefined ? {} : { signal }),
      ...(onEvent === undefined ? {} : { onEvent }),
      ...(clock === undefined ? {} : { clock }),
    },
  );
}
