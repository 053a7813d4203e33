/** Spreadsheets for tests, made in place. */

/** Lines joined as a CSV of commas; cells are quoted where they need it. */
export function csv(headers: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  return `${[headers, ...rows].map((cells) => cells.map(cell).join(',')).join('\n')}\n`;
}

/** `count` toys with different names: `Toy 0001` … */
export function toys(count: number, prefix = 'Toy'): string {
  return csv(
    ['name', 'brand', 'estimated_value'],
    Array.from({ length: count }, (_, index) => [toyName(index + 1, prefix), 'Halloway', `${index + 1}.50`]),
  );
}

export function toyName(number: number, prefix = 'Toy'): string {
  return `${prefix} ${String(number).padStart(4, '0')}`;
}

/** The names of `toys(count)`, sorted. */
export function toyNames(count: number, prefix = 'Toy'): string[] {
  return Array.from({ length: count }, (_, index) => toyName(index + 1, prefix));
}

/** A CSV of ours as objects by header. Good for files without line breaks in cells. */
export function parseCsv(text: string): Record<string, string>[] {
  const [headers = [], ...rows] = text
    .replace(/^\uFEFF/, '')
    .trimEnd()
    .split(/\r?\n/)
    .map(split);
  return rows.map((cells) =>
    Object.fromEntries(headers.map((header, index) => [header, cells[index] ?? ''])),
  );
}

function cell(value: string | number): string {
  const text = String(value);
  return /[",\n;]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function split(line: string): string[] {
  const cells: string[] = [];
  for (const [, quoted, plain] of line.matchAll(/(?:"((?:[^"]|"")*)"|([^,]*))(?:,|$)/g)) {
    cells.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'));
  }
  // The pattern also matches the nothing after the last cell.
  if (!line.endsWith(',')) cells.pop();
  return cells;
}
