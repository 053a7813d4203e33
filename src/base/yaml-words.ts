/** Describes problems of YAML values. Never repeats a text, which may be a misplaced secret. */
import type { z } from 'zod';

const KINDS: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'a map of keys',
  record: 'a map of keys',
  array: 'a list',
};

/** For zod's `error`; undefined if zod's own message is good enough. */
export function inWords(issue: z.core.$ZodRawIssue): string | undefined {
  const wanted = expected(issue);
  if (wanted === undefined) return undefined;
  if (issue.input === undefined) return `is missing: expected ${wanted}`;
  return `expected ${wanted}, found ${found(issue.input)}`;
}

function expected(issue: z.core.$ZodRawIssue | z.core.$ZodIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      return KINDS[issue.expected] ?? issue.expected;
    case 'invalid_value':
      return `one of ${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return `at least ${String(issue.minimum)}${unit(issue.origin, issue.minimum)}`;
    case 'too_big':
      return `at most ${String(issue.maximum)}${unit(issue.origin, issue.maximum)}`;
    case 'invalid_union': {
      const forms = issue.errors.map(([first]) => (first === undefined ? undefined : expected(first)));
      return forms.includes(undefined) ? undefined : [...new Set(forms)].join(' or ');
    }
    default:
      return undefined;
  }
}

function unit(origin: string, count: number | bigint): string {
  const one = Number(count) === 1;
  if (origin === 'array') return one ? ' entry' : ' entries';
  if (origin === 'string') return one ? ' letter' : ' letters';
  return '';
}

function found(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (typeof value === 'string') return 'a text';
  return typeof value === 'object' && value !== null ? 'a map of keys' : String(value);
}
