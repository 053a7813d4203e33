import { MissingScopeError } from '../../api/errors.ts';
import { type Circuit, withRecovery } from '../job/circuit.ts';
import type { WriteContext } from './write-context.ts';

/**
 * One page of the list before the first create: the mark that settling goes by, and the ids that were there.
 *
 * @throws MissingScopeError where lost answers could not be looked up, and nobody has chosen that
 */
export async function readHead(context: WriteContext, circuit: Circuit): Promise<void> {
  const { client, sightings, signal, noSettle } = context;
  try {
    await withRecovery(circuit, () => sightings.readHead(client, signal));
  } catch (error) {
    // Without items:read nothing can be settled; the caller chose that with --no-settle.
    if (!(error instanceof MissingScopeError)) throw error;
    if (noSettle) return;
    const { message, requestId, applied } = error;
    throw new MissingScopeError('missing_scope', message, {
      cause: error,
      applied,
      ...(requestId === undefined ? {} : { requestId }),
      remedy:
        'Nothing was sent: without the scope items:read a lost answer could not be looked up. Give it to the key, ' +
        'or import with --no-settle.',
    });
  }
}
