/** fast-check with the seed of this run; the linter makes property tests import it from here. */
import * as fastCheck from 'fast-check';
import { seed } from './seed.ts';

export * from 'fast-check';

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
  const seeded = { seed, ...parameters };
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
