/** Conditions as an object: the same tree as that of an expression, without anything to quote. */
import { Big } from 'big.js';
import type { ItemCondition, ItemPackaging, ItemStatus } from '../api/resources.ts';
import { CUSTOM_PREFIX } from '../mapping/custom-prefix.ts';
import { badWhere, type Expression, type FieldTest, type Operator, type Value } from './expression.ts';
import { message } from '../messages/message.ts';
import type { Message } from '../messages/params.ts';

/** A value of a field. */
export type WhereValue = string | number | boolean | Date;

/** Conditions on a field, all of which must hold. */
export interface FieldCondition<V extends WhereValue = WhereValue> {
  /** Equal, without regard to case and outer spaces. */
  eq?: V | undefined;
  /** Not equal; null: not blank. */
  not?: V | null | undefined;
  /** One of these. */
  in?: readonly V[] | undefined;
  /** Greater than; for numbers and times. */
  gt?: V | undefined;
  /** Greater than or equal to. */
  gte?: V | undefined;
  /** Less than. */
  lt?: V | undefined;
  /** Less than or equal to. */
  lte?: V | undefined;
  /** A text that contains this. */
  contains?: string | undefined;
  /** A list that has this entry: tags, and custom fields that are lists. */
  has?: string | undefined;
  /** Blank, or not. */
  blank?: boolean | undefined;
}

/** A value, a list of values of which one must be equal, null for blank, or several conditions. */
export type WhereField<V extends WhereValue = WhereValue> = V | null | readonly V[] | FieldCondition<V>;

/** Conditions on items: every key must hold. */
export interface WhereObject {
  /** UUID of the item. */
  id?: WhereField<string> | undefined;
  /** Its name. */
  name?: WhereField<string> | undefined;
  /** Its brand. */
  brand?: WhereField<string> | undefined;
  /** Its series. */
  series?: WhereField<string> | undefined;
  /** The year it came out. */
  release_year?: WhereField<number> | undefined;
  /** Its condition. */
  condition?: WhereField<ItemCondition> | undefined;
  /** Its packaging. */
  packaging?: WhereField<ItemPackaging> | undefined;
  /** Its status. */
  status?: WhereField<ItemStatus> | undefined;
  /** A tag that it has. */
  tags?: string | null | Pick<FieldCondition, 'has' | 'blank'> | undefined;
  /** In major units: 12.5. */
  estimated_value?: WhereField<number> | undefined;
  /** Code of the currency. */
  currency?: WhereField<string> | undefined;
  /** UUID of its collection. */
  collection_id?: WhereField<string> | undefined;
  /** Name of its collection. */
  collection_name?: WhereField<string> | undefined;
  /** When it was made: a text is ISO 8601, and a date without a time is the whole day in UTC. */
  created_at?: WhereField<string | Date> | undefined;
  /** When it changed last. */
  updated_at?: WhereField<string | Date> | undefined;
  /** Name → conditions on the custom field. */
  custom_fields?: Record<string, WhereField> | undefined;
  /** All of these must hold. */
  all?: readonly WhereObject[] | undefined;
  /** At least one of these must hold. */
  any?: readonly WhereObject[] | undefined;
}

const OPERATORS = {
  eq: '=',
  not: '!=',
  in: 'in',
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
  contains: '~',
  has: 'has',
  blank: 'blank',
} as const satisfies Record<keyof FieldCondition, Operator>;

/** Operators that compare by order; text in quotes has no order. */
const ORDERED: ReadonlySet<Operator> = new Set(['>', '>=', '<', '<=']);
/** The characters of numbers and times. */
const PLAIN = /^[\d.:TZ+-]+$/;

/**
 * The tree of an object.
 *
 * @throws UsageError `bad_where` for a condition that none of the types above allows, or that is empty
 */
export function whereTree(object: WhereObject): Expression {
  const parts = Object.entries(object).flatMap(([key, given]: [string, unknown]): Expression[] => {
    if (given === undefined) return [];
    if (key === 'all') return listOf(key, given).map(whereTree);
    if (key === 'any') return [{ any: listOf(key, given).map(whereTree) }];
    if (key !== 'custom_fields') return testsOfField(key, given);
    if (typeof given !== 'object' || given === null) throw badWhere(key, message('expected_names', {}));
    return Object.entries(given).flatMap(([name, each]) => testsOfField(CUSTOM_PREFIX + name, each));
  });
  const [only] = parts;
  if (only === undefined) throw badWhere('where', message('no_condition', {}));
  return parts.length === 1 ? only : { all: parts };
}

function listOf(key: string, given: unknown): WhereObject[] {
  if (Array.isArray(given) && given.length > 0 && given.every((each) => isObject(each))) return given;
  throw badWhere(key, message('expected_objects', {}));
}

function testsOfField(field: string, given: unknown): FieldTest[] {
  if (given === undefined) return [];
  if (given === null) return [{ field, operator: 'blank', values: [] }];
  if (Array.isArray(given)) return [test(field, 'in', given)];
  if (!isObject(given)) return [test(field, field === 'tags' ? 'has' : '=', [given])];
  return Object.entries(given).flatMap(([name, wanted]): FieldTest[] => {
    if (wanted === undefined) return [];
    if (!Object.hasOwn(OPERATORS, name))
      throw badWhere(field, message('operator_unknown', { name, known: Object.keys(OPERATORS) }));
    const operator = OPERATORS[name as keyof FieldCondition];
    if (operator === 'blank') {
      if (typeof wanted !== 'boolean') throw badWhere(field, at('blank', 'true_or_false'));
      return [{ field, operator: wanted ? 'blank' : 'not blank', values: [] }];
    }
    if (operator === '!=' && wanted === null) return [{ field, operator: 'not blank', values: [] }];
    return [test(field, operator, operator === 'in' ? listOfValues(field, wanted) : [wanted])];
  });
}

function listOfValues(field: string, given: unknown): unknown[] {
  if (Array.isArray(given)) return given as unknown[];
  throw badWhere(field, at('in', 'a_list'));
}

function test(field: string, operator: Operator, values: readonly unknown[]): FieldTest {
  if (values.length === 0) throw badWhere(field, message('values_empty', {}));
  return { field, operator, values: values.map((value) => valueOf(field, operator, value)) };
}

function valueOf(field: string, operator: Operator, value: unknown): Value {
  if (typeof value === 'string')
    return { text: value, quoted: !(ORDERED.has(operator) && PLAIN.test(value)) };
  if (typeof value === 'boolean') return { text: String(value), quoted: true };
  if (typeof value === 'number' && Number.isFinite(value))
    return { text: new Big(value).toFixed(), quoted: false };
  if (value instanceof Date && !Number.isNaN(value.getTime()))
    return { text: value.toISOString(), quoted: false };
  throw badWhere(field, message('expected_where_value', {}));
}

function isObject(given: unknown): given is object {
  return typeof given === 'object' && given !== null && !Array.isArray(given) && !(given instanceof Date);
}

function at(operator: keyof FieldCondition, kind: 'true_or_false' | 'a_list'): Message {
  return message('at_key', { key: operator, problem: message('expected', { expected: message(kind, {}) }) });
}
