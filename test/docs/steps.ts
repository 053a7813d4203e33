/** The commands of a page in docs/, as printed. */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const root = resolve(import.meta.dirname, '../..');
const BLOCK = /(<!-- not run: ([^\n]+) -->\n)?```sh\n([\s\S]*?)```/g;

export interface Step {
  line: string;
  /** The exit code that it must end with. */
  exit: number;
}

/** `# exit N` behind a command is its exit code; a block behind `<!-- not run: REASON -->` is left out. */
export function stepsOf(page: string): Step[] {
  const text = readFileSync(join(root, 'docs', page), 'utf8');
  return [...text.matchAll(BLOCK)]
    .filter(([, , reason]) => reason === undefined)
    .flatMap(([, , , block = '']) => block.trim().split('\n'))
    .map((line) => ({ line, exit: Number(/# exit (\d+)$/.exec(line)?.[1] ?? 0) }));
}
