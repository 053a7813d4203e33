import { expect, test } from 'vitest';
import { Run } from '../../src/ui/jobs/run.ts';
import { openImport } from '../support/open-import.ts';

test('the progress of a resumed job starts from the rows that were already sent', async () => {
  await using at = await openImport();
  await at.run(async (deps) => {
    const sending = { type: 'sending', unit: 'row', perSecond: 1, leftMs: undefined } as const;
    const run = new Run(
      'sending',
      deps,
      async ({ emit }) => {
        emit({ ...sending, done: 1, total: 10 });
        return undefined;
      },
      { before: 90 },
    );
    await run.ended;
    expect(run.progress).toMatchObject({ done: 91, total: 100 });
  });
});
