import type { MappedRow, Mapping, MappingOptions } from '../../src/mapping/mapping.ts';
import { compileMapping } from '../../src/mapping/compile.ts';
import {
  type Template,
  Template as TemplateSchema,
  type TemplateInput,
} from '../../src/mapping/template/template.ts';
import { type Cell, columnLetter } from '../../src/sheets/cell.ts';

export const COLLECTION_ID = '6f1c7e0a-93b1-4a57-8f5e-0d6f2f6f1a11';

export type Overrides = Partial<Omit<MappingOptions, 'headers' | 'letters'>> & { template?: TemplateInput };

/** Compiles with the usual options; `template` is checked as a file would be. */
export function compile(headers: string[], { template, ...overrides }: Overrides = {}): Mapping {
  const parsed: Template | undefined = template === undefined ? undefined : TemplateSchema.parse(template);
  return compileMapping({
    headers,
    letters: headers.map((_, index) => columnLetter(index)),
    format: 'csv',
    map: {},
    defaults: {},
    mode: 'create',
    match: [],
    ...overrides,
    ...(parsed === undefined ? {} : { template: parsed }),
  });
}

/** Maps one row of a table with these columns. */
export function mapOne(cells: Record<string, Cell>, overrides: Overrides = {}): MappedRow {
  return compile(Object.keys(cells), overrides).mapRow(Object.values(cells));
}

/** Field → cast value, without the texts. */
export function valuesOf(row: MappedRow): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row.fields).map(([field, mapped]) => [field, mapped.value]));
}

export function codesOf(row: MappedRow): string[] {
  return row.issues.map((issue) => issue.code);
}
