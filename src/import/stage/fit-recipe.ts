/**
 * Fits a recipe to a file that lacks some of its columns: such columns are read as without the recipe, or the recipe is
 * refused.
 */
import { message } from '../../messages/message.ts';
import { noteOf } from '../job/events.ts';
import { UsageError } from '../../base/errors.ts';
import { findPlace, listHeaders } from '../../mapping/columns/find-column.ts';
import { type ColumnGuess, sourceOf } from '../../mapping/infer/column-guess.ts';
import { inferColumns } from '../../mapping/infer/infer-columns.ts';
import { columnOptions, hasSource, type Template, tickedNames } from '../../mapping/template/template.ts';
import type { FirstCells } from '../../sheets/peek-rows.ts';
import type { SheetTable } from '../../sheets/table.ts';
import { confirmWithUser, type JobDeps } from '../job/deps.ts';
import type { ImportRequest } from '../job/options.ts';
import { optionsOf } from './infer-mapping.ts';

/**
 * Without this check, the items of a file whose column Price was renamed Preis would be created without values.
 *
 * @throws UsageError `missing_column`
 */
export async function fitRecipe(
  template: Template,
  request: ImportRequest,
  table: SheetTable,
  sample: FirstCells,
  deps: Pick<JobDeps, 'emit' | 'confirm'>,
): Promise<Template> {
  const { map = {} } = request;
  const places = placesOf(template, table);
  const missing = [...places].flatMap(([target, index]) =>
    index === undefined && map[target] === undefined ? [target] : [],
  );
  if (missing.length === 0) return template;
  const used = [...places].flatMap(([target, index]) =>
    index === undefined ? [] : [[target, table.letters[index] ?? ''] as const],
  );
  const options = { ...optionsOf(request, table), map: { ...Object.fromEntries(used), ...map } };
  const guesses = inferColumns(options, await sample.cells()).columns;
  const columns = { ...template.columns };
  for (const target of missing) {
    const guess = guesses.find((each) => each.target === target && each.byFlag !== true);
    if (guess === undefined || !(await isUsed(guess, request, deps)))
      throw missingColumn(template, target, table, guess);
    columns[target] = { ...sourceOf(guess), ...guess.options };
    const { header, reason } = guess;
    const params = { field: target, sources: sourcesOf(template, target), header, reason };
    deps.emit(noteOf(message('recipe_column_replaced', params)));
  }
  return { ...template, columns };
}

/** Target → index of its column; undefined if the file does not have it. */
function placesOf(template: Template, table: SheetTable): Map<string, number | undefined> {
  const places = new Map<string, number | undefined>();
  for (const target of Object.keys(template.columns)) {
    const spec = columnOptions(template, target);
    const ticked = tickedNames(spec);
    if (!hasSource(spec) && ticked.length === 0) continue;
    const found =
      hasSource(spec) && spec.join === undefined
        ? [findPlace(table, spec.from, spec.column)]
        : [...(spec.join ?? []), ...ticked].map((name) => findPlace(table, name, undefined));
    places.set(target, found.includes(undefined) ? undefined : found[0]);
  }
  return places;
}

/** Decides as an import without a template does: a certain column is used, and a likely one needs confirmation. */
async function isUsed(
  { confidence, header, target: field = '', reason }: ColumnGuess,
  request: ImportRequest,
  deps: Pick<JobDeps, 'confirm'>,
): Promise<boolean> {
  if (confidence === 'certain') return true;
  if (confidence !== 'likely') return false;
  if (request.run?.yes === true || request.dryRun === true) return true;
  return confirmWithUser(deps, message('use_for_recipe', { field, header, reason }));
}

function sourcesOf(template: Template, target: string): string[] {
  const spec = columnOptions(template, target);
  const { from, column, join = [] } = spec;
  const names = [from ?? [], join].flat(2);
  const others = column === undefined ? tickedNames(spec) : [`${column}`];
  return [...names.map((name) => `"${name}"`), ...others];
}

function missingColumn(
  template: Template,
  target: string,
  table: SheetTable,
  guess: ColumnGuess | undefined,
): UsageError {
  const from = guess?.header === undefined || guess.header === '' ? 'COLUMN' : guess.header;
  return new UsageError(
    'missing_column',
    message(
      'recipe_column_missing',
      {
        field: target,
        sources: sourcesOf(template, target),
        file: table.file,
        columns: listHeaders(table),
      },
      {
        do: 'setOption',
        option: 'map',
        value: `${target}=${from}`,
        label: message('to_name_column', { field: target }),
      },
    ),
    { position: { file: table.file } },
  );
}
