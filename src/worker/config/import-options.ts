/** Options of an import by a watched folder or a schedule: those of `import`, and the source of its file. */
import { z } from 'zod';
import { ImportOptions, RunOptions } from '../../import/job/options.ts';
import { text } from '../../base/option.ts';
import { problem } from '../../base/schema-words.ts';
import { message } from '../../messages/message.ts';
import { ADDRESS, ADDRESS_KEYS, RclonePath, SftpFile } from './remotes.ts';
import { eitherSpelling, withoutDashes } from './spellings.ts';

const {
  defaults,
  dryRun: _dryRun,
  outDir: _outDir,
  checkSimilar: _checkSimilar,
  missing: _missing,
  ...importing
} = ImportOptions.shape;

const IMPORT_TASK = {
  ...importing,
  default: defaults,
  ...RunOptions.pick({ allRows: true, maxChanges: true, maxRefused: true, onDrift: true, yes: true }).shape,
};

/** `{ collection: Main, skipInvalid: true, … }` */
export const ImportTask = eitherSpelling(IMPORT_TASK);
export type ImportTask = z.infer<typeof ImportTask>;

const host = z.string().regex(/^(\*\.)?[a-z0-9.-]+(:\d+)?$/i, problem('expected_host', {}));

const FROM = [...ADDRESS_KEYS, 'sftp', 'rclone'] as const;

const SOURCE = {
  ...ADDRESS,
  redirects: z
    .array(host)
    .optional()
    .describe('Other hosts that the address may redirect to, such as files.example.com or *.example.com.'),
  sftp: SftpFile,
  rclone: RclonePath,
  outDir: text.describe('Folder for the file and its results (default: the state folder).'),
  alertShare: z
    .number()
    .min(0)
    .max(1)
    .describe('A file with a larger share of invalid or refused rows has failed (default: 0.5).'),
};

/** `{ url: "https://example.com/stock.csv", collection: Main, … }` */
export const SourceImport = eitherSpelling({ ...SOURCE, ...IMPORT_TASK }, (written, report) => {
  const given = FROM.filter((key) => withoutDashes(written)[key] !== undefined);
  if (given.length !== 1) report(message('expected', { expected: message('one_of', { words: FROM }) }));
});
export type SourceImport = z.infer<typeof SourceImport>;

/** The import options of a task, without its source. */
export function importOptionsOf(source: SourceImport): ImportTask {
  return Object.fromEntries(Object.entries(source).filter(([key]) => !(key in SOURCE)));
}
