/** Inference on tables whose answers are known: nothing wrong is used unasked, and little is missed. */
import { describe, expect, test } from 'vitest';
import { compileMapping } from '../../src/mapping/compile.ts';
import { inferredTemplate } from '../../src/mapping/infer/inferred-template.ts';
import { writeTemplate } from '../../src/mapping/infer/write-template.ts';
import { parseTemplate } from '../../src/mapping/template/load-template.ts';
import { infer, scoreInference } from './score.ts';
import { type KnownTable, knownTables } from './tables.ts';

const tables = knownTables();
const { fields, faults, wrongUnasked } = scoreInference(tables);

test('there are at least 150 tables for inference', () => {
  expect(tables.length).toBeGreaterThanOrEqual(150);
});

test('inference never uses a wrong mapping without asking', () => {
  expect(wrongUnasked).toEqual([]);
});

test('the name column is found correctly in 98 of 100 tables', () => {
  const name = fields.find(({ field }) => field === 'name');
  expect(name?.precision, faults.join('\n')).toBeGreaterThanOrEqual(0.98);
  expect(name?.recall, faults.join('\n')).toBeGreaterThanOrEqual(0.98);
});

test.each(fields)('$field is right in 95 of 100 proposals, and proposed in 85 of 100 tables', (score) => {
  expect(score.precision, faults.join('\n')).toBeGreaterThanOrEqual(0.95);
  expect(score.recall, faults.join('\n')).toBeGreaterThanOrEqual(0.85);
});

describe('an inferred mapping can be used', () => {
  const inferences = new Map(tables.map((table) => [table, infer(table)]));
  const inferenceOf = (table: KnownTable) => inferences.get(table) ?? infer(table);
  const hasName = (table: KnownTable) => inferenceOf(table).columns.some(({ target }) => target === 'name');

  test('in an import and in a template that template infer prints', () => {
    for (const table of tables.filter(hasName)) {
      const { headers, letters, rows } = table;
      const options = { headers, letters, format: 'csv' as const, map: {}, defaults: {}, match: [] };
      const inference = inferenceOf(table);
      const own = inferredTemplate(inference, { ...options, mode: 'create' });
      const text = writeTemplate(inference, {
        name: 'any',
        file: 'any.csv',
        schema: 'x',
        texts: (index) => rows.map((cells) => cells[index] ?? ''),
      });
      const direct = compileMapping({
        ...options,
        mode: 'create',
        ...(own === undefined ? {} : { template: own }),
      });
      const printed = compileMapping({
        ...options,
        mode: 'create',
        template: parseTemplate(text, 'any.yaml'),
      });
      for (const { index, target, confidence } of inference.columns) {
        const used = confidence === 'certain' || confidence === 'likely' ? target : undefined;
        expect(direct.columns[index]?.target, table.title).toBe(used);
        expect(printed.columns[index]?.target, table.title).toBe(used);
      }
    }
  });

  test('only if a column is a name; otherwise the import refuses the file', () => {
    const without = tables.filter((table) => !hasName(table));
    expect(without.length).toBeGreaterThanOrEqual(8);
    for (const table of without) {
      const { headers, letters } = table;
      const options = {
        headers,
        letters,
        format: 'csv' as const,
        map: {},
        defaults: {},
        match: [],
        mode: 'create' as const,
      };
      const template = inferredTemplate(inferenceOf(table), options);
      expect(() => compileMapping({ ...options, ...(template === undefined ? {} : { template }) })).toThrow(
        expect.objectContaining({ code: 'no_name_column' }),
      );
    }
  });
});
