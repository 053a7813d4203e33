/** Saves how a job's file is read for later files: under a name, or for all files with the same headers. */
import { basename } from 'node:path';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Template } from '../../mapping/template/template.ts';
import { RecipeOptions } from '../job/options.ts';
import { rememberReading } from '../stage/infer-mapping.ts';
import { type Recipe, writeRecipe } from '../stage/recipes.ts';
import { readJudge } from './judge.ts';

/**
 * Saves reading options, columns and all answers as a recipe: `import FILE --recipe NAME` does the same again.
 * Corrections of single cells and rows are not in it.
 *
 * @returns the recipe that it replaces, if that reads files otherwise
 * @throws UsageError `cannot_mend` for a job whose reading is no longer known; `bad_recipe` for an invalid name
 */
export async function saveRecipe(
  name: string,
  reference: string,
  ledger: Ledger,
): Promise<Recipe | undefined> {
  const job = await ledger.jobs.find(reference);
  const { first } = await readJudge(job, ledger);
  const template = withoutRates(first.template);
  const options = RecipeOptions.parse({ ...job.request.recipe, mode: job.mode });
  if (job.mode !== 'create') options.match = [...job.request.match];
  return writeRecipe(
    name,
    { at: new Date().toISOString(), file: basename(job.source.file), template, options },
    ledger,
  );
}

/** Remembers the answers that were given for a job, for other files with its headers. */
export async function rememberAnswers(reference: string, ledger: Ledger): Promise<void> {
  const job = await ledger.jobs.find(reference);
  const { first } = await readJudge(job, ledger);
  const template = withoutRates(first.template);
  await rememberReading({ ...first, mode: job.mode }, template, basename(job.source.file), ledger);
}

/** An exchange rate is valid only for its day: the next file needs its own, by `--rate` or an answer. */
function withoutRates(template: Template): Template {
  const kept = structuredClone(template);
  for (const spec of Object.values(kept.columns))
    if (typeof spec === 'object' && !Array.isArray(spec)) delete spec.rates;
  return kept;
}
