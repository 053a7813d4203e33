/** What the tests have found so far; it outlives a process that a mutant stops. */
import { existsSync, readFileSync } from 'node:fs';

export const LOG = process.env['MUTATION_LOG'] ?? 'mutation.jsonl';

export interface Entry {
  /** Reached while the modules were loaded, which happens once. */
  loaded?: string[];
  /** Reached by a test. */
  reached?: string[];
  tries?: string;
  /** The test that passes with it, or none if it fails. */
  tried?: string;
  by?: string;
  found?: string;
  error?: string;
  /** Found because the test did not end. Its process does. */
  late?: boolean;
}

export function entries(log = LOG): Entry[] {
  if (!existsSync(log)) return [];
  return readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Entry);
}
