/**
 * In a collection without items, only the answer to the first create shows the currency: amounts of the file may be in
 * another one.
 */
import type { Item } from '../../api/schemas.ts';
import { ShelfliftError } from '../../base/errors.ts';
import { byHand, message } from '../../messages/message.ts';
import type { Action, Message } from '../../messages/params.ts';
import type { JobRecord, Ledger } from '../../ledger/ledger.ts';
import { learn } from '../job/learn.ts';
import { currencyOf } from '../../where/item-values.ts';

/** The body of a create. */
interface HasAmount {
  estimated_value?: unknown;
}

/**
 * Compares the currency of a created item with that of the file, whoever found the item: its answer, a look-up, or a
 * person. A later row cannot correct the amount of this item, so the job keeps it, and ends with exit code 3.
 *
 * @returns why the job must not send further amounts
 */
export async function checkCurrency(
  { ledger, job }: { ledger: Ledger; job: JobRecord },
  sent: HasAmount,
  stored: Item,
): Promise<ShelfliftError | undefined> {
  const other = otherCurrency(job, sent, stored);
  if (other !== undefined && hasAmount(sent))
    await learn(ledger, job, { wrongAmounts: [stored.id.toLowerCase()] });
  return other;
}

function hasAmount({ estimated_value: amount }: HasAmount): boolean {
  return (amount ?? null) !== null;
}

/**
 * Undefined if the amounts of the file may be in the currency of the created item. Every item has a currency, even
 * without an amount.
 */
function otherCurrency(job: JobRecord, sent: HasAmount, stored: Item): ShelfliftError | undefined {
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

function parkFor({ id: job }: JobRecord, sent: HasAmount, said: Message): ShelfliftError {
  const actions: Action[] = [
    ...(hasAmount(sent) ? [byHand('correct_item_value', {})] : []),
    { do: 'mend', job, options: { rate: 'CODE=RATE' }, label: message('to_give_rates', {}) },
  ];
  return new ShelfliftError('other_currency', said, { actions });
}
