/**
 * Examples in --help: a whole line to paste, with a comment above it. In yargs' two columns, the lines would wrap in
 * the middle.
 *
 * @param lines each command line, with `$0` for the program, and its purpose
 */
export function examples(lines: Record<string, string>): [string, string][] {
  return Object.entries(lines).flatMap(([line, purpose]): [string, string][] => [
    [`# ${purpose}`, ''],
    [line, ''],
  ]);
}
