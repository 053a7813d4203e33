/**
 * Examples as --help shows them: a line to paste, whole, with a comment above it. Side by side, as yargs would
 * set them, the lines wrap in the middle.
 *
 * @param lines each command line, with `$0` for the program, and what it is for
 */
export function examples(lines: Record<string, string>): [string, string][] {
  return Object.entries(lines).flatMap(([line, purpose]): [string, string][] => [
    [`# ${purpose}`, ''],
    [line, ''],
  ]);
}
