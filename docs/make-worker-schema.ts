/** Writes docs/shelflift.schema.json from the configuration's own schema: `npm run docs:schema`. A test holds the two together. */
import { writeFileSync } from 'node:fs';
import { z } from 'zod';
import { WorkerConfig } from '../src/worker/config/schema.ts';

/** The whole of shelflift.schema.json, for editors: JSON Schema 2020-12. */
export function workerSchema(): string {
  const schema = z.toJSONSchema(WorkerConfig, { io: 'input' });
  const head = {
    title: 'shelflift.yaml',
    description: 'Profiles, schedules and watched folders of shelflift worker.',
  };
  return `${JSON.stringify({ $schema: schema.$schema, ...head, ...schema }, null, 2)}\n`;
}

if (import.meta.main) writeFileSync(new URL('shelflift.schema.json', import.meta.url), workerSchema());
