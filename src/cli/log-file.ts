/** --log-file is appended to while a command runs, so it must not be a file that the command reads or writes. */
import { resolve } from 'node:path';
import { UsageError } from '../base/errors.ts';
import type { GlobalFlags } from './flags.ts';
import { byHand, message } from '../messages/message.ts';

/** @throws UsageError `output_is_input` */
export function checkLogFile(flags: GlobalFlags, files: readonly (string | undefined)[]): void {
  const log = flags['log-file'];
  if (log === undefined) return;
  const same = files.find((file) => file !== undefined && resolve(file) === resolve(log));
  if (same === undefined) return;
  throw new UsageError(
    'output_is_input',
    message('log_is_other_file', { option: '--log-file', file: same }, byHand('name_other_log', {})),
  );
}
