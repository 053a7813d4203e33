import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { checkTemplate } from '../../src/mapping/template/check-template.ts';

const folder = mkdtempSync(join(tmpdir(), 'shelflift-check-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const TEMPLATE = file(
  'mine.yaml',
  `name: mine
columns:
  name: Was
  condition: { from: Zst, words: { C8: loose_good } }
  estimated_value: Wert
  quantity: Anz
skip:
  - { from: Da, is: [nein] }
`,
);

test('check-template shows the first rows before and after, and the failures in all rows', async () => {
  const rows = [
    'Falcon;C8;1.234;2;ja',
    'Tie;Z7;2,50;1;ja',
    'Bus;;;;nein',
    ...Array.from({ length: 2000 }, (_, n) => `Toy ${n};${n % 2 === 0 ? 'C8' : 'Z6'};1;1;`),
  ];
  const checked = await checkTemplate(
    file('toys.csv', `Was;Zst;Wert;Anz;Da\n${rows.join('\n')}\n`),
    TEMPLATE,
    {},
    3,
  );
  expect(checked).toMatchObject({
    template: 'mine',
    mode: 'create',
    counts: { read: 2003, valid: 1001, invalid: 1001, skipped: 1, items: 1002 },
  });
  expect(checked.rows).toMatchObject([
    {
      row: 2,
      before: { Was: 'Falcon', Zst: 'C8', Wert: '1.234', Anz: '2', Da: 'ja' },
      after: { name: 'Falcon', condition: 'loose_good', estimated_value: 1234 },
      copies: 2,
      issues: [],
    },
    {
      row: 3,
      before: { Was: 'Tie', Zst: 'Z7', Wert: '2,50', Anz: '1', Da: 'ja' },
      after: { name: 'Tie', estimated_value: 2.5 },
      issues: [{ code: 'unknown_word', message: 'condition "Z7" is not known', column: 'Zst' }],
    },
    { row: 4, before: { Was: 'Bus', Da: 'nein' }, skipped: 'Da is nein', issues: [] },
  ]);
  expect(checked.problems).toMatchObject([
    {
      code: 'unknown_word',
      rows: 1001,
      values: [
        { text: 'Z6', rows: 1000 },
        { text: 'Z7', rows: 1 },
      ],
      firstRows: [3, 6, 8, 10, 12].map((row) => ({ row })),
      inTemplate: expect.stringContaining('"Z6": '),
    },
  ]);
});

test('check-template reports a template that does not match the file', async () => {
  const toys = file('other.csv', 'Title\nFalcon\n');
  await expect(checkTemplate(toys, TEMPLATE, {}, 5)).rejects.toMatchObject({
    code: 'missing_column',
    message: expect.stringContaining('Template "mine" skips rows based on column Da'),
  });
});
