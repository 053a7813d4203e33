/** Numbers and times as people read them. */

/** 12345 → 12,345 */
export function count(value: number): string {
  return value.toLocaleString('en-US');
}

/** ms → `0.4 s`, `12 s`, `3 min 20 s`, `2 h 5 min`. */
export function duration(ms: number): string {
  const seconds = Math.max(0, ms) / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

/** Columns of text, padded; the last one is left as it is. */
export function table(cells: string[][]): string {
  const rows = cells.map((row) => row.map(oneLine));
  const widths: number[] = [];
  for (const row of rows)
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, cell.length);
  return rows
    .map((row) =>
      row
        .map((cell, index) => (index === row.length - 1 ? cell : cell.padEnd(widths[index] ?? 0)))
        .join('  '),
    )
    .join('\n');
}

/** Names of files and values of items must not break a table, or move a terminal's cursor. */
export function oneLine(text: string): string {
  // oxlint-disable-next-line no-control-regex -- these are what must not reach a terminal
  return text.replaceAll(/[\u0000-\u001f\u007f-\u009f]+/g, ' ');
}
