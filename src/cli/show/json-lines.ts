/** A line of `--progress json` on stderr. Every command loads this file, so it does not import the events. */
export interface Line {
  type: string;
  [key: string]: unknown;
}

export function writeLine(line: Line): void {
  process.stderr.write(`${JSON.stringify(line)}\n`);
}
