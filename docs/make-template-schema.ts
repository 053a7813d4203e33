/** Writes templates/import.schema.json from the template's own schema: `npm run docs:schema`. A test holds the two together. */
import { writeFileSync } from 'node:fs';
import { z } from 'zod';
import { CUSTOM_PREFIX } from '../src/mapping/custom-prefix.ts';
import { TARGETS } from '../src/mapping/targets.ts';
import { Template } from '../src/mapping/template/template.ts';

interface Schema {
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: unknown;
  [key: string]: unknown;
}

const NOT_GIVEN = new Set(['id', 'quantity']);

/** The whole of import.schema.json, for editors: JSON Schema 2020-12. */
export function templateSchema(): string {
  const schema = z.toJSONSchema(Template, { io: 'input' }) as Schema;
  const { properties = {} } = schema;
  // Maps by field: an editor can only offer names that are listed.
  listFields(properties['columns'], TARGETS);
  const given = TARGETS.filter((name) => !NOT_GIVEN.has(name));
  listFields(properties['defaults'], given);
  listFields(properties['constants'], given);
  listFields(properties['conditions']?.items?.properties?.['set'], given);
  const head = { title: 'shelflift import template', description: 'See docs/templates.md.' };
  return `${JSON.stringify({ $schema: schema['$schema'], ...head, ...schema }, null, 2)}\n`;
}

function listFields(map: Schema | undefined, names: readonly string[]): void {
  if (map === undefined) throw new Error('the template has no such part any more');
  const { additionalProperties: value } = map;
  delete map['propertyNames'];
  map.properties = Object.fromEntries(names.map((name) => [name, value as Schema]));
  map['patternProperties'] = { [`^${CUSTOM_PREFIX.replace('.', '\\.')}`]: value };
  map.additionalProperties = false;
}

if (import.meta.main)
  writeFileSync(new URL('../templates/import.schema.json', import.meta.url), templateSchema());
