import { SheetError } from '../base/errors.ts';
import { byHand, message } from '../messages/message.ts';
import type { ByHand } from '../messages/params.ts';

/** Explains an operating system error. Our own and unknown errors pass unchanged. */
export function fileError(file: string, cause: unknown): unknown {
  const details = (advice: ByHand) => ({ cause, position: { file }, actions: [advice] });
  switch (systemCode(cause)) {
    case 'ENOENT':
    case 'ENOTDIR':
      return new SheetError(
        'no_such_file',
        message('no_such_file', { file }),
        details(byHand('check_its_name', {})),
      );
    case 'EISDIR':
      return new SheetError(
        'is_a_folder',
        message('is_a_folder', { file }),
        details(byHand('name_file_in_folder', {})),
      );
    case 'EACCES':
    case 'EPERM':
      return new SheetError(
        'not_readable',
        message('may_not_read', { file }),
        details(byHand('change_permissions', {})),
      );
    case 'EBUSY':
      return new SheetError(
        'not_readable',
        message('file_in_use', { file }),
        details(byHand('close_file_there', {})),
      );
    default:
      return cause;
  }
}

/** `ENOENT` and the like of a Node error; undefined for anything else. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}
