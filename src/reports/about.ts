/** What a report says about itself: its source, and what to be careful with. */
import { VERSION } from '../packaged/version.ts';
import type { Report } from './model.ts';
import type { CheckedReport } from './request.ts';
import { currencyNote, currencyText } from './value-text.ts';
import { counted } from '../counted.ts';

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

/** What a reader of the report should not overlook. */
export function warnings(seen: {
  complete: boolean;
  namesKnown: boolean;
  others: number;
  checked: CheckedReport;
}): string[] {
  const found: string[] = [];
  if (!seen.complete)
    found.push('The list changed while it was read, so some items may be missing. See Completeness.');
  if (!seen.namesKnown)
    found.push(
      'Collections are shown by id: the key has no permission to read their names (collections:read).',
    );
  if (seen.others > 0) {
    const currency = currencyText(seen.checked.currency ?? '');
    found.push(
      `${counted(seen.others, 'item of another currency', 'items of other currencies')} than ${currency} ${seen.others === 1 ? 'is' : 'are'} left out, as requested.`,
    );
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
