/**
 * How well a sheet fits as the list of items, so that instructions, users and licences are not mistaken
 * for the list.
 */
import { peekRows } from '../../sheets/peek-rows.ts';
import type { SheetTable } from '../../sheets/table.ts';
import { fieldOfHeader } from '../columns/columns.ts';
import { findPlace } from '../columns/find-column.ts';
import { findSynonyms } from '../synonyms.ts';
import { columnOptions, type Template } from '../template/template.ts';
import { inferColumns } from './infer-columns.ts';

/** Number of rows of each sheet to look at. */
const ROWS = 100;

/** Counts the fields that headers and rows suggest, or the columns of the template that the sheet has. Higher is better. */
export function sheetFit(template?: Template): (table: SheetTable) => Promise<number> {
  return async (table) => {
    const { rows, close } = await peekRows(table, ROWS);
    await close();
    return template === undefined
      ? fieldsOf(
          table,
          rows.slice(0, ROWS).map(({ cells }) => cells),
        )
      : placesOf(table, template);
  };
}

function placesOf(table: SheetTable, template: Template): number {
  return Object.keys(template.columns).filter((target) => {
    const { from, column, join = [] } = columnOptions(template, target);
    return (
      [from ?? [], ...join].flat().some((name) => table.headers.includes(name)) ||
      findPlace(table, undefined, column) !== undefined
    );
  }).length;
}

function fieldsOf(
  { headers, letters, format }: SheetTable,
  rows: Parameters<typeof inferColumns>[1],
): number {
  const options = { headers, letters, format, map: {}, defaults: {}, mode: 'create' as const, match: [] };
  const { columns } = inferColumns(options, rows);
  if (!columns.some(({ target, header }) => target === 'name' || fieldOfHeader(header) === 'id')) return 0;
  // A list of users has names, too.
  if (columns.some(({ reason }) => reason.code === 'looks_secret')) return 0;
  const isNamed = (header: string) => fieldOfHeader(header) !== undefined || findSynonyms(header).length > 0;
  return columns
    .filter(({ target, header, profile }) => target !== undefined && profile.filled > 0 && isNamed(header))
    .reduce(
      (sum, { confidence }) => sum + (confidence === 'certain' ? 1 : confidence === 'likely' ? 0.5 : 0),
      0,
    );
}
