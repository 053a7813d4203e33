import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const text = readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8');

/** Version of this package. */
export const VERSION: string = (JSON.parse(text) as { version: string }).version;
