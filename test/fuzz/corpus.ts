import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Good input, and what once was too much for a parser; by name of the file. */
export function corpus(kind: string): string[] {
  const folder = join(import.meta.dirname, 'corpus', kind);
  return readdirSync(folder)
    .sort()
    .map((name) => readFileSync(join(folder, name), 'utf8'));
}
