/** Reads JSON texts of the store by their schemas. What does not fit was not written by this version: the store is damaged. */
import type { z } from 'zod';
import { compileCheck } from './compile-check.ts';
import { ShelfliftError } from './errors.ts';
import { parseExactJson } from './exact-json.ts';

/**
 * A reader of texts that a schema describes. The schema is compiled on first use: most commands read only some of them.
 *
 * @param what the text is, for the message
 */
export function storedReader<S extends z.ZodType>(
  what: string,
  schema: () => S,
): (text: string) => z.infer<S> {
  let check: ((value: unknown) => boolean) | undefined;
  return (text) => {
    const value = parsed(text);
    check ??= compileCheck(schema());
    if (value !== undefined && check(value)) return value as z.infer<S>;
    throw new ShelfliftError('store_damaged', `The store has ${what} that this version cannot read.`, {
      remedy: 'Restore a copy of the store, or look at it: shelflift store check',
    });
  };
}

function parsed(text: string): unknown {
  try {
    return parseExactJson(text);
  } catch {
    return undefined;
  }
}
