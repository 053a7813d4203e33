/**
 * How the store remembers the reading of files: recipes, which people name, and the answers for files with certain
 * headers.
 */
import { z } from 'zod';
import { UsageError } from '../../base/errors.ts';
import type { KeyValues } from '../../ledger/key-values.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import { Template } from '../../mapping/template/template.ts';
import { message } from '../../messages/message.ts';
import type { Action } from '../../messages/params.ts';
import { sameJson } from '../../base/equal-json.ts';
import { nearest } from '../../base/nearest.ts';
import { storedParser } from '../../base/stored-json.ts';
import { type ImportRequest, RecipeOptions } from '../job/options.ts';

export const RECIPES = 'recipe';
/** Key space of confirmed mappings, by mode and headers. */
export const REMEMBERED = 'mapping';
const MAX_LISTED = 10_000;

/** The answers for files with certain headers. */
const Remembered = z.strictObject({
  /** ISO date and time. */
  at: z.string(),
  file: z.string(),
  /** All decisions about the columns, words and rows. */
  template: Template,
});
export type Remembered = z.infer<typeof Remembered>;

const Recipe = Remembered.extend({ options: RecipeOptions });
export type Recipe = z.infer<typeof Recipe>;

export const readRemembered = storedParser('readings', () => Remembered);
export const readRecipe = storedParser('recipe', () => Recipe);

/**
 * @returns the recipe of this name that it replaces, if that reads files otherwise
 * @throws UsageError `bad_recipe` for a name that could be taken for a path or a flag
 */
export async function writeRecipe(
  name: string,
  recipe: Recipe,
  { values }: Pick<Ledger, 'values'>,
): Promise<Recipe | undefined> {
  if (!/^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,59}$/u.test(name)) {
    const label = message('for_example', {});
    const action = { do: 'setOption', option: 'save-as', value: 'trains', label } as const;
    throw new UsageError('bad_recipe', message('bad_recipe', { name }, action));
  }
  const before = await values.get(RECIPES, name);
  await values.put(RECIPES, [{ key: name, value: JSON.stringify(recipe) }]);
  const replaced = before === undefined ? undefined : readRecipe(before);
  const isSame = sameJson(replaced?.template, recipe.template) && sameJson(replaced?.options, recipe.options);
  return isSame ? undefined : replaced;
}

/**
 * The request, completed from its recipe; options of the request win.
 *
 * @throws UsageError `no_such_recipe`; `bad_choice` beside a template
 */
export async function withRecipe(
  request: ImportRequest,
  { values }: Pick<Ledger, 'values'>,
): Promise<ImportRequest> {
  const { recipe: name, ...own } = request;
  if (name === undefined) return request;
  if (own.template !== undefined) {
    const action = { do: 'byHand', label: message('give_one', {}) } as const;
    throw new UsageError('bad_choice', message('recipe_and_template', {}, action));
  }
  const text = await values.get(RECIPES, name);
  if (text === undefined) throw await noSuchRecipe(name, values);
  const { template, options } = readRecipe(text);
  return { ...options, template, ...own, recipe: name };
}

async function noSuchRecipe(name: string, values: KeyValues): Promise<UsageError> {
  const names = (await values.list(RECIPES, { limit: MAX_LISTED })).map(({ key }) => key);
  const near = nearest(name, names);
  const params = { name, recipes: names, ...(near === undefined ? {} : { near }) };
  const label = message('to_make_recipe', {});
  const options = { 'save-as': name };
  const actions: Action[] =
    names.length === 0 ? [{ do: 'run', command: 'import', args: ['FILE'], options, label }] : [];
  return new UsageError('no_such_recipe', message('no_such_recipe', params, ...actions));
}

export interface RememberedReading {
  kind: 'recipe' | 'answers';
  /** Argument of `template forget`: the recipe's name, or a short id. */
  name: string;
  /** Name of the file that it was made for. */
  file: string;
  /** ISO date and time. */
  at: string;
  /** Fields that the columns are mapped to. */
  fields: string[];
}

/** Recipes first, each kind by name. */
export async function rememberedReadings({ values }: Pick<Ledger, 'values'>): Promise<RememberedReading[]> {
  const recipes = (await values.list(RECIPES, { limit: MAX_LISTED })).map(({ key, value }) =>
    listed('recipe', key, readRecipe(value)),
  );
  const answers = (await values.list(REMEMBERED, { limit: MAX_LISTED })).map(({ key, value }) =>
    listed('answers', idOf(key), readRemembered(value)),
  );
  return [...recipes, ...answers];
}

function listed(
  kind: RememberedReading['kind'],
  name: string,
  { at, file, template }: Remembered,
): RememberedReading {
  return { kind, name, at, file, fields: Object.keys(template.columns) };
}

/** @throws UsageError `no_such_recipe` */
export async function forgetReading(name: string, { values }: Pick<Ledger, 'values'>): Promise<void> {
  if ((await values.get(RECIPES, name)) !== undefined) {
    await values.remove(RECIPES, [name]);
    return;
  }
  const answers = await values.list(REMEMBERED, { limit: MAX_LISTED });
  const found = answers.find(({ key }) => idOf(key) === name);
  if (found === undefined) {
    const label = message('to_see_remembered', {});
    const action = { do: 'run', command: 'template list', label } as const;
    throw new UsageError('no_such_recipe', message('nothing_remembered', { name }, action));
  }
  await values.remove(REMEMBERED, [found.key]);
}

/** `create:0123abcd…` → `0123abcd`. */
function idOf(key: string): string {
  return key.slice(key.indexOf(':') + 1).slice(0, 8);
}
