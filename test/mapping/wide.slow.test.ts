import { expect, test } from 'vitest';
import { inferColumns } from '../../src/mapping/infer/infer-columns.ts';
import { writeTemplate } from '../../src/mapping/infer/write-template.ts';
import { columnLetter } from '../../src/sheets/cell.ts';

// By the square of their number it took four minutes.
test('a template for 16,384 columns is read within seconds', { timeout: 60_000 }, () => {
  const headers = Array.from({ length: 16_384 }, (_, index) => (index === 0 ? 'Name' : `Remark ${index}`));
  const letters = headers.map((_, index) => columnLetter(index));
  const inference = inferColumns(
    { headers, letters, format: 'csv', map: {}, defaults: {}, mode: 'create', match: [] },
    [headers.map((_, index) => `text ${index}`)],
  );
  const about = { name: 'wide', file: 'wide.csv', schema: 'schema.json', texts: () => [] };
  expect(writeTemplate(inference, about)).toContain('Remark 16383');
});
