/** Each example of docs/templates.md: its template maps its file to exactly what the page shows. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { english } from '../../src/messages/message.ts';
import { compileMapping } from '../../src/mapping/compile.ts';
import { parseTemplate } from '../../src/mapping/template/load-template.ts';
import { CLEAR, type MappedRow } from '../../src/mapping/mapping.ts';
import { createFields } from '../../src/mapping/payload.ts';
import { templateMode } from '../../src/mapping/template/template-mode.ts';
import { openTable } from '../../src/sheets/open-table.ts';

const page = readFileSync(resolve(import.meta.dirname, '../../docs/templates.md'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'shelflift-docs-'));
afterAll(() => rmSync(folder, { recursive: true }));

const EXAMPLE =
  /^#{2,3} ([^\n]+)\n(?:(?!^#{2,3} ).*\n)*?```yaml\n([\s\S]*?)```\n\n```csv\n([\s\S]*?)```\n\n```json\n([\s\S]*?)```/gm;
const examples = [...page.matchAll(EXAMPLE)].map(([, title = '', yaml = '', csv = '', json = '']) => ({
  title,
  yaml,
  csv,
  json,
}));

test('every YAML block on the page belongs to an example that runs', () => {
  expect(examples.length).toBeGreaterThan(18);
  expect(examples).toHaveLength(page.split('```yaml').length - 1);
});

test.each(examples)('$title', async ({ yaml, csv, json }) => {
  const file = join(folder, 'example.csv');
  writeFileSync(file, csv);
  const table = await openTable(file, {});
  const template = parseTemplate(yaml, 'example.yaml');
  const { headers, letters, format } = table;
  const base = { headers, letters, format, map: {}, defaults: {} };
  const { mode, match } = templateMode(template, base);
  const mapping = compileMapping({ ...base, mode, match, template });
  const shown: unknown[] = [];
  for await (const batch of table.batches) {
    for (const { cells } of batch) {
      const row = mapping.mapRow(cells);
      for (let copy = 0; copy < row.copies; copy += 1) shown.push(shownAs(row, mode, match));
    }
  }
  expect(shown).toEqual(JSON.parse(json));
});

function shownAs(row: MappedRow, mode: string, match: string[]): unknown {
  if (row.skip !== undefined) return { skipped: english(row.skip) };
  if (row.issues.length > 0) return { issues: row.issues.map((issue) => issue.message) };
  if (mode === 'create') {
    const payload = createFields(row);
    return payload;
  }
  const fields = Object.entries(row.fields).map(([field, mapped]) => [
    field,
    mapped?.value === CLEAR ? '<clear>' : mapped?.value,
  ]);
  const custom = Object.entries(row.customFields).map(([key, mapped]) => [key, mapped.value]);
  return { match, ...Object.fromEntries(fields), custom_fields: Object.fromEntries(custom) };
}
