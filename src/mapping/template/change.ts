/**
 * One correction of how a staged file is read: of a column, a word, a rule, a cell, or of which rows count. Data, kept
 * with the job in the order of the corrections.
 *
 * Most are patches of the table's explicit template (explicit-template.ts), so they mean what templates mean.
 */
import { z } from 'zod';
import { defined } from '../../base/defined.ts';
import { UsageError } from '../../base/errors.ts';
import { nearest } from '../../base/nearest.ts';
import { problemsOf } from '../../base/yaml-file.ts';
import { inWords } from '../../base/schema-words.ts';
import { isRowCode, ROW_CODES } from '../../messages/row-codes.ts';
import { findHeader, findLetter, findPlace, type HeaderRow, listHeaders } from '../columns/find-column.ts';
import { CUSTOM_PREFIX } from '../custom-prefix.ts';
import { isTarget, TARGET_NAMES } from '../targets.ts';
import { placeOf, withoutPlace } from './explicit-template.ts';
import type { ColumnOptions } from './template-column.ts';
import { Condition, type RowTest, testsOf, When } from './template-rules.ts';
import { columnOptions, Template } from './template.ts';
import { message } from '../../messages/message.ts';
import type { Message } from '../../messages/params.ts';

/** The codes in the form in which `nearest` compares words. */
const CODES = ROW_CODES.map((code) => code.replaceAll('_', '-'));

/** The only problem that a person may overrule: for all other problems there is no value to send. */
export const ACCEPTABLE = 'summary_row';

/** A header, or a letter if the header is blank or belongs to several columns. */
const ColumnName = z.string().min(1);
const Row = z.int().min(1).describe('Row as a spreadsheet program shows it.');

export const Correction = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('map'), field: z.string(), column: ColumnName }),
  z.strictObject({ type: z.literal('ignore'), column: ColumnName }),
  z.strictObject({ type: z.literal('keep'), column: ColumnName }),
  z.strictObject({
    type: z.literal('word'),
    field: z.string(),
    word: z.string().min(1),
    /** The value; '' if the word has no meaning; a map sets several fields with words. */
    means: z.union([z.string(), z.record(z.string(), z.string())]),
  }),
  z.strictObject({ type: z.literal('default'), field: z.string(), value: z.string() }),
  z.strictObject({
    type: z.literal('option'),
    field: z.string(),
    /** A key of a template's column. */
    option: z.string(),
    /** Null removes it. */
    value: z.json(),
  }),
  z.strictObject({ type: z.literal('condition'), when: When, set: Condition.shape.set }),
  z.strictObject({ type: z.literal('skip'), when: When }),
  z.strictObject({
    type: z.literal('cell'),
    row: Row,
    sheet: z.string().optional(),
    column: ColumnName,
    text: z.string(),
    /** The kind of the cell, if it is not text: a number, yes or no, a date, money (cell-kinds.ts). */
    kind: z.enum(['n', 'b', 'd', 'm']).exactOptional(),
  }),
  z.strictObject({ type: z.literal('omit'), row: Row, sheet: z.string().optional() }),
  /** An item, although it looks like a total: `summary_row`. */
  z.strictObject({ type: z.literal('accept'), row: Row, sheet: z.string().optional() }),
  /** Chooses one of several items that have the row's key. */
  z.strictObject({
    type: z.literal('item'),
    row: Row,
    sheet: z.string().optional(),
    item: z.guid().toLowerCase(),
  }),
  /** Every row that has this problem, in this column (its letter). */
  z.strictObject({ type: z.literal('omitReason'), code: z.string(), column: z.string().optional() }),
  /** Every row that has this problem is an item. */
  z.strictObject({ type: z.literal('acceptReason'), code: z.string() }),
  /** Reads the columns as if no template were known. */
  z.strictObject({
    type: z.literal('template'),
    name: z.literal('none'),
    /** That reading, decided when the correction was made. */
    template: Template.exactOptional(),
  }),
]);
export type Correction = z.infer<typeof Correction>;

/** Index of a column in a table; undefined if the table has no such column. */
export function findColumn(table: HeaderRow, name: string): number | undefined {
  const index = findHeader(table, name) ?? findLetter(table, name);
  return index === undefined || table.headers[index]?.startsWith('_') === true ? undefined : index;
}

/**
 * The template after a change. Changes of cells and rows leave it as it is, and so do changes of columns
 * that the table does not have.
 *
 * @throws UsageError `bad_change`
 */
export function changeTemplate(template: Template, table: HeaderRow, change: Correction): Template {
  const changed = patch(structuredClone(template), table, change);
  const parsed = Template.safeParse(changed, { error: inWords });
  if (parsed.success) return parsed.data;
  const [{ path, said } = { path: [], said: message('makes_no_template', {}) }] = problemsOf(
    parsed.error.issues,
  );
  // The message names the change, which includes the field.
  const isItsOwn = 'field' in change && path[0] === 'columns' && path[1] === change.field;
  throw badChange(change, isItsOwn ? said : message('at_key', { key: path.join(', '), problem: said }));
}

/** @throws UsageError `bad_change` for a column that no table has, or a field that does not exist */
export function checkChange(change: Correction, tables: readonly HeaderRow[]): void {
  if ('field' in change && !isTarget(change.field))
    throw badChange(change, message('no_field_expected', { field: change.field, expected: TARGET_NAMES }));
  const ofReason = change.type === 'omitReason' || change.type === 'acceptReason';
  if (ofReason && !isRowCode(change.code)) {
    const meant = nearest(change.code.replaceAll('_', '-'), CODES)?.replaceAll('-', '_');
    throw badChange(change, message('no_problem_of_code', meant === undefined ? {} : { meant }));
  }
  if (change.type === 'acceptReason' && change.code !== ACCEPTABLE)
    throw badChange(change, message('only_taken_with', { code: ACCEPTABLE }));
  if (change.type === 'map' && change.field === 'id')
    throw badChange(change, message('ids_not_corrected', {}));
  const names =
    'column' in change && change.type !== 'omitReason'
      ? [change.column]
      : 'when' in change
        ? testsOf(change.when).flatMap(({ from, column }) => [from ?? String(column ?? '')].flat())
        : [];
  const [first] = tables;
  for (const name of names) {
    if (
      name === undefined ||
      first === undefined ||
      tables.some((table) => findColumn(table, name) !== undefined)
    )
      continue;
    throw badChange(change, message('no_column_of_job', { column: name, columns: listHeaders(first) }));
  }
}

export function badChange(change: Correction, problem: Message): UsageError {
  return new UsageError('bad_change', message('bad_change', { change: describeChange(change), problem }));
}

function patch(template: Template, table: HeaderRow, change: Correction): Template {
  switch (change.type) {
    case 'map':
    case 'keep':
    case 'ignore': {
      const index = findColumn(table, change.column);
      if (index === undefined) return template;
      if (change.type === 'keep' && isKept(template, table, index)) return template;
      release(template, table, index);
      if (change.type !== 'ignore')
        take(
          template,
          table,
          index,
          change.type === 'map' ? change.field : customName(template, table, index),
        );
      return template;
    }
    case 'word': {
      const spec = ownOptions(template, change.field);
      const { [change.word]: _, ...words } = spec.words ?? {};
      const blankWords = (spec.blankWords ?? []).filter((word) => word !== change.word);
      if (change.means === '') blankWords.push(change.word);
      else words[change.word] = change.means;
      template.columns[change.field] = {
        ...without(spec, ['words', 'blankWords']),
        ...(Object.keys(words).length === 0 ? {} : { words }),
        ...(blankWords.length === 0 ? {} : { blankWords }),
      };
      return template;
    }
    case 'default': {
      const { [change.field]: _, ...defaults } = template.defaults ?? {};
      if (change.value !== '') defaults[change.field] = change.value;
      return { ...template, defaults };
    }
    case 'option': {
      const { [change.option]: before, ...spec } = ownOptions(template, change.field) as Record<
        string,
        unknown
      >;
      const value =
        change.option === 'rates' && change.value !== null
          ? // Rates are given one by one.
            { ...(before as ColumnOptions['rates']), ...(change.value as ColumnOptions['rates']) }
          : change.value;
      template.columns[change.field] = value === null ? spec : { ...spec, [change.option]: value };
      return template;
    }
    case 'condition':
      return {
        ...template,
        conditions: [...(template.conditions ?? []), { when: change.when, set: change.set }],
      };
    case 'skip':
      return { ...template, skip: [...(template.skip ?? []), change.when] };
    case 'template':
      return structuredClone(change.template ?? template);
    default:
      return template;
  }
}

function ownOptions(template: Template, target: string): ColumnOptions {
  return { ...columnOptions(template, target) };
}

function without<T extends object>(record: T, keys: readonly (keyof T)[]): T {
  return Object.fromEntries(Object.entries(record).filter(([key]) => !keys.includes(key as keyof T))) as T;
}

/** Removes every use of a column except in rules and joins. */
function release(template: Template, table: HeaderRow, index: number): void {
  for (const target of Object.keys(template.columns)) {
    const spec = columnOptions(template, target);
    if (findPlace(table, spec.from, spec.column) === index) {
      const rest = { ...withoutPlace(spec) };
      // Dropped with the column, because a pattern matches this column's cells.
      const kept = without(rest, ['pattern', 'group', 'noMatch']);
      if (Object.keys(kept).length === 0 || target.startsWith(CUSTOM_PREFIX)) delete template.columns[target];
      else template.columns[target] = kept;
    }
    const { ticked } = columnOptions(template, target);
    if (ticked === undefined) continue;
    const pairs = Array.isArray(ticked)
      ? ticked.map((name) => [name, name] as const)
      : Object.entries(ticked);
    const left = pairs.filter(([name]) => findColumn(table, name) !== index);
    const rest = without(columnOptions(template, target), ['ticked']);
    if (left.length > 0) template.columns[target] = { ...rest, ticked: Object.fromEntries(left) };
    else if (Object.keys(rest).length > 0) template.columns[target] = rest;
    else delete template.columns[target];
  }
}

function take(template: Template, table: HeaderRow, index: number, target: string): void {
  const spec = without(withoutPlace(ownOptions(template, target)), ['pattern', 'group', 'noMatch']);
  template.columns[target] = { ...spec, ...placeOf(table, index) };
  // A collection is named either by id or by name.
  if (target === 'collection') delete template.columns['collection_id'];
  if (target === 'collection_id') delete template.columns['collection'];
  if (template.constants !== undefined) delete template.constants[target];
}

function isKept(template: Template, table: HeaderRow, index: number): boolean {
  return Object.keys(template.columns).some((target) => {
    const { from, column } = columnOptions(template, target);
    return target.startsWith(CUSTOM_PREFIX) && findPlace(table, from, column) === index;
  });
}

/** Names the custom field of a column. If several columns share a header, those after the first also get their letter. */
function customName(template: Template, { headers, letters }: HeaderRow, index: number): string {
  const letter = letters[index] ?? '';
  const name = CUSTOM_PREFIX + (headers[index] || letter);
  return Object.hasOwn(template.columns, name) ? `${name} (${letter})` : name;
}

/** `condition: C7 → mint_on_card`: one line for people. */
export function describeChange(change: Correction): Message {
  switch (change.type) {
    case 'map':
      return message('change_map', { column: change.column, field: change.field });
    case 'ignore':
      return message('change_ignore', { column: change.column });
    case 'keep':
      return message('change_keep', { column: change.column });
    case 'word': {
      const { field, word, means } = change;
      return message('change_word', {
        field,
        word,
        meaning: typeof means === 'string' ? means : pairs(means),
      });
    }
    case 'default':
      return message('change_default', { field: change.field, value: change.value });
    case 'option': {
      const { field, option, value } = change;
      if (value === null) return message('change_option_removed', { field, option });
      const isMap = typeof value === 'object' && !Array.isArray(value);
      return message('change_option', { field, option, value: isMap ? pairs(value) : JSON.stringify(value) });
    }
    case 'condition':
      return message('change_condition', { values: pairs(change.set), tests: describeWhen(change.when) });
    case 'skip':
      return message('change_skip', { tests: describeWhen(change.when) });
    case 'cell':
      return message('change_cell', { row: rowOf(change), column: change.column, text: change.text });
    case 'omit':
      return message('change_omit', { row: rowOf(change) });
    case 'item':
      return message('change_item', { row: rowOf(change), item: change.item });
    case 'accept':
      return message('change_accept', { row: rowOf(change) });
    case 'acceptReason':
      return message('change_accept_reason', { code: change.code });
    case 'template':
      return message('change_template', {});
    default:
      return message('change_omit_reason', { code: change.code, ...defined({ column: change.column }) });
  }
}

/** `year 1985, condition good`. */
function pairs(values: Readonly<Record<string, unknown>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name} ${String(value)}`)
    .join(', ');
}

function rowOf({ row, sheet }: { row: number; sheet?: string | undefined }): Message {
  return message('row_of_sheet', { row, ...defined({ sheet }) });
}

function describeWhen(when: When): Message[] {
  return testsOf(when).map(describeTest);
}

function describeTest({ from, column, is, isNot, blank, matches }: RowTest): Message {
  const columns = [from ?? String(column ?? '')].flat();
  if (is !== undefined) return message('test_is', { columns, words: is.map(String) });
  if (isNot !== undefined) return message('test_is_not', { columns, words: isNot.map(String) });
  if (matches !== undefined) return message('test_matches', { columns, pattern: matches });
  return message(blank === true ? 'test_blank' : 'test_filled', { columns });
}
