/** Writes templates/export.schema.json from the layout's own schema: `npm run docs:schema`. A test holds the two together. */
import { writeFileSync } from 'node:fs';
import { z } from 'zod';
import { Layout } from '../src/export/layout/layout.ts';

/** The whole of export.schema.json, for editors: JSON Schema 2020-12. */
export function layoutSchema(): string {
  const schema = z.toJSONSchema(Layout, { io: 'input' });
  const head = { title: 'shelflift export layout', description: 'See docs/layouts.md.' };
  return `${JSON.stringify({ $schema: schema.$schema, ...head, ...schema }, null, 2)}\n`;
}

if (import.meta.main)
  writeFileSync(new URL('../templates/export.schema.json', import.meta.url), layoutSchema());
