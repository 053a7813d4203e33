import { createHash } from 'node:crypto';
import type { Item } from '../../api/schemas.ts';

/** Twelve bytes that differ where anything that the server says of the item differs; the order of keys says nothing. */
export function itemFingerprint(item: Item): string {
  return createHash('sha256').update(canonical(item)).digest('base64').slice(0, 16);
}

function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? '';
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  const object = value as Record<string, unknown>;
  const keys = Object.keys(object).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical(object[key])}`).join(',')}}`;
}
