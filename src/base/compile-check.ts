/**
 * Compiles a schema into a plain predicate that copies nothing.
 *
 * zod copies every object that it reads; these copies and their garbage collection took a tenth of an export's time,
 * and a twentieth of an import's. The predicate is derived from the schema, so the two cannot differ; if it returns
 * false, zod gives the reason. Only schemas without transforms and defaults can be compiled.
 */
import { z } from 'zod';

export type Check = (value: unknown) => boolean;

/** @throws TypeError for a kind of schema that no response, no item to create and no text of the store uses */
export function compileCheck(schema: z.core.$ZodType): Check {
  const kind = kindCheck(schema);
  const bounds = (schema._zod.def.checks ?? []).map(boundCheck);
  return bounds.length === 0 ? kind : (value) => kind(value) && bounds.every((bound) => bound(value));
}

/** The check of a value's bounds, after its type was checked. */
function boundCheck({ _zod: { def } }: z.core.$ZodCheck): Check {
  if (def.check === 'greater_than' || def.check === 'less_than') {
    const { value: bound, inclusive } = def as z.core.$ZodCheckLessThanDef;
    const sign = def.check === 'less_than' ? 1 : -1;
    return (value) => sign * Number(value) < sign * Number(bound) || (inclusive && value === bound);
  }
  if (def.check === 'custom') {
    const { fn } = def as z.core.$ZodCustomDef;
    return (value) => fn(value) === true;
  }
  throw new TypeError(`no plain check for ${def.check}`);
}

function kindCheck(schema: z.core.$ZodType): Check {
  if (schema instanceof z.ZodObject) return objectCheck(schema);
  if (schema instanceof z.ZodArray) {
    const element = compileCheck(schema.element);
    return (value) => Array.isArray(value) && value.every(element);
  }
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodExactOptional) {
    const inner = compileCheck(schema.unwrap());
    return (value) => value === undefined || inner(value);
  }
  if (schema instanceof z.ZodReadonly) return compileCheck(schema.unwrap());
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
  if (schema instanceof z.ZodUnknown) return () => true;
  if (schema instanceof z.ZodRecord && schema.keyType instanceof z.ZodString) {
    if (schema.valueType instanceof z.ZodUnknown) return isPlainObject;
    const value = compileCheck(schema.valueType);
    return (object) => isPlainObject(object) && Object.values(object).every(value);
  }
  if (schema instanceof z.ZodUnion) {
    const options = schema.options.map(compileCheck);
    return (value) => options.some((fits) => fits(value));
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
  const isStrict = schema.def.catchall instanceof z.ZodNever;
  if (!isStrict && !(schema.def.catchall instanceof z.ZodUnknown))
    throw new TypeError('no plain check for an object that drops fields');
  const fields = Object.entries(schema.shape).map(([name, field]) => ({ name, check: compileCheck(field) }));
  return (value) => {
    if (!isPlainObject(value)) return false;
    for (const { name, check } of fields) if (!check(value[name])) return false;
    return !isStrict || Object.keys(value).every((name) => Object.hasOwn(schema.shape, name));
  };
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
