/** The content of the workbook of `template new`: the fields of the contract, for a person to fill in. */
import {
  ITEM_CONDITIONS,
  ITEM_PACKAGINGS,
  ITEM_STATUSES,
  NAME_MAX,
  RELEASE_YEAR_MAX,
  RELEASE_YEAR_MIN,
} from '../../api/schemas.ts';
import { HELP_SHEET } from '../../sheets/table.ts';
import type { Form, FormColumn } from '../../sheets/write-form.ts';

/** Number of rows that have drop-downs and formats; further rows can be filled in. */
const ROWS = 5000;

/**
 * The form. Its headers are certain, so that the filled-in workbook imports without a template.
 *
 * @param collections names of the team's collections; undefined if they are not known
 */
export function newWorkbook(collections: readonly string[] | undefined): Form {
  return {
    sheet: 'Items',
    columns: columnsOf(collections),
    rows: ROWS,
    help: { sheet: HELP_SHEET, lines: helpLines(collections) },
  };
}

const TEXT = '@';

function columnsOf(collections: readonly string[] | undefined): FormColumn[] {
  return [
    {
      header: 'Name',
      note: `What the item is called. The only column that must be filled; at most ${NAME_MAX} characters.`,
      width: 36,
      numberFormat: TEXT,
      allow: { kind: 'length', least: 1, most: NAME_MAX },
    },
    {
      header: 'Collection',
      note: 'The collection that the item goes to. May stay blank if the import names one for all rows.',
      width: 22,
      numberFormat: TEXT,
      ...(collections === undefined || collections.length === 0
        ? {}
        : { allow: { kind: 'list', entries: collections } as const }),
    },
    { header: 'Brand', note: 'Who made it. May stay blank.', width: 18, numberFormat: TEXT },
    { header: 'Series', note: 'Line, set or series. May stay blank.', width: 18, numberFormat: TEXT },
    {
      header: 'Release year',
      note: `Four digits, ${RELEASE_YEAR_MIN} to ${RELEASE_YEAR_MAX}. May stay blank.`,
      width: 14,
      numberFormat: '0',
      allow: { kind: 'whole', least: RELEASE_YEAR_MIN, most: RELEASE_YEAR_MAX },
    },
    words('Condition', ITEM_CONDITIONS, 16),
    words('Packaging', ITEM_PACKAGINGS, 14),
    words('Status', ITEM_STATUSES, 12, ' Blank is keep.'),
    {
      header: 'Estimated value',
      note: 'A number of at least 0, in the currency of your team, without a sign. May stay blank.',
      width: 16,
      numberFormat: '#,##0.00',
      allow: { kind: 'decimal', least: 0 },
    },
    {
      header: 'Tags',
      note: 'Several are separated by a semicolon: rare; signed',
      width: 26,
      numberFormat: TEXT,
    },
  ];
}

function words(header: string, values: readonly string[], width: number, more = ''): FormColumn {
  const note = `One of ${values.join(', ')}. May stay blank.${more}`;
  return { header, note, width, numberFormat: TEXT, allow: { kind: 'list', entries: values } };
}

function helpLines(collections: readonly string[] | undefined): string[] {
  return [
    HELP_SHEET,
    'One row is one item. Three of the same toy are three rows.',
    'Only Name must be filled. A cell that you leave blank is not sent.',
    'The mouse over a header shows what belongs there; Condition, Packaging and Status have lists to choose from.',
    collections === undefined
      ? 'Collection is the name of one of your collections, exactly as the service shows it.'
      : 'Collection has a list of your collections as they were when this workbook was made.',
    'A column of your own becomes a custom field if its header begins with custom_fields. – for instance custom_fields.shelf. Other columns are left out, and the import says so.',
    'The order of the columns does not matter, and those that you do not need may be deleted. The headers must stay as they are.',
    'Then import the file. shelflift names wrong cells by row and column, and sends nothing until they are corrected or left out.',
  ];
}
