/**
 * 12345 → 12,345. It does not use toLocaleString, whose first call takes 10 ms to load language data, even in the
 * smallest import.
 */
export function count(value: number): string {
  return String(value).replace(/(?<!\.\d*)\B(?=(?:\d{3})+(?!\d))/g, ',');
}

/** A number with its noun: `1 row`, `1,200 rows`, `2 passes`. Pass `plural` if it is not the noun with an s. */
export function counted(value: number, noun: string, plural = `${noun}s`): string {
  return `${count(value)} ${value === 1 ? noun : plural}`;
}

/** The unit of a job's `rows`: items if there is a quantity column, of which one row of the file makes several. */
export function unitOf({
  rows,
  sheetRows,
  missing,
}: {
  rows: { read: number };
  sheetRows: number;
  missing?: { archive: number };
}): 'row' | 'item' {
  return sheetRows + (missing?.archive ?? 0) === rows.read || sheetRows === 0 ? 'row' : 'item';
}
