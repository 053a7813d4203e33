/**
 * The seed of everything random in this run.
 *
 * The fast suite always takes the same one, so that `npm test` is the same run every time. The slow suite
 * draws a new one, and prints it (vitest.slow.config.ts). PROPERTY_SEED=NUMBER gives one to either suite, as CI does.
 */
import { createRandom } from '../../src/sandbox/random.ts';

const FIXED_SEED = 20_261_122;

export const seed = Number(process.env['PROPERTY_SEED'] ?? FIXED_SEED);

/** [0, 1), the same numbers in each run of a seed. */
export const random = createRandom(seed);
