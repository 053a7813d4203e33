/** Limits of files, so that a hostile one is refused by name. */
import type { ErrorGroup } from './entry.ts';

const TRUSTED = 'If you trust the file, open it in a spreadsheet program and save the one sheet as CSV.';

export const LIMITS = {
  limit_columns: {
    exit: 2,
    cause: 'The table has more columns than a sheet can hold (16,384).',
    remedy: TRUSTED,
  },
  limit_rows: {
    exit: 2,
    cause: 'The sheet has more rows than a sheet can hold (1,048,576).',
    remedy: TRUSTED,
  },
  limit_record_size: {
    exit: 2,
    cause: 'A row of the CSV is longer than any should be: mostly a quote is never closed.',
    remedy: 'Close the quote at the line named, or write it twice.',
  },
  limit_zip_entries: { exit: 2, cause: 'The workbook has more parts than any should.', remedy: TRUSTED },
  limit_part_size: {
    exit: 2,
    cause: 'A part of the workbook is larger than 4 GB unpacked.',
    remedy: TRUSTED,
  },
  limit_inflation: {
    exit: 2,
    cause: 'A part of the workbook unpacks to far more than its size, as in a zip bomb.',
    remedy: TRUSTED,
  },
  limit_shared_strings: { exit: 2, cause: 'The workbook has more texts than any should.', remedy: TRUSTED },
  limit_shared_string_size: { exit: 2, cause: 'The texts of the workbook are too large.', remedy: TRUSTED },
  limit_cell_formats: {
    exit: 2,
    cause: 'The workbook has more cell formats than Excel allows.',
    remedy: TRUSTED,
  },
  limit_xml_text: {
    exit: 2,
    cause:
      'A cell of the workbook is larger than any can be, or a part of it is white space by the megabyte.',
    remedy: TRUSTED,
  },
  limit_xml_entities: {
    exit: 2,
    cause: 'The workbook declares XML entities, as none does but an attack.',
    remedy: TRUSTED,
  },
} as const satisfies ErrorGroup;
