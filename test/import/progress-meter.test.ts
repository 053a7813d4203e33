import { expect, it } from 'vitest';
import type { ImportEvent } from '../../src/import/job/events.ts';
import { toys } from '../support/csv.ts';
import { openImport } from '../support/open-import.ts';

type Sending = Extract<ImportEvent, { type: 'sending' }>;

/** Where the last line of an import's progress stands. */
function watch() {
  const seen: Sending[] = [];
  const onEvent = (event: ImportEvent) => void (event.type === 'sending' && seen.push(event));
  return { onEvent, last: () => [seen.at(-1)?.done, seen.at(-1)?.total] };
}

it('progress ends at the total number of rows, even if answers were lost and looked up', async () => {
  await using at = await openImport();
  const file = await at.file('toys.csv', toys(30));
  at.sandbox.control.failNext('dropAfterCommit', 'createItem');
  const { onEvent, last } = watch();
  const { summary } = await at.import({ file }, { onEvent });
  expect(summary.rows.created).toBe(30);
  expect(last()).toEqual([30, 30]);
});

it('a canary counts only its own rows, and the resume counts the rest', async () => {
  await using at = await openImport();
  const file = await at.file('toys.csv', toys(30));
  const canary = watch();
  await at.import({ file, run: { first: 4 } }, { onEvent: canary.onEvent });
  expect(canary.last()).toEqual([4, 4]);
  const rest = watch();
  await at.resume('last', {}, { onEvent: rest.onEvent });
  expect(rest.last()).toEqual([26, 26]);
});
