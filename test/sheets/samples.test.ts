import { english } from '../../src/messages/message.ts';
import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openTable } from '../../src/sheets/open-table.ts';

const CSV = readdirSync('samples').filter((name) => name.endsWith('.csv'));

test.each(CSV)('the encoding of %s is detected without a question', async (name) => {
  const table = await openTable(`samples/${name}`, { signal: new AbortController().signal });
  expect(table.doubts.map(english)).toEqual([]);
});
