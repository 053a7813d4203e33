/** Text laid out for a terminal. */

/** Columns of text, padded except for the last one. */
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

/** Prevents names of files and values of items from breaking a table or moving a terminal's cursor. */
export function oneLine(text: string): string {
  // oxlint-disable-next-line no-control-regex -- these must not reach a terminal
  return text.replaceAll(/[\u0000-\u001f\u007f-\u009f]+/g, ' ');
}

/** Text of several lines that cannot move a terminal's cursor: it may contain a server's words. */
export function plainLines(text: string): string {
  // oxlint-disable-next-line no-control-regex -- these must not reach a terminal
  return text.replaceAll(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]+/g, ' ');
}

/** A command to paste stays on one line, with its job and simple flags. */
const TOKEN = /shelflift [a-z]+(?: [a-z]+ \d{6}-\w+)?(?: --\S+)*|\S+/g;

/**
 * Breaks lines between words, with an indent for continued lines; a word or command that is longer than a line stays
 * whole.
 */
export function wrapped(text: string, width: number): string {
  return text
    .split('\n')
    .flatMap((line) => {
      if (line.length <= width) return [line];
      const indent = /^ */.exec(line)?.[0] ?? '';
      const lines: string[] = [];
      let current = '';
      for (const [token] of line.matchAll(TOKEN)) {
        const longer =
          current === '' ? `${indent}${lines.length === 0 ? '' : '  '}${token}` : `${current} ${token}`;
        if (current === '' || longer.length <= width) current = longer;
        else {
          lines.push(current);
          current = `${indent}  ${token}`;
        }
      }
      return [...lines, current];
    })
    .join('\n');
}
