/** The changes between two readings of the inventory: a bridge from the old value to the new one. */
import { Big } from 'big.js';
import type { Row, Section, Value } from './model.ts';
import {
  type Comparison,
  type Movement,
  type MovementKind,
  type RollForward,
  sumKnown,
  thenAndNow,
} from './roll-forward.ts';
import { timeText } from './value-text.ts';

/** Maximum number of changed items for each currency: those whose value changed most. */
const MAX_LISTED = 100;

/**
 * Two sections: the bridge, and the items behind it. Empty if there is nothing to compare with.
 *
 * @param complete false if the list changed while it was read: items that were not seen may still exist
 */
export function changeSections(comparison: Comparison | undefined, complete: boolean): Section[] {
  if (comparison === undefined) return [];
  const { at, currencies, movements } = comparison;
  const notes = [`Compared with the report of ${timeText(at)}.`];
  if (!complete) notes.push('The list changed while it was read: items shown as gone may still exist.');
  return [
    {
      id: 'changes',
      title: 'Changes since the last report',
      notes: [...notes, 'Items without a value are counted but add nothing to the value.'],
      columns: [
        { key: 'step', title: 'Step', kind: 'text' },
        { key: 'items', title: 'Items', kind: 'count' },
        { key: 'value', title: 'Value', kind: 'money' },
      ],
      blocks: [...currencies].map(([currency, flow]) => ({ currency, rows: steps(flow) })),
      empty: 'There were no items then, and there are none now.',
    },
    {
      id: 'changed_items',
      title: 'What changed',
      notes: [`The ${MAX_LISTED} items in each currency whose value changed most.`],
      columns: [
        { key: 'what', title: 'What', kind: 'text' },
        { key: 'name', title: 'Name', kind: 'text' },
        { key: 'status_then', title: 'Status then', kind: 'text' },
        { key: 'status_now', title: 'Status now', kind: 'text' },
        { key: 'value_then', title: 'Value then', kind: 'money' },
        { key: 'value_now', title: 'Value now', kind: 'money' },
        { key: 'difference', title: 'Difference', kind: 'money' },
      ],
      blocks: [...currencies.keys()].flatMap((currency) => {
        const rows = listed(movements.filter((movement) => movement.currency === currency));
        return rows.length === 0 ? [] : [{ currency, rows }];
      }),
      empty: 'Nothing changed.',
    },
  ];
}

function steps(flow: RollForward): Row[] {
  const came = flow.step('added');
  const left = flow.step('gone');
  const from = flow.step('from_currency');
  const to = flow.step('to_currency');
  const revalued = flow.step('revalued');
  const row = (key: string, title: string, items: Value, amount: Value): Row => ({
    key,
    values: [title, items, amount],
  });
  return [
    row('then', 'Then', flow.opening.items, sumKnown(flow.opening)),
    row('new', 'New items', came.items, came.amount),
    row('gone', 'No longer in the list', left.items, left.amount),
    // Rare, so shown only if there are any.
    ...(from.items === 0 ? [] : [row('from_currency', 'Were in another currency', from.items, from.amount)]),
    ...(to.items === 0 ? [] : [row('to_currency', 'Now in another currency', to.items, to.amount)]),
    row('revalued', 'Value changed (items that stayed)', null, revalued.amount),
    row('now', 'Now', flow.closing.items, sumKnown(flow.closing)),
    row('revalued_items', 'Items whose value changed', revalued.movements, null),
    row('status_items', 'Items whose status changed (value unchanged)', flow.step('status').movements, null),
  ];
}

/** Moving an item to another collection does not change the value of the account. */
const WORDS: Partial<Record<MovementKind, string>> = {
  added: 'new',
  gone: 'no longer in the list',
  from_currency: 'was in another currency',
  to_currency: 'now in another currency',
  revalued: 'value changed',
  status: 'status changed',
};

function listed(movements: readonly Movement[]): Row[] {
  return movements
    .filter(({ kind }) => WORDS[kind] !== undefined)
    .toSorted((a, b) => sizeOf(b).cmp(sizeOf(a)))
    .slice(0, MAX_LISTED)
    .map((movement) => {
      const { kind, before, now, amount } = movement;
      const [id, name] = now ?? before ?? ['', ''];
      return {
        key: id,
        values: [
          WORDS[kind] ?? '',
          name,
          before?.[2] ?? null,
          now?.[2] ?? null,
          ...thenAndNow(movement),
          amount,
        ],
      };
    });
}

function sizeOf({ amount }: Movement): Big {
  return amount?.abs() ?? new Big(0);
}
