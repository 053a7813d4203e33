/** A collection without items has a currency that only the answer to its first create tells: amounts may be in another. */
import type { Item, ItemCreate } from '../../api/schemas.ts';
import { ShelfliftError } from '../../base/errors.ts';
import { byHand, message } from '../../messages/message.ts';
import type { Action, Message } from '../../messages/params.ts';
import type { JobRecord } from '../../ledger/ledger.ts';
import { currencyOf } from '../../where/item-values.ts';
import type { WriteContext } from './write-context.ts';

/** Nothing that the job does later makes the amount of this item right: until the end, it ends with 3. */
export async function noteWrongAmount(
  { ledger, job }: Pick<WriteContext, 'ledger' | 'job'>,
  itemId: string,
): Promise<void> {
  job.learned = { ...job.learned, wrongAmounts: [...(job.learned.wrongAmounts ?? []), itemId] };
  await ledger.jobs.update(job.id, { learned: job.learned });
}

export function hasAmount({ estimated_value: amount }: ItemCreate): boolean {
  return (amount ?? null) !== null;
}

/**
 * Undefined if the amounts of the file may be in the currency that the server gave to the item; each item has one, also
 * without an amount.
 */
export function otherCurrency(job: JobRecord, sent: ItemCreate, stored: Item): ShelfliftError | undefined {
  const { amounts } = job.plan;
  // With items in the collection, the plan has compared each row with them.
  if (amounts === undefined || amounts.foreign !== undefined) return undefined;
  const code = currencyOf(stored).toUpperCase();
  const { seen, converted = [] } = amounts;
  if (converted.includes(code)) return parkFor(job, sent, message('no_rate_for_items', { currency: code }));
  const shown = seen.filter((codes) => !codes.some((each) => converted.includes(each)));
  if (shown.length === 0 || shown.some((codes) => codes.includes(code))) return undefined;
  return parkFor(job, sent, message('amounts_in_others', { currency: code, shown: shown.flat() }));
}

function parkFor({ id: job }: JobRecord, sent: ItemCreate, said: Message): ShelfliftError {
  const actions: Action[] = [
    ...(hasAmount(sent) ? [byHand('correct_item_value', {})] : []),
    { do: 'mend', job, options: { rate: 'CODE=RATE' }, label: message('to_give_rates', {}) },
  ];
  return new ShelfliftError('other_currency', said, { actions });
}
