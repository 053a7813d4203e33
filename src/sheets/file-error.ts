import { SheetError } from '../errors.ts';

/** Explains an operating system error. Our own and unknown errors pass unchanged. */
export function fileError(file: string, cause: unknown): unknown {
  const details = (remedy: string) => ({ cause, position: { file }, remedy });
  switch (systemCode(cause)) {
    case 'ENOENT':
    case 'ENOTDIR':
      return new SheetError(
        'no_such_file',
        `There is no file ${file}.`,
        details('Check the spelling and the folder.'),
      );
    case 'EISDIR':
      return new SheetError(
        'is_a_folder',
        `${file} is a folder, not a spreadsheet.`,
        details('Name a file in it.'),
      );
    case 'EACCES':
    case 'EPERM':
      return new SheetError(
        'not_readable',
        `You lack permission to read ${file}.`,
        details('Change its permissions, or copy it to a folder of your own.'),
      );
    case 'EBUSY':
      return new SheetError(
        'not_readable',
        `${file} is in use by another program.`,
        details('Close it there and try again.'),
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
