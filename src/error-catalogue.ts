/**
 * Every stable code that ends a command, with its cause, remedy and exit code (design §2).
 *
 * The entries are in error-codes/, one file per group; `docs/errors.md` is generated from them. The constructors in
 * errors.ts accept only these keys, so a code that is missing here does not compile. The codes of single rows are in
 * row-catalogue.ts.
 */
import { API } from './error-codes/api.ts';
import { COLUMNS } from './error-codes/columns.ts';
import { COMMAND } from './error-codes/command.ts';
import { DEFECTS } from './error-codes/defects.ts';
import { FILES } from './error-codes/files.ts';
import { JOBS } from './error-codes/jobs.ts';
import { LIMITS } from './error-codes/limits.ts';
import { PAGE } from './error-codes/page.ts';
import { SANDBOX } from './error-codes/sandbox.ts';
import { SETTINGS } from './error-codes/settings.ts';
import { STORE } from './error-codes/store.ts';
import { WORKER } from './error-codes/worker.ts';
import type { ErrorGroup } from './error-codes/entry.ts';

export const ERROR_GROUPS = [
  { title: 'The file', codes: FILES },
  { title: 'Limits of files', codes: LIMITS },
  { title: 'Columns, collections and templates', codes: COLUMNS },
  { title: 'The command and its output', codes: COMMAND },
  { title: 'Address, key and profiles', codes: SETTINGS },
  { title: 'The store', codes: STORE },
  { title: 'Jobs', codes: JOBS },
  { title: 'The API', codes: API },
  { title: 'The page', codes: PAGE },
  { title: 'The sandbox', codes: SANDBOX },
  { title: 'The worker', codes: WORKER },
  { title: 'Defects', codes: DEFECTS },
] as const satisfies readonly { title: string; codes: ErrorGroup }[];

export const ERROR_CATALOGUE = {
  ...FILES,
  ...LIMITS,
  ...COLUMNS,
  ...COMMAND,
  ...SETTINGS,
  ...STORE,
  ...JOBS,
  ...API,
  ...PAGE,
  ...SANDBOX,
  ...WORKER,
  ...DEFECTS,
} as const satisfies ErrorGroup;

/** A stable code that ends a command. */
export type ErrorCode = keyof typeof ERROR_CATALOGUE;
