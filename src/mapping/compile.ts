/**
 * Compiles a mapping. Headers, flags and the template become one function per column, once; each row then only calls
 * them, without a lookup or a schema. A property test proves that rows without issues satisfy the contract, so rows
 * are not parsed again.
 */
import { NAME_MAX } from '../api/schemas.ts';
import { rowIssue } from './issue.ts';
import { byHand, message } from '../messages/message.ts';
import type { Action, Message } from '../messages/params.ts';
import { UsageError } from '../base/errors.ts';
import { bareCell, type Cell, cellText, isMoney } from '../sheets/cell.ts';
import { AmountColumn } from './casts/amount.ts';
import { cut } from './casts/cast.ts';
import { cellSource } from './columns/cell-source.ts';
import { type ColumnCast, columnCast } from './columns/column-cast.ts';
import { chosenItemStep } from './columns/chosen-item.ts';
import { exportedStep } from './columns/exported-step.ts';
import { type ColumnStep, columnStep } from './columns/column-step.ts';
import { chooseColumns } from './columns/columns.ts';
import { compileConditions } from './columns/conditions.ts';
import { listHeaders } from './columns/find-column.ts';
import { CUSTOM_PREFIX } from './custom-prefix.ts';
import { isTarget } from './targets.ts';
import { fillerTest } from './columns/filler-rows.ts';
import { hintsAtMoney } from './infer/header-hints.ts';
import { isOwnExport, isResultsFile } from '../sheets/own-headers.ts';
import { CLEAR, type MappedRow, type Mapping, type MappingOptions, type RowFiller } from './mapping.ts';
import { compilePresets, type PresetOptions } from './template/presets.ts';
import { compileSkips } from './columns/skip-rules.ts';
import type { ColumnOptions } from './template/template-column.ts';
import { columnOptions, type Template } from './template/template.ts';
import { tickedStep } from './columns/ticked-step.ts';
import type { AmountSource } from '../base/money.ts';
import { mapField } from './columns/find-column.ts';

/**
 * Compiles headers, `--map`, `--default`, `--match` and a template into a Mapping.
 *
 * Throws UsageError for problems that no change of a row can fix: `unknown_field`, `unknown_column`,
 * `duplicate_column`, `missing_column`, `no_name_column` (creates), `no_match_column` (updates), `bad_default`,
 * `default_in_update`.
 */
export function compileMapping(options: MappingOptions & { template?: Template }): Mapping {
  const { headers, letters, mode, template } = options;
  const ownExport = isOwnExport(headers);
  const exact = ownExport || options.format === 'fields';
  const { uses, sources, ticked } = chooseColumns(options);
  const presets = { template, decimal: options.decimal };
  const constants = compilePresets({
    ...presets,
    values: template?.constants ?? {},
    source: 'constants',
    onlyMissing: false,
  });
  const defaults = compileDefaults(options);
  // An update does not complete items: its defaults set fields that no column feeds.
  const everyUpdate =
    mode === 'update' ? compilePresets({ ...presets, ...defaultsOfUpdate(options, sources) }) : [];
  const skips = compileSkips(template, { headers, letters });
  const conditions = compileConditions(template, { headers, letters }, options.decimal);

  const columns = sources.map((source) => compileColumn(source, options, exact));
  checkComplete(options, new Set(columns.map((column) => column.target)));

  // Columns that also set other fields go first, so that those fields' own columns win.
  const steps: { step: ColumnStep; readsMoney?: boolean }[] = [
    ...columns.filter((column) => column.column.setsOthers === true),
    ...columns.filter((column) => column.column.setsOthers !== true),
  ];
  if (ticked.length > 0) steps.push({ step: tickedStep(ticked, { headers, letters }) });
  for (const ownStep of [chosenItemStep, exportedStep]) {
    const step = ownStep({ headers, letters }, mode);
    if (step !== undefined) steps.push({ step });
  }
  const amounts = columns.filter((column) => column.column.amounts !== undefined);
  const marks = exact ? undefined : otherAmounts(options, new Set(amounts.flatMap(({ joined }) => joined)));
  if (marks !== undefined) steps.push(marks);
  const name = columns.find((column) => column.target === 'name');
  const { asCreate, complete } = createsOf(defaults, name);
  const fillerOf = name && fillerTest(name.spec.fillers, name.joined, { headers, letters });

  const formats = new FormatCurrencies();

  function mapRow(cells: Cell[]): MappedRow {
    const row: MappedRow = { fields: {}, customFields: {}, copies: 1, issues: [] };
    const bare = formats.without(cells);
    for (const skip of skips) {
      const reason = skip(bare);
      if (reason !== undefined) {
        row.skip = reason;
        return row;
      }
    }
    for (const { step, readsMoney } of steps) step(readsMoney === true ? cells : bare, row);
    for (const preset of constants) preset(row);
    for (const preset of everyUpdate) preset(row);
    for (const condition of conditions) condition(bare, row);
    return mode === 'create' ? withoutFiller(complete(row), cells) : row;
  }

  function withoutFiller(row: MappedRow, cells: readonly Cell[]): MappedRow {
    const isNameless = fillerOf !== undefined && row.issues.some(({ code }) => code === 'required');
    const holds = isNameless ? fillerOf(cells) : undefined;
    if (holds === undefined) return row;
    const skip = message('filler_row', { text: cut(holds) });
    name?.column.likely.add(skip);
    return { ...row, skip, notes: [skip], issues: [] };
  }

  function likely(jobId?: string): Message[] {
    return columns.flatMap(({ target, column, header, letter }) =>
      column.likely.notes(target, { column: letter, header }, jobId),
    );
  }

  // The rows above are not those of the file in a file of rows to correct.
  const filled = isResultsFile(headers) ? [] : columns.filter(({ spec }) => spec.fillDown === true);
  return {
    columns: uses,
    ownExport,
    filler: () => (filled.length === 0 ? undefined : downFiller(filled)),
    filledColumns: filled.flatMap(({ joined }) => joined),
    mapRow,
    asCreate,
    // An amount that stays ambiguous may still equal the item's value (column-step.ts).
    resolveDecimals: () => {
      for (const { column } of columns) {
        column.approximations?.close();
        column.likely.close();
      }
      const shown = new Set(
        [marks, ...amounts.map(({ column }) => column)].flatMap((each) => each?.amounts?.marks ?? []),
      );
      const [mark] = shown.size === 1 ? shown : [];
      return amounts
        .map(({ column }) => column.amounts?.resolve(mark) === true || column.amounts?.isAmbiguous === true)
        .includes(true);
    },
    decimals: () =>
      new Map(
        amounts.flatMap(({ target, column }) => {
          const style = column.amounts?.style;
          return style === undefined ? [] : [[target, style]];
        }),
      ),
    amountSource: () => {
      const value = amounts.find(({ target }) => target === 'estimated_value');
      return value === undefined ? undefined : amountSource(value, !isResultsFile(headers));
    },
    likely,
    notes: (jobId) => [
      ...likely(jobId),
      ...uses
        .filter(({ reason }) => reason.code === 'looks_secret')
        .map(({ header, letter }) => message('secret_not_sent', { column: letter, header })),
      ...formats.notes(columns.filter(({ readsMoney }) => !readsMoney)),
      ...columns.flatMap(({ target, column, header, letter }) => {
        const where = { column: letter, header };
        const approximate = column.approximations?.note();
        const commas = column.commas?.note();
        const lostDigits = column.lostDigits?.note();
        return [
          ...amountNotes(column.amounts, where, jobId !== undefined && target === 'estimated_value'),
          ...(approximate === undefined ? [] : [message('approximate_read', { ...where, ...approximate })]),
          ...(lostDigits === undefined ? [] : [message('long_numbers_kept', { ...where, text: lostDigits })]),
          ...(commas === undefined
            ? []
            : [message('commas_in_tags', { ...where, ...commas }, ...howToSplit(jobId))]),
        ];
      }),
    ],
  };
}

/** The currencies that only the formats of a workbook's cells show: for columns other than money, cells have none. */
class FormatCurrencies {
  /** By column. */
  readonly #seen = new Map<number, Set<string>>();

  without(cells: Cell[]): Cell[] {
    if (!cells.some(isMoney)) return cells;
    for (const [index, cell] of cells.entries()) {
      if (!isMoney(cell)) continue;
      const seen = this.#seen.get(index) ?? new Set();
      this.#seen.set(index, seen.add(cell.currency));
    }
    return cells.map(bareCell);
  }

  notes(columns: readonly { joined: readonly number[]; letter: string }[]): Message[] {
    const shown = columns.filter(({ joined }) => joined.some((index) => this.#seen.has(index)));
    if (shown.length === 0) return [];
    const currencies = shown.flatMap(({ joined }) =>
      joined.flatMap((index) => [...(this.#seen.get(index) ?? [])]),
    );
    const names = shown.map(({ letter }) => letter);
    return [message('currency_by_format', { columns: names, currencies: [...new Set(currencies)] })];
  }
}

/** Amounts that no field uses, such as the price paid: they also show the file's decimal mark. */
function otherAmounts(
  { headers }: MappingOptions,
  used: ReadonlySet<number>,
): { step: ColumnStep; amounts: AmountColumn } | undefined {
  const indexes = headers.flatMap((header, index) =>
    !used.has(index) && hintsAtMoney(header) ? [index] : [],
  );
  if (indexes.length === 0) return undefined;
  const amounts = new AmountColumn({ signed: true, isBlankWord: () => false });
  const step: ColumnStep = (cells) => {
    for (const index of indexes) {
      const cell = cells[index];
      if (typeof cell === 'string' && cell !== '') amounts.cast(cell.trim(), cell);
    }
  };
  return { step, amounts };
}

type CompiledColumn = ReturnType<typeof compileColumn>;

/** One column of the table, and its effect on a row. */
function compileColumn(
  { target, index, joined = [index], options: own }: ReturnType<typeof chooseColumns>['sources'][number],
  options: MappingOptions & { template?: Template },
  exact: boolean,
) {
  const { headers, letters, template } = options;
  const spec = { ...own, ...columnOptions(template, target) };
  const header = joined.map((each) => headers[each] ?? '').join(' + ');
  const letter = joined.map((each) => letters[each] ?? '').join(' + ');
  // Values from a program are not written for people, so their decimal mark is a point.
  const given = options.format === 'fields' ? (options.decimal ?? 'point') : options.decimal;
  const decimal = options.explicit === true && !exact ? undefined : given;
  const column = columnCast(target, { spec, header, exact, decimal, rates: options.rates });
  // A plain number is no money, even if its format shows a currency.
  const readsMoney = column.amounts !== undefined && spec.as !== 'decimal';
  const step = columnStep({
    target,
    index,
    header,
    letter,
    source: cellSource(spec, joined, readsMoney),
    column,
    create: options.mode === 'create',
    isKey: options.match.includes(target),
    exact,
    decimal,
    blankClears: spec.blank === 'clear',
  });
  return { target, index, joined, header, letter, spec, column, step, readsMoney };
}

/** Flags before the template: the first value counts. */
function compileDefaults({
  template,
  decimal,
  defaults,
}: MappingOptions & { template?: Template }): ReturnType<typeof compilePresets> {
  const presets = { template, decimal, onlyMissing: true };
  return [
    ...compilePresets({ ...presets, values: defaults, source: 'default' }),
    ...compilePresets({ ...presets, values: template?.defaults ?? {}, source: 'defaults' }),
  ];
}

/** Completes a row to a new item: fills in the defaults, and checks that it has a name. */
function createsOf(
  defaults: ReturnType<typeof compilePresets>,
  nameColumn: Pick<CompiledColumn, 'header' | 'letter'> | undefined,
): Pick<Mapping, 'asCreate'> & { complete: (row: MappedRow) => MappedRow } {
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
    return complete(row);
  }

  function complete(row: MappedRow): MappedRow {
    for (const preset of defaults) preset(row);
    if (row.fields.name === undefined && !row.issues.some((issue) => issue.field === 'name')) {
      const where = nameColumn === undefined ? {} : { header: nameColumn.header, column: nameColumn.letter };
      const expected = message('want_name', { most: NAME_MAX });
      row.issues.push(
        rowIssue('required', message('name_is_blank', {}), { field: 'name', expected, ...where }),
      );
    }
    return row;
  }

  return { complete, asCreate };
}

/** @throws UsageError `default_in_update` for a field that a column feeds */
function defaultsOfUpdate(
  { defaults, explicit, headers, template }: MappingOptions & { template?: Template },
  sources: readonly { target: string; index: number }[],
): Pick<PresetOptions, 'values' | 'source' | 'onlyMissing'> {
  const columnOf = (target: string) => sources.find((each) => sameSlot(each.target, target));
  // In a job that was mended, a column may feed the field by now.
  const given = explicit === true ? (template?.defaults ?? {}) : defaults;
  const values = Object.fromEntries(
    Object.entries(given).filter(([target, value]) => {
      const column = columnOf(target);
      if (column === undefined || explicit === true) return column === undefined;
      const pair = `${target}=${String(value)}`;
      const header = cut(headers[column.index] ?? '');
      throw new UsageError(
        'default_in_update',
        message('default_in_update', { pair, header, field: target }),
        {
          actions: [byHand('fill_cells_in', {}), setWhatever(pair)],
        },
      );
    }),
  );
  return { values, source: 'default', onlyMissing: false };
}

/** The name and the id of a collection share a field. */
function sameSlot(a: string, b: string): boolean {
  const slot = (target: string) => (target === 'collection_id' ? 'collection' : target);
  return slot(a) === slot(b);
}

function downFiller(
  filled: readonly { index: number; joined: number[]; header: string; spec: ColumnOptions }[],
): RowFiller {
  const last = new Map<number, Cell>();
  return (cells) => {
    const now = [...cells];
    const notes: Message[] = [];
    for (const { joined, header } of filled) {
      for (const index of joined) {
        const cell = cells[index] ?? null;
        const above = last.get(index);
        if (cellText(cell).trim() !== '') last.set(index, cell);
        else if (above !== undefined) now[index] = above;
      }
      const [index = -1] = joined;
      if (now[index] !== cells[index])
        notes.push(message('filled_down', { column: header, text: cut(cellText(now[index] ?? null)) }));
    }
    return { cells: now, notes };
  };
}

function amountSource(
  value: {
    index: number;
    joined: number[];
    header: string;
    letter: string;
    spec: ColumnOptions;
    column: ColumnCast;
  },
  fills: boolean,
): AmountSource | undefined {
  const { index, joined, header, letter, spec, column } = value;
  const seen = column.amounts?.currencyCodes() ?? [];
  // The currency of a column without amounts says nothing.
  const expected = column.amounts?.isUsed === true ? column.amounts.expected : undefined;
  const converted = column.amounts?.converted ?? [];
  const convertedSeen = [...(column.amounts?.convertedSeen ?? [])];
  if (seen.length === 0 && expected === undefined && converted.length === 0) return undefined;
  return {
    index,
    header,
    letter,
    seen,
    ...(spec.join === undefined ? {} : { joined, with: spec.with ?? ' ' }),
    ...(expected === undefined ? {} : { expected }),
    ...(spec.pattern === undefined ? {} : { pattern: spec.pattern }),
    ...(spec.group === undefined ? {} : { group: spec.group }),
    ...(fills && spec.fillDown === true ? { fillDown: true as const } : {}),
    ...(converted.length === 0 ? {} : { converted }),
    ...(convertedSeen.length === 0 ? {} : { convertedSeen }),
  };
}

function amountNotes(
  amounts: AmountColumn | undefined,
  where: { column: string; header: string },
  isCompared: boolean,
): Message[] {
  const notes: Message[] = [];
  const style = amounts?.decided();
  if (style !== undefined) notes.push(message('decimal_decided', { ...where, isComma: style === 'comma' }));
  const currencies = isCompared ? undefined : amounts?.currencies();
  if (currencies !== undefined) {
    const { count: values, text } = currencies;
    notes.push(message('currency_not_sent', { ...where, values, currencies: text }));
  }
  return notes;
}

/** Sets a value for a field even if its column has blank cells. */
function setWhatever(pair: string): Action {
  const options = { from: 'FILE', match: 'FIELD=COLUMN' };
  return { do: 'run', command: 'set', args: [pair], options, label: message('to_set_whatever', {}) };
}

function splitAt(mark: string): Action {
  const value = mark === '\t' ? 'tab' : mark;
  return { do: 'setOption', option: 'delimiter', value, label: message('to_split_column', {}) };
}

function howToSplit(job: string | undefined): Action[] {
  const label = message('to_split_at_commas', {});
  return job === undefined ? [] : [{ do: 'mend', job, options: { option: 'tags:separators=,' }, label }];
}

/** The action that matches by a custom field: a column such as sku is a custom field of the item. */
function matchCustomField(name: string): Action {
  const label = message('to_find_by_custom_field', {});
  return { do: 'setOption', option: 'match', value: `${CUSTOM_PREFIX}${name}`, label };
}

function checkComplete(options: MappingOptions & { template?: Template }, targets: Set<string>): void {
  const { mode, template } = options;
  const given = (target: string) => targets.has(target) || template?.constants?.[target] !== undefined;
  const columns = listHeaders(options);
  if (
    mode === 'create' &&
    !given('name') &&
    options.defaults['name'] === undefined &&
    template?.defaults?.['name'] === undefined
  ) {
    const mark = options.headers.length === 1 ? /[;,\t|]/.exec(options.headers[0] ?? '')?.[0] : undefined;
    throw new UsageError('no_name_column', message('no_name_column', { columns }), {
      actions: [
        ...(mark === undefined ? [] : [splitAt(mark)]),
        mapField('name', 'HEADER'),
        byHand('put_headers_above', {}),
      ],
    });
  }
  if (mode === 'create') return;
  // An upsert without its key column would create every row, and create all of them again next time.
  for (const target of options.match.length === 0 ? ['id'] : options.match) {
    if (!given(target) && !(target === 'collection_id' && given('collection'))) {
      throw new UsageError('no_match_column', message('no_match_column', { field: target, columns }), {
        actions: [isTarget(target) ? mapField(target, 'HEADER') : matchCustomField(target)],
      });
    }
  }
}
