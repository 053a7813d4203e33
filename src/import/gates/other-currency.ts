/**
 * In a collection without items, only the answer to the first create shows the currency: amounts of the file may be in
 * another one.
 */
import type { Item, ItemCreate } from '../../api/schemas.ts';
import { ShelfliftError } from '../../base/errors.ts';
import { byHand, message } from '../../messages/message.ts';
import type { Action, Message } from '../../messages/params.ts';
import type { JobRecord, Ledger } from '../../ledger/ledger.ts';
import { learn } from '../job/learn.ts';
import { currencyOf } from '../../where/item-values.ts';

/** A later row cannot correct the amount of this item, so the job ends with exit code 3. */
export async function noteWrongAmount(
  { ledger, job }: { ledger: Ledger; job: JobRecord },
  sent: ItemCreate,
  itemId: string,
): Promise<void> {
  if (!hasAmount(sent)) return;
  await learn(ledger, job, { wrongAmounts: [itemId] });
}

function hasAmount({ estimated_value: amount }: ItemCreate): boolean {
  return (amount ?? null) !== null;
}

/**
 * Undefined if the amounts of the file may be in the currency of the created item. Every item has a currency, even
 * without an amount.
 */
export function otherCurrency(job: JobRecord, sent: ItemCreate, stored: Item): ShelfliftError | undefined {
  const { amounts } = job.plan;
  // With items in the collection, the plan has compared each row with them.
  if (amounts === undefined || amounts.foreign !== undefined) return undefined;
  const code = currencyOf(stored).toUpperCase();
  const { seen, expected, converted = [] } = amounts;
  if (converted.includes(code)) return parkFor(job, sent, message('no_rate_for_items', { currency: code }));
  // Amounts without a currency have that of the header or the template.
  const all = expected === undefined ? seen : [expected, ...seen];
  const shown = all.filter((codes) => !codes.some((each) => converted.includes(each)));
  if (shown.length === 0 || shown.some((codes) => codes.includes(code))) return undefined;
  return parkFor(
    job,
    sent,
    message('amounts_in_others', { currency: code, shown: [...new Set(shown.flat())] }),
  );
}

function parkFor({ id: job }: JobRecord, sent: ItemCreate, said: Message): ShelfliftError {
  const actions: Action[] = [
    ...(hasAmount(sent) ? [byHand('correct_item_value', {})] : []),
    { do: 'mend', job, options: { rate: 'CODE=RATE' }, label: message('to_give_rates', {}) },
  ];
  return new ShelfliftError('other_currency', said, { actions });
}
