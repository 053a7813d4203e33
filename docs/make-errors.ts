/** Writes errors.md beside it from the catalogues: `npm run docs:errors`. A test holds the two together. */
import { writeFileSync } from 'node:fs';
import { ERROR_GROUPS } from '../src/error-catalogue.ts';
import type { CatalogueEntry, ErrorEntry } from '../src/error-codes/entry.ts';
import { ROW_GROUPS } from '../src/row-catalogue.ts';

/** The whole of errors.md. */
export function errorsPage(): string {
  return [
    '# Errors, what they mean, and what to do',
    '',
    'Made by `npm run docs:errors` from src/error-catalogue.ts and src/row-catalogue.ts: change those.',
    '',
    'Codes are stable: scripts may depend on them. The message that is printed says more than this page: which file, sheet, row and column, what was found, and what was expected.',
    '',
    '## What ends a command',
    '',
    'The code stands in `error.code` with `--json`. The number beside it is the exit code.',
    ...ERROR_GROUPS.flatMap(({ title, codes }) =>
      table<ErrorEntry>(
        `### ${title}`,
        ['code', 'exit', 'what it means', 'what to do'],
        codes,
        (code, entry) => [`\`${code}\``, String(entry.exit), entry.cause, entry.remedy],
      ),
    ),
    '',
    '## What is wrong with a row',
    '',
    'The code stands in the column `_error_code` of the results and rejects files. A row’s problem ends nothing: all of them are reported. The command ends with 3 where a row stays behind.',
    ...ROW_GROUPS.flatMap(({ title, codes }) =>
      table<CatalogueEntry>(`### ${title}`, ['code', 'what it means', 'what to do'], codes, (code, entry) => [
        `\`${code}\``,
        entry.cause,
        entry.remedy,
      ]),
    ),
    '',
  ].join('\n');
}

function table<E extends CatalogueEntry>(
  title: string,
  columns: string[],
  codes: Record<string, E>,
  cells: (code: string, entry: E) => string[],
): string[] {
  const line = (texts: string[]) => `| ${texts.map((text) => text.replaceAll('|', '\\|')).join(' | ')} |`;
  const rows = Object.entries(codes).map(([code, entry]) => line(cells(code, entry)));
  return ['', title, '', line(columns), line(columns.map(() => '---')), ...rows];
}

if (import.meta.main) writeFileSync(new URL('errors.md', import.meta.url), errorsPage());
