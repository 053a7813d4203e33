/** fast-check with the seed of this run, and its share of the cases; the linter makes property tests import it. */
import * as fastCheck from 'fast-check';
import { seed } from './seed.ts';

export * from 'fast-check';

/** The fast suite takes the same cases every time, so a few will do: the slow suite runs all properties in full. */
const SHARE = process.env['PROPERTY_SEED'] === undefined ? 0.25 : 1;
const USUAL_RUNS = 100;

/** As fast-check's own, with the seed of this run; a failure also says how to run it again. */
export function assert<Ts>(
  property: fastCheck.IAsyncProperty<Ts>,
  parameters?: fastCheck.Parameters<Ts>,
): Promise<void>;
export function assert<Ts>(property: fastCheck.IProperty<Ts>, parameters?: fastCheck.Parameters<Ts>): void;
export function assert<Ts>(
  property: fastCheck.IAsyncProperty<Ts> | fastCheck.IProperty<Ts>,
  parameters: fastCheck.Parameters<Ts> = {},
): Promise<void> | void {
  const numRuns = Math.ceil((parameters.numRuns ?? USUAL_RUNS) * SHARE);
  const seeded = { seed, ...parameters, numRuns };
  const told = (error: unknown): never => {
    if (error instanceof Error) error.message += `\n\nTo run it again, set PROPERTY_SEED=${seeded.seed}.`;
    throw error;
  };
  try {
    return fastCheck.assert(property as fastCheck.IAsyncProperty<Ts>, seeded)?.catch(told);
  } catch (error) {
    return told(error);
  }
}

/**
 * One code point of Unicode, surrogates included: as the unit `binary`, whose table of all code points takes seconds to
 * build.
 */
export const anyCodePoint: fastCheck.Arbitrary<string> = fastCheck
  .integer({ min: 0, max: 0x10ffff })
  .map((codePoint) => String.fromCodePoint(codePoint));
