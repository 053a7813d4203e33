/** Runs the command line in a pseudo-terminal, as a person at a keyboard does: each answer is typed when it is asked for. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stripVTControlCharacters } from 'node:util';
import type { Place } from './run-shelflift.ts';

/** A part of a question, and what is typed when it is asked. */
export type Answer = readonly [asked: string | RegExp, typed: string];

export interface Transcript {
  code: number | null;
  /** All that the terminal showed, without control sequences. */
  text: string;
}

/** A question that nobody answers for this long was not expected. */
const UNANSWERED_MS = 120_000;

/**
 * @param line a shell line in which `shelflift` is a command
 * @throws if a question is not asked, or one is asked that has no answer, with what the terminal showed
 */
export async function atTerminal(
  place: Place,
  line: string,
  answers: readonly Answer[],
  columns = 100,
): Promise<Transcript> {
  const child = spawn('script', ['-qec', `stty cols ${columns}; ${line}`, '/dev/null'], {
    cwd: place.folder,
    env: place.environment,
  });
  let text = '';
  let from = 0;
  const left = [...answers];
  let unanswered: NodeJS.Timeout | undefined;
  let isStuck = false;
  const answer = () => {
    clearTimeout(unanswered);
    const fresh = text.slice(from);
    // A prompt ends without a line feed: what scrolls by is no question.
    if (!fresh.endsWith('] ') && !fresh.endsWith(': ')) return;
    unanswered = setTimeout(() => {
      isStuck = true;
      child.kill();
    }, UNANSWERED_MS);
    const [next] = left;
    if (next === undefined) return;
    const [asked, typed] = next;
    if (typeof asked === 'string' ? !fresh.includes(asked) : !asked.test(fresh)) return;
    left.shift();
    from = text.length;
    child.stdin.write(`${typed}\r`);
  };
  child.stdout.on('data', (chunk: Buffer) => {
    text += stripVTControlCharacters(chunk.toString()).replaceAll('\r', '');
    answer();
  });
  const [code] = (await once(child, 'close')) as [number | null];
  clearTimeout(unanswered);
  if (isStuck && left.length === 0) throw new Error(`Nobody answers the last question:\n${text}`);
  if (left.length > 0) throw new Error(`Not asked: ${String(left[0]?.[0])}. The terminal showed:\n${text}`);
  return { code, text };
}
