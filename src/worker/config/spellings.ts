/** Keys of the command line in YAML: `skip-invalid` and `skipInvalid` are the same. */
import type { z } from 'zod';
import { dashed } from '../../base/option.ts';
import { checkedTogether, knownKeys } from '../../base/yaml-file.ts';

type Shape = Record<string, z.ZodType>;
type Known<S extends Shape> = { [K in keyof S]?: z.infer<S[K]> | undefined };

/**
 * A strict object whose keys may be written with dashes; its output has none.
 * @param check gets the keys as they are written (see `checkedTogether`)
 */
export function eitherSpelling<S extends Shape>(
  shape: S,
  check: Parameters<typeof checkedTogether>[1] = () => undefined,
) {
  const dashable = Object.keys(shape).filter((key) => dashed(key) !== key);
  const more = Object.fromEntries(dashable.map((key) => [dashed(key), shape[key]])) as Shape;
  const every = Object.entries({ ...shape, ...more }).map(([key, type]) => [key, type?.optional()]);
  const fields = Object.fromEntries(every) as Record<string, z.ZodOptional<z.ZodType>>;
  return checkedTogether(knownKeys(fields, Object.keys(shape)), check).transform(
    (given) => withoutDashes(given) as Known<S>,
  );
}

/** `skip-invalid: true` → `skipInvalid: true`; values are left as they are. */
export function withoutDashes(given: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(given).map(([key, value]) => [
      key.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  );
}
