/** `-` in place of a file: standard input. */
import { STDIN_WORD } from './flags.ts';
import { defined } from '../base/defined.ts';
import { UsageError } from '../base/errors.ts';
import { withCopy } from '../sheets/copied-input.ts';
import { message } from '../messages/message.ts';
import { say } from './show/say.ts';

/** The name of files and jobs from standard input. */
export const STDIN_NAME = 'stdin';

/** @throws UsageError for `-` more than once */
export function readsStdin(files: readonly string[]): boolean {
  const times = files.filter((file) => file === STDIN_WORD).length;
  if (times > 1) throw new UsageError('bad_choice', message('stdin_twice', { word: STDIN_WORD }));
  return times === 1;
}

/**
 * Passes `work` the path of the file or, for `-`, of a copy of standard input, which is removed afterwards. Errors then
 * name standard input.
 */
export async function withInput<T>(
  file: string,
  work: (path: string) => Promise<T>,
  options: { signal?: AbortSignal; say?: (text: string) => void } = {},
): Promise<T> {
  if (file !== STDIN_WORD) return work(file);
  const { signal, say: tell } = options;
  if (process.stdin.isTTY) tell?.(say(message(isWindows() ? 'paste_then_ctrl_z' : 'paste_then_ctrl_d', {})));
  return withCopy(process.stdin, { name: STDIN_NAME, ...defined({ signal }) }, work);
}

function isWindows(): boolean {
  return process.platform === 'win32';
}
