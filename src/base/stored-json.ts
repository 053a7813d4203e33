/**
 * Reads JSON texts of the store by their schemas. A text that does not match was not written by this version: the store
 * is damaged.
 */
import type { z } from 'zod';
import { compileCheck } from './compile-check.ts';
import { ShelfliftError } from './errors.ts';
import { parseExactJson } from './exact-json.ts';
import { message } from '../messages/message.ts';

/**
 * A reader of texts that a schema describes. The schema is compiled on first use: most commands read only some of them.
 *
 * @param data its name, the same in every language: `row`
 */
export function storedReader<S extends z.ZodType>(
  data: string,
  schema: () => S,
): (text: string) => z.infer<S> {
  return reader(data, () => {
    const check = compileCheck(schema());
    return (value) => (check(value) ? (value as z.infer<S>) : undefined);
  });
}

/** The same for a schema that cannot be compiled, such as that of a template: for texts that are read once. */
export function storedParser<S extends z.ZodType>(
  data: string,
  schema: () => S,
): (text: string) => z.infer<S> {
  return reader(data, () => {
    const parser = schema();
    return (value) => parser.safeParse(value).data;
  });
}

function reader<T>(data: string, make: () => (value: unknown) => T | undefined): (text: string) => T {
  let read: ((value: unknown) => T | undefined) | undefined;
  return (text) => {
    read ??= make();
    const value = parsed(text);
    const found = value === undefined ? undefined : read(value);
    if (found !== undefined) return found;
    throw new ShelfliftError('store_damaged', message('stored_unreadable', { data }), {
      actions: [
        { do: 'byHand', label: message('restore_store', {}) },
        { do: 'run', command: 'store check', label: message('to_check_store', {}) },
      ],
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
