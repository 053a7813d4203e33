/**
 * Compiles a schema into a plain predicate that copies nothing.
 *
 * zod copies every object that it reads; these copies and their collection took a tenth of an export's time. The
 * predicate is made from the schema, so they cannot differ; if it returns false, zod gives the reason. Only schemas
 * without transforms and defaults can be compiled.
 */
import { z } from 'zod';

export type Check = (value: unknown) => boolean;

/** @throws TypeError for a kind of schema that no response in the contract uses */
export function compileCheck(schema: z.core.$ZodType): Check {
  if (schema instanceof z.ZodObject) return objectCheck(schema);
  if (schema instanceof z.ZodArray) {
    const element = compileCheck(schema.element);
    return (value) => Array.isArray(value) && value.every(element);
  }
  if (schema instanceof z.ZodOptional) {
    const inner = compileCheck(schema.unwrap());
    return (value) => value === undefined || inner(value);
  }
  if (schema instanceof z.ZodNullable) {
    const inner = compileCheck(schema.unwrap());
    return (value) => value === null || inner(value);
  }
  if (schema instanceof z.ZodLiteral) {
    const { values } = schema;
    return (value) => values.has(value as z.core.util.Literal);
  }
  if (schema instanceof z.ZodEnum) {
    const words = new Set<unknown>(schema.options);
    return (value) => words.has(value);
  }
  if (
    schema instanceof z.ZodRecord &&
    schema.keyType instanceof z.ZodString &&
    schema.valueType instanceof z.ZodUnknown
  ) {
    return isPlainObject;
  }
  if (schema instanceof z.ZodGUID) {
    const pattern = z.core.regexes.guid;
    return (value) => typeof value === 'string' && pattern.test(value);
  }
  if (schema instanceof z.ZodNumberFormat && schema.format === 'safeint') return Number.isSafeInteger;
  if (schema instanceof z.ZodNumber && schema.format === null) return Number.isFinite;
  if (schema instanceof z.ZodString && schema.format === null) return (value) => typeof value === 'string';
  if (schema instanceof z.ZodBoolean) return (value) => typeof value === 'boolean';
  throw new TypeError(`no plain check for ${schema._zod.def.type}`);
}

function objectCheck(schema: z.ZodObject): Check {
  if (!(schema.def.catchall instanceof z.ZodUnknown))
    throw new TypeError('no plain check for a strict object');
  const fields = Object.entries(schema.shape).map(([name, field]) => ({ name, check: compileCheck(field) }));
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    const object = value as Record<string, unknown>;
    for (const { name, check } of fields) if (!check(object[name])) return false;
    return true;
  };
}

function isPlainObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
