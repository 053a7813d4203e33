/** A line of `--progress json` on stderr. Loaded by every command, so it knows nothing of their events. */
export interface Line {
  type: string;
  [key: string]: unknown;
}

export function writeLine(line: Line): void {
  process.stderr.write(`${JSON.stringify(line)}\n`);
}
