/**
 * 12345 → 12,345. Without toLocaleString: its first call takes 10 ms to load language data, even in the smallest import.
 */
export function count(value: number): string {
  return String(value).replace(/(?<!\.\d*)\B(?=(?:\d{3})+(?!\d))/g, ',');
}

/** A number with its noun: `1 row`, `1,200 rows`, `2 passes`. Give `plural` if it is not the noun with an s. */
export function counted(value: number, noun: string, plural = `${noun}s`): string {
  return `${count(value)} ${value === 1 ? noun : plural}`;
}

/** What the numbers of a job's `rows` count: with a quantity column, items, of which one row of the file makes several. */
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
