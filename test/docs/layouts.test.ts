import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { isItemField } from '../../src/where/item-values.ts';
import { parseLayout } from '../../src/export/layout/load-layout.ts';

test('the example in docs/layouts.md is a layout, and every key of a column is explained', () => {
  const text = readFileSync(new URL('../../docs/layouts.md', import.meta.url), 'utf8');
  const [, example = ''] = /```yaml\n([\s\S]*?)```/.exec(text) ?? [];
  const layout = parseLayout(example, 'docs/layouts.md');
  expect(layout.columns).toHaveLength(7);
  const schema = JSON.parse(
    readFileSync(new URL('../../templates/export.schema.json', import.meta.url), 'utf8'),
  ) as { properties: Record<string, { items?: { anyOf: { properties?: object }[] } }> };
  const keys = Object.keys(schema.properties['columns']?.items?.anyOf[1]?.properties ?? {});
  expect(keys.length).toBeGreaterThan(8);
  for (const key of [...keys, ...Object.keys(schema.properties)].filter(
    (each) => !['name', 'description', 'columns'].includes(each),
  )) {
    expect(text).toContain(`\`${key}\``);
  }
  expect(isItemField('collection_name')).toBe(true);
});
