/** Keeps how a job's file is read, for the next file: under a name, or for all files with the same headers. */
import { basename } from 'node:path';
import type { Ledger } from '../../ledger/ledger.ts';
import type { Template } from '../../mapping/template/template.ts';
import { RecipeOptions } from '../job/options.ts';
import { rememberReading } from '../stage/infer-mapping.ts';
import { writeRecipe } from '../stage/recipes.ts';
import { readJudge } from './judge.ts';

/**
 * Saves reading options, columns and all answers as a recipe: `import FILE --recipe NAME` does the same again.
 * Corrections of single cells and rows are not in it.
 *
 * @throws UsageError `cannot_mend` for a job whose reading is not known any more; `bad_recipe` for the name
 */
export async function saveRecipe(name: string, reference: string, ledger: Ledger): Promise<void> {
  const job = await ledger.jobs.find(reference);
  const { first } = await readJudge(job, ledger);
  const template = withoutRates(first.template);
  const options = RecipeOptions.parse({ ...job.request.recipe, mode: job.mode });
  if (job.mode !== 'create') options.match = [...job.request.match];
  await writeRecipe(
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

/** A rate is of its day: the next file must ask again, or be given its own with `--rate`. */
function withoutRates(template: Template): Template {
  const kept = structuredClone(template);
  for (const spec of Object.values(kept.columns))
    if (typeof spec === 'object' && !Array.isArray(spec)) delete spec.rates;
  return kept;
}
