/** Reads when the item of a row was last changed before it was exported, from `updated_at`. */
import { isUuid } from '../../base/uuid.ts';
import { cellText } from '../../sheets/cell.ts';
import { saysLastChange } from '../../sheets/own-headers.ts';
import type { MappingOptions } from '../mapping.ts';
import type { ColumnStep } from './column-step.ts';
import type { HeaderRow } from './find-column.ts';

/**
 * The time as an export writes it: in CSV as the API returns it; in XLSX as a date cell, in UTC and to the second, which
 * programs save in CSV with a space.
 */
const TIME = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?$/;

/** @returns undefined for other files, and for new items. A cell that a person has damaged is ignored. */
export function exportedStep({ headers }: HeaderRow, mode: MappingOptions['mode']): ColumnStep | undefined {
  if (mode === 'create' || !saysLastChange(headers)) return undefined;
  const [id, index] = [headers.indexOf('id'), headers.indexOf('updated_at')];
  return (cells, row) => {
    const text = cellText(cells[index] ?? null);
    // The numbers of a shop are not ids of items.
    if (TIME.test(text) && isUuid(cellText(cells[id] ?? null).trim())) row.exported = text.replace(' ', 'T');
  };
}
