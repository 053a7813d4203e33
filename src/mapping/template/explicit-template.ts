/**
 * The decisions of flags, a template, headers and values for a table, as a complete template without
 * guesses. Rows can be checked with it again, and it can be saved for other files.
 */
import { CUSTOM_PREFIX } from '../custom-prefix.ts';
import type { DecimalStyle } from '../casts/decimal.ts';
import { chooseColumns } from '../columns/columns.ts';
import { fold } from '../fold.ts';
import type { MappingOptions } from '../mapping.ts';
import type { ColumnOptions } from './template-column.ts';
import { columnOptions, type Template } from './template.ts';

/** The name of an explicit template; messages do not show it. */
const EXPLICIT = 'as decided';

/**
 * @param options the table, and how its mapping was compiled
 * @param decided decimal mark of each amount column, as far as the file shows it
 */
export function explicitTemplate(
  options: MappingOptions & { template?: Template },
  decided: ReadonlyMap<string, DecimalStyle>,
): Template {
  const { template, headers } = options;
  const { sources, ticked } = chooseColumns(options);
  const columns: Record<string, ColumnOptions> = {};
  for (const { target, index, joined, options: own } of sources) {
    const given = columnOptions(template, target);
    const spec = withoutPlace({ ...own, ...given });
    const place =
      // The file may have only one of the columns that a template joins.
      joined === undefined || joined.length < 2 || given.join === undefined
        ? placeOf(options, index)
        : {
            join: joined.map((each) => headers[each] ?? ''),
            with: given.with ?? ' ',
            ...(given.needsFirst === true ? { needsFirst: true } : {}),
          };
    const style = decided.get(target);
    columns[target] = {
      ...spec,
      ...place,
      ...(style === undefined || !isAmount(target, spec) ? {} : { decimal: style }),
      ...(target !== 'estimated_value' || options.rates === undefined ? {} : { rates: { ...options.rates } }),
    };
  }
  if (ticked.length > 0) {
    const names = ticked.map(({ index, tag }) => [nameOf(options, index), tag] as const);
    columns['tags'] = { ...columns['tags'], ticked: Object.fromEntries(names) };
  }
  // Further fields that no column feeds: their options apply to defaults and constants.
  for (const target of Object.keys(template?.columns ?? {})) {
    if (!Object.hasOwn(columns, target)) {
      const rest = withoutPlace(columnOptions(template, target));
      if (Object.keys(rest).length > 0) columns[target] = rest;
    }
  }
  // A template's defaults are for new items.
  const defaults =
    options.mode === 'update' ? options.defaults : { ...template?.defaults, ...options.defaults };
  return {
    name: EXPLICIT,
    columns,
    ...(Object.keys(defaults).length === 0 ? {} : { defaults }),
    ...(template?.constants === undefined ? {} : { constants: template.constants }),
    ...(template?.conditions === undefined ? {} : { conditions: template.conditions }),
    ...(template?.skip === undefined ? {} : { skip: template.skip }),
    guess: false,
  };
}

/** A column by its header, or by its letter if the header is blank or belongs to several columns. */
export function placeOf(
  { headers, letters }: Pick<MappingOptions, 'headers' | 'letters'>,
  index: number,
): Pick<ColumnOptions, 'from' | 'column'> {
  const header = headers[index] ?? '';
  const isOne = header !== '' && headers.filter((each) => fold(each) === fold(header)).length === 1;
  return isOne ? { from: header } : { column: letters[index] ?? '' };
}

/** How a change names a column. */
export function nameOf(table: Pick<MappingOptions, 'headers' | 'letters'>, index: number): string {
  const { from, column } = placeOf(table, index);
  return String(from ?? column);
}

/** The options except those that locate the column. */
export function withoutPlace(spec: ColumnOptions): ColumnOptions {
  const {
    from: _,
    column: _1,
    join: _2,
    with: _3,
    needsFirst: _4,
    required: _5,
    onlyForMatch: _6,
    ...rest
  } = spec;
  return rest;
}

function isAmount(target: string, { as }: ColumnOptions): boolean {
  return (
    target === 'estimated_value' || (target.startsWith(CUSTOM_PREFIX) && (as === 'money' || as === 'decimal'))
  );
}
