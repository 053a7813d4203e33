/** How a file is to be read, for the commands that look at one without importing it. */
import type { Argv } from 'yargs';
import type { OpenOptions } from '../../../sheets/table.ts';
import type { GlobalFlags } from '../../globals.ts';
import { whole } from '../../run-flags.ts';

export interface ReadFlags extends GlobalFlags {
  file: string;
  sheet?: string;
  delimiter?: string;
  encoding?: string;
  'header-row'?: number;
}

export function readOptions<T>(yargs: Argv<T>) {
  return yargs
    .positional('file', { type: 'string', demandOption: true, describe: 'CSV or XLSX file' })
    .option('sheet', { type: 'string', describe: 'sheet of a workbook', requiresArg: true })
    .option('delimiter', { type: 'string', describe: 'CSV: one character, or tab', requiresArg: true })
    .option('encoding', {
      type: 'string',
      describe: 'CSV: utf-8, utf-16le, windows-1252 …',
      requiresArg: true,
    })
    .option('header-row', { type: 'number', describe: 'row of the header', requiresArg: true });
}

export function toOpenOptions(flags: ReadFlags): OpenOptions {
  const { sheet, delimiter, encoding } = flags;
  const headerRow = flags['header-row'];
  return {
    ...(sheet === undefined ? {} : { sheet }),
    ...(delimiter === undefined ? {} : { delimiter }),
    ...(encoding === undefined ? {} : { encoding }),
    ...(headerRow === undefined ? {} : { headerRow: whole(headerRow, '--header-row', 0) }),
  };
}
