/** A template says what a tags column does to the tags that an item has. */
import { expect, it } from 'vitest';
import { csv } from '../support/csv.ts';
import { openImport } from '../support/open-import.ts';

it.each([
  ['set', ['c', 'a']],
  ['add', ['a', 'b', 'c']],
  ['remove', ['b']],
])('tags with mode %s become %j', async (mode, expected) => {
  await using it = await openImport();
  const [id = '', cleared = ''] = it.sandbox.control.insertItems([
    { name: 'x', tags: ['a', 'b'] },
    { name: 'y', tags: ['a', 'b'] },
  ]);
  const template = await it.file(
    't.yaml',
    `name: t\nmode: update\ncolumns:\n  tags: { from: tags, mode: ${mode} }\n`,
  );
  const file = await it.file(
    't.csv',
    csv(
      ['id', 'tags'],
      [
        [id, 'c; a'],
        [cleared, '<clear>'],
      ],
    ),
  );
  const { summary } = await it.import({ file, template });
  expect(summary.rows).toMatchObject({ updated: 2 });
  expect(it.items().find((item) => item.id === id)?.tags).toEqual(expected);
  expect(it.items().find((item) => item.id === cleared)?.tags).toEqual([]);
});
