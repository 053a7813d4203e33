/**
 * Compiles a mapping: headers, flags and template become one function a column, once; rows then pass through
 * without a lookup or a schema. That a row without issues satisfies the contract is proved by a property test,
 * not by a parse of each row.
 */
import { UsageError } from '../errors.ts';
import type { Cell } from '../sheets/cell.ts';
import type { AmountColumn } from './casts/amount.ts';
import { cellSource } from './columns/cell-source.ts';
import { type ColumnCast, columnCast } from './columns/column-cast.ts';
import { type ColumnStep, columnStep } from './columns/column-step.ts';
import { chooseColumns } from './columns/columns.ts';
import { compileConditions } from './columns/conditions.ts';
import { listHeaders } from './columns/find-column.ts';
import { isOwnExport, isResultsFile } from './headers.ts';
import { CLEAR, type MappedRow, type Mapping, type MappingOptions } from './mapping.ts';
import { compilePresets } from './template/presets.ts';
import { compileSkips } from './columns/skip-rules.ts';
import type { ColumnOptions } from './template/template-column.ts';
import { columnOptions, type Template } from './template/template.ts';
import { tickedStep } from './columns/ticked-step.ts';
import type { AmountSource } from '../money.ts';

/**
 * Compiles headers, `--map`, `--default`, `--match` and a template into a Mapping.
 *
 * Throws UsageError for what no row can mend: `unknown_field`, `unknown_column`, `duplicate_column`,
 * `missing_column`, `no_name_column` (creates), `no_match_column` (updates), `bad_default`, `default_in_update`.
 */
export function compileMapping(options: MappingOptions & { template?: Template }): Mapping {
  const { headers, letters, mode, template } = options;
  if (mode === 'update' && Object.keys(options.defaults).length > 0) {
    throw new UsageError(
      'default_in_update',
      '--default fills new items in; with --mode update there are none',
      {
        remedy: 'leave it out, or give the value in a column',
      },
    );
  }
  const ownExport = isOwnExport(headers);
  const unescape = options.format === 'csv' && (ownExport || isResultsFile(headers));
  const { uses, sources, ticked } = chooseColumns(options);
  const presets = { template, decimal: options.decimal };
  const constants = compilePresets({
    ...presets,
    values: template?.constants ?? {},
    source: 'constants',
    onlyMissing: false,
  });
  const defaults = [
    ...compilePresets({ ...presets, values: options.defaults, source: '--default', onlyMissing: true }),
    ...compilePresets({
      ...presets,
      values: template?.defaults ?? {},
      source: 'defaults',
      onlyMissing: true,
    }),
  ];
  const skips = compileSkips(template, { headers, letters });
  const conditions = compileConditions(template, { headers, letters }, options.decimal);

  const columns = sources.map(({ target, index, joined = [index] }) => {
    const spec = columnOptions(template, target);
    const header = joined.map((each) => headers[each] ?? '').join(' + ');
    const letter = joined.map((each) => letters[each] ?? '').join(' + ');
    const column = columnCast(target, { spec, header, ownExport, decimal: options.decimal });
    const step = columnStep({
      target,
      index,
      header,
      letter,
      source: cellSource(spec, joined, unescape),
      column,
      create: mode === 'create',
      isKey: options.match.includes(target),
      ownExport,
      unescape,
      blankClears: spec.blank === 'clear',
    });
    return { target, index, joined, header, letter, spec, column, step };
  });
  checkComplete(options, new Set(columns.map((column) => column.target)));

  // Words that set other fields go first, so that those fields' own columns have the last word.
  const steps: ColumnStep[] = [
    ...columns.filter((column) => column.column.setsOthers === true),
    ...columns.filter((column) => column.column.setsOthers !== true),
  ].map((column) => column.step);
  if (ticked.length > 0) steps.push(tickedStep(ticked, { headers, letters }));
  const amounts = columns.filter((column) => column.column.amounts !== undefined);
  const nameColumn = columns.find((column) => column.target === 'name');

  function asCreate(row: MappedRow): MappedRow {
    for (const field of Object.keys(row.fields) as (keyof MappedRow['fields'])[]) {
      const mapped = row.fields[field];
      if (mapped?.issue !== undefined) row.issues.push(mapped.issue);
      if (mapped?.issue !== undefined || mapped?.value === CLEAR) delete row.fields[field];
    }
    for (const [key, mapped] of Object.entries(row.customFields)) {
      if (mapped.issue !== undefined) row.issues.push(mapped.issue);
      if (mapped.issue !== undefined || mapped.value === CLEAR) delete row.customFields[key];
    }
    return completeCreate(row);
  }

  function completeCreate(row: MappedRow): MappedRow {
    for (const preset of defaults) preset(row);
    if (row.fields.name === undefined && !row.issues.some((issue) => issue.field === 'name')) {
      row.issues.push({
        code: 'required',
        message: 'name is blank',
        field: 'name',
        expected: '1 to 255 characters',
        ...(nameColumn === undefined ? {} : { header: nameColumn.header, column: nameColumn.letter }),
      });
    }
    return row;
  }

  function mapRow(cells: Cell[]): MappedRow {
    const row: MappedRow = { fields: {}, customFields: {}, copies: 1, issues: [] };
    for (const skip of skips) {
      const reason = skip(cells);
      if (reason !== undefined) {
        row.skip = reason;
        return row;
      }
    }
    for (const step of steps) step(cells, row);
    for (const preset of constants) preset(row);
    for (const condition of conditions) condition(cells, row);
    return mode === 'create' ? completeCreate(row) : row;
  }

  return {
    columns: uses,
    ownExport,
    mapRow,
    asCreate,
    // What stays ambiguous may still be what the item holds (column-step.ts).
    settleNumbers: () =>
      amounts
        .map(({ column }) => column.amounts?.settle() === true || column.amounts?.isAmbiguous === true)
        .includes(true),
    amountSource: () => {
      const value = amounts.find(({ target }) => target === 'estimated_value');
      return value === undefined ? undefined : amountSource(value);
    },
    notes: () =>
      amounts.flatMap(({ column, header, letter }) => amountNotes(column.amounts, `${letter} (${header})`)),
  };
}

function amountSource(value: {
  index: number;
  joined: number[];
  header: string;
  letter: string;
  spec: ColumnOptions;
  column: ColumnCast;
}): AmountSource | undefined {
  const { index, joined, header, letter, spec, column } = value;
  const seen = column.amounts?.currencyCodes() ?? [];
  const expected = column.amounts?.expected;
  if (seen.length === 0 && expected === undefined) return undefined;
  return {
    index,
    header,
    letter,
    seen,
    ...(spec.join === undefined ? {} : { joined, with: spec.with ?? ' ' }),
    ...(expected === undefined ? {} : { expected }),
    ...(spec.pattern === undefined ? {} : { pattern: spec.pattern }),
    ...(spec.group === undefined ? {} : { group: spec.group }),
  };
}

function amountNotes(amounts: AmountColumn | undefined, column: string): string[] {
  const notes: string[] = [];
  const style = amounts?.decided();
  if (style !== undefined)
    notes.push(`${column} has a decimal ${style}: decided from its unambiguous values`);
  const currencies = amounts?.currencies();
  if (currencies !== undefined) {
    const values = currencies.count === 1 ? '1 value' : `${currencies.count} values`;
    notes.push(
      `${values} in ${column} had a currency (${currencies.text}), which is not sent: the service decides the currency of an item`,
    );
  }
  return notes;
}

function checkComplete(options: MappingOptions & { template?: Template }, targets: Set<string>): void {
  const { mode, template } = options;
  const given = (target: string) => targets.has(target) || template?.constants?.[target] !== undefined;
  const columns = `the columns are ${listHeaders(options)}`;
  if (
    mode === 'create' &&
    !given('name') &&
    options.defaults['name'] === undefined &&
    template?.defaults?.['name'] === undefined
  ) {
    const which =
      'say which one it is with --map "name=HEADER" or --map name=LETTER; if these are a toy and no headers, put a row of headers above it';
    const mark = options.headers.length === 1 ? /[;,\t|]/.exec(options.headers[0] ?? '')?.[0] : undefined;
    throw new UsageError('no_name_column', `no column is the item's name: ${columns}`, {
      remedy:
        mark === undefined
          ? which
          : `all of it is one column: try --delimiter ${mark === '\t' ? 'tab' : `"${mark}"`}; or ${which}`,
    });
  }
  if (mode === 'create') return;
  // Without a column of its key an upsert would create every row, and all of them again the next time.
  for (const target of options.match.length === 0 ? ['id'] : options.match) {
    if (!given(target) && !(target === 'collection_id' && given('collection'))) {
      throw new UsageError(
        'no_match_column',
        `no column is ${target}, by which items are to be matched: ${columns}`,
        {
          remedy: `say which one it is with --map "${target}=HEADER"`,
        },
      );
    }
  }
}
