/** Every text that imports keep in the store, with its reader: `store check` reads all of them as jobs do. */
import { OF_JOBS } from '../ledger/key-values.ts';
import type { StoredTexts } from '../ledger/upkeep/check-store.ts';
import { readInput } from './engine/input.ts';
import { readUpdate } from './engine/operation.ts';
import { readJudged } from './job/judging.ts';
import { CHANGES, readChanges } from './job/server-changes.ts';
import { readRecipe, readRemembered, RECIPES, REMEMBERED } from './stage/recipes.ts';
import { RATES, readRate } from './write/remembered-rate.ts';

export const STORED_TEXTS: StoredTexts = {
  rows: { input: readInput, operation: readUpdate },
  values: {
    [OF_JOBS]: readJudged,
    [CHANGES]: readChanges,
    [RATES]: readRate,
    [RECIPES]: readRecipe,
    [REMEMBERED]: readRemembered,
  },
};
