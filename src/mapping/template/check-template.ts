/** Shows how a template reads a file: `template check`. Reads the whole file and sends no request. */
import type { Message } from '../../messages/params.ts';
import { cellText } from '../../sheets/cell.ts';
import { openTable } from '../../sheets/open-table.ts';
import type { OpenOptions, SheetRow, SheetTable } from '../../sheets/table.ts';
import { sheetFit } from '../infer/fit-sheet.ts';
import { compileMapping } from '../compile.ts';
import { type IssueReason, IssueReasons } from '../issue-reasons.ts';
import { loadTemplate } from './load-template.ts';
import { CLEAR, type ColumnUse, type MappedRow, type Mapping } from '../mapping.ts';
import { CUSTOM_PREFIX } from '../custom-prefix.ts';
import { templateMode } from './template-mode.ts';
import { templateAdvice } from '../issue-actions.ts';
import { adviceOf, english } from '../../messages/message.ts';

/** A row as a template reads it. */
export interface CheckedRow {
  /** The row number in a spreadsheet program. */
  row: number;
  /** Header → text, filled cells only. */
  before: Record<string, string>;
  /** Field → value; `<clear>` empties a field. Absent if the row is skipped. */
  after?: Record<string, unknown>;
  /** Why the row is left out. */
  skipped?: string;
  /** The same as a message. */
  skippedSaid?: Message;
  /** Number of items that the row becomes, if more than one. */
  copies?: number;
  /** The problems of the row. */
  issues: {
    /** Stable, for programs. */
    code: string;
    /** A sentence for people. */
    message: string;
    /** The same as a message; absent for few problems. */
    said?: Message;
    /** Letter or header of the column. */
    column?: string;
  }[];
}

/** A problem, and the template option that would solve it. */
export interface TemplateProblem extends IssueReason {
  /** The template option, in English. */
  inTemplate?: string;
}

/** How a template reads a file. */
export interface TemplateCheck {
  /** Absolute path. */
  file: string;
  /** Name of the template. */
  template: string;
  /** The mode of the import. */
  mode: 'create' | 'update' | 'upsert';
  /** Fields that identify an item. */
  match: string[];
  /** How the file was read. */
  detected: Message[];
  /** The use of each column, in the order of the file. */
  columns: ColumnUse[];
  /** The first rows, before and after. */
  rows: CheckedRow[];
  /** Rows of the whole file. */
  counts: {
    /** Number of rows read. */
    read: number;
    /** Rows that could be sent. */
    valid: number;
    /** Rows with a problem. */
    invalid: number;
    /** Rows that a rule leaves out. */
    skipped: number;
    /** Items that the valid rows become: more than rows with a quantity column. */
    items: number;
  };
  /** The problems by reason, most rows first. */
  problems: TemplateProblem[];
  /** Notes for a person. */
  notes: Message[];
}

/**
 * @param shown how many of the first rows to show
 * @throws UsageError, SheetError: a template or file that cannot be used
 */
export async function checkTemplate(
  path: string,
  nameOrFile: string,
  options: OpenOptions & { decimal?: 'point' | 'comma' },
  shown: number,
): Promise<TemplateCheck> {
  const template = await loadTemplate(nameOrFile);
  const open = { ...options, fit: sheetFit(template) };
  const table = await openTable(path, open);
  const { headers, letters, format } = table;
  const base = { headers, letters, format, map: {}, defaults: {} };
  const { mode, match } = templateMode(template, base);
  const { decimal } = options;
  const mapping = compileMapping({
    ...base,
    mode,
    match,
    template,
    ...(decimal === undefined ? {} : { decimal }),
  });
  const about = { file: table.file, template: template.name, mode, match, detected: table.detected };
  let seen = await readRows(table, mapping, shown);
  // Numbers that were ambiguous at first may be clear now: the whole column decides how they are read.
  if (mapping.resolveDecimals()) seen = await readRows(await openTable(path, open), mapping, shown);
  return { ...about, columns: mapping.columns, ...seen, notes: [...table.notes, ...mapping.notes()] };
}

async function readRows(
  table: SheetTable,
  mapping: Mapping,
  shown: number,
): Promise<Pick<TemplateCheck, 'rows' | 'counts' | 'problems'>> {
  const rows: CheckedRow[] = [];
  const fill = mapping.filler();
  const reasons = new IssueReasons();
  const counts = { read: 0, valid: 0, invalid: 0, skipped: 0, items: 0 };
  for await (const batch of table.batches) {
    for (const row of batch) {
      const mapped = mapping.mapRow(fill?.(row.cells).cells ?? row.cells);
      if (row.problem !== undefined) mapped.issues.push(row.problem);
      counts.read += 1;
      if (mapped.skip !== undefined) counts.skipped += 1;
      else if (mapped.issues.length > 0) counts.invalid += 1;
      else {
        counts.valid += 1;
        counts.items += mapped.copies;
      }
      for (const issue of mapped.issues) reasons.add({ row: row.number, line: row.line }, issue);
      if (rows.length < shown) rows.push(checkedRow(row, mapped, table));
    }
  }
  return { rows, counts, problems: reasons.reasons().map(withAdvice) };
}

function checkedRow(row: SheetRow, mapped: MappedRow, { headers, letters }: SheetTable): CheckedRow {
  const before: [string, string][] = [];
  for (const [index, cell] of row.cells.entries()) {
    const text = cellText(cell);
    if (text.trim() !== '') before.push([headers[index] || `column ${letters[index] ?? ''}`, text]);
  }
  const checked: CheckedRow = {
    row: row.number,
    before: Object.fromEntries(before),
    issues: mapped.issues.map(({ code, message, said, header }) => ({
      code,
      message,
      ...(said === undefined ? {} : { said }),
      ...(header === undefined ? {} : { column: header }),
    })),
  };
  if (mapped.skip !== undefined) {
    checked.skipped = english(mapped.skip);
    checked.skippedSaid = mapped.skip;
  } else checked.after = valuesOf(mapped);
  if (mapped.copies > 1) checked.copies = mapped.copies;
  return checked;
}

function valuesOf(mapped: MappedRow): Record<string, unknown> {
  const after: Record<string, unknown> = {};
  if (mapped.id !== undefined) after['id'] = mapped.id;
  if (mapped.collection !== undefined) after['collection'] = mapped.collection;
  for (const [field, value] of Object.entries(mapped.fields)) after[field] = shown(value?.value);
  for (const [key, value] of Object.entries(mapped.customFields))
    after[CUSTOM_PREFIX + key] = shown(value.value);
  return after;
}

function shown(value: unknown): unknown {
  return value === CLEAR ? '<clear>' : value;
}

function withAdvice(reason: IssueReason): TemplateProblem {
  const inTemplate = adviceOf(templateAdvice(reason));
  return inTemplate === undefined ? reason : { ...reason, inTemplate };
}
