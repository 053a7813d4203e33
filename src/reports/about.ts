/** A report's statements about itself: its source and its caveats. */
import { VERSION } from '../packaged/version.ts';
import { message } from '../messages/message.ts';
import type { Message } from '../messages/params.ts';
import type { Report } from './model.ts';
import type { CheckedReport } from './request.ts';
import { currencyNote, currencyText } from './value-text.ts';

/** Source, selection and completeness. */
export function facts(
  { reading, currency }: CheckedReport,
  apiUrl: string,
  explanation: string,
): Report['facts'] {
  const chosen = [
    reading.statuses === undefined ? undefined : `status ${[...reading.statuses].join(', ')}`,
    reading.collection === undefined ? undefined : `collection ${reading.collection}`,
    ...reading.where.map((expression) => expression.text),
    currency === undefined ? undefined : `currency ${currencyText(currency)}`,
  ].filter((part) => part !== undefined);
  return [
    ['Read from', apiUrl],
    ['Selection', chosen.length === 0 ? 'everything' : chosen.join('; ')],
    ['Completeness', explanation],
    ['Written by', `shelflift ${VERSION}`],
  ];
}

/** Warnings that a reader of the report should not overlook. */
export function warnings(seen: {
  complete: boolean;
  namesKnown: boolean;
  others: number;
  checked: CheckedReport;
}): Message[] {
  const found: Message[] = [];
  if (!seen.complete) found.push(message('items_may_be_missing', {}));
  if (!seen.namesKnown) found.push(message('collections_by_id', {}));
  if (seen.others > 0) {
    const currency = currencyText(seen.checked.currency ?? '');
    found.push(message('other_currencies_left_out', { items: seen.others, currency }));
  }
  return found;
}

/** Adds a note to sections with amounts in unknown currencies. */
export function noted(sections: Report['sections']): Report['sections'] {
  return sections.map((section) => {
    const notes = section.blocks.flatMap(({ currency }) =>
      currency === undefined ? [] : (currencyNote(currency) ?? []),
    );
    return { ...section, notes: [...section.notes, ...new Set(notes)] };
  });
}
