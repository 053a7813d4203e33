import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { UsageError } from '../../base/errors.ts';
import { saidIn } from '../../base/schema-words.ts';
import { message } from '../../messages/message.ts';
import { whyUnwritable } from '../../sheets/atomic-file.ts';
import { makeFolder } from '../../base/make-folder.ts';

/** Checks, before anything is sent, that the results can be written to a folder, which is made if it does not exist. */
export async function checkFolder(folder: string): Promise<void> {
  try {
    makeFolder(folder);
    await access(folder, constants.W_OK);
  } catch (cause) {
    const why = whyUnwritable(cause) ?? saidIn(cause instanceof Error ? cause.message : String(cause));
    const label = message('to_write_elsewhere', {});
    throw new UsageError('out_dir_unwritable', message('out_dir_unwritable', { folder, why }), {
      cause,
      actions: [{ do: 'setOption', option: 'out-dir', value: 'DIR', label }],
    });
  }
}
