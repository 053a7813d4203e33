/** The changes of `set` as an object, and their form in the engine. */
import { Big } from 'big.js';
import type { ItemStatus } from '../api/resources.ts';
import type { FieldValue } from '../import/set/assignments.ts';
import { CUSTOM_PREFIX } from '../mapping/custom-prefix.ts';
import { message } from '../messages/message.ts';
import { callWrong } from './check.ts';
import type { ItemFields } from './options.ts';

/** An amount that is changed by a number, in major units; the result is rounded (`round`). */
export type NumberChange =
  | {
      /** Multiplies it: 1.1 raises it by a tenth. */
      times: number;
    }
  | {
      /** Adds to it. */
      plus: number;
    }
  | {
      /** Subtracts from it. */
      minus: number;
    };

/** The changes of `set`: field → value. Null empties a field. */
export interface ItemChanges
  extends Omit<ItemFields, 'id' | 'estimated_value' | 'tags' | 'custom_fields' | 'status'> {
  /** Its status. */
  status?: ItemStatus | undefined;
  /** In major units of the items' currency, or a change of the current value. */
  estimated_value?: number | NumberChange | null | undefined;
  /** Replaces all tags, or adds and removes some. */
  tags?:
    | readonly string[]
    | {
        /** Adds these tags to items that lack them. */
        add?: readonly string[] | undefined;
        /** Removes these. */
        remove?: readonly string[] | undefined;
      }
    | undefined;
  /** Name → value. Whole numbers can be changed by `plus` and `minus`. */
  custom_fields?: Record<string, string | number | boolean | null | NumberChange> | undefined;
}

/** The changes as the engine takes them. @throws UsageError `bad_option` for a value that is not a change */
export function changesOf(of: string, given: unknown): (string | FieldValue)[] {
  if (Array.isArray(given) && given.length > 0 && given.every((change) => typeof change === 'string'))
    return given;
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw callWrong(of, message('changes_of_no_kind', {}));
  const { custom_fields: custom = {}, tags, ...fields } = given as ItemChanges;
  const named = [
    ...Object.entries(fields),
    ...Object.entries(custom).map(([name, value]): [string, unknown] => [CUSTOM_PREFIX + name, value]),
  ];
  return [
    ...named.flatMap(([field, value]) => (value === undefined ? [] : [changeOf(of, field, value)])),
    ...tagChanges(of, tags),
  ];
}

const SIGNS = { times: '*=', plus: '+=', minus: '-=' } as const;

function changeOf(of: string, field: string, value: unknown): string | FieldValue {
  switch (typeof value) {
    case 'string':
    case 'number':
    case 'boolean':
      return { field, value };
    default:
  }
  if (value === null) return { field, value };
  const [only, ...others] = Object.entries(value ?? {});
  const [name, by] = only ?? [''];
  if (!Object.hasOwn(SIGNS, name) || others.length > 0 || typeof by !== 'number' || !Number.isFinite(by))
    throw callWrong(of, message('change_of_no_kind', { field }));
  return `${field}${SIGNS[name as keyof typeof SIGNS]}${new Big(by).toFixed()}`;
}

function tagChanges(of: string, tags: ItemChanges['tags']): FieldValue[] {
  if (tags === undefined) return [];
  const areTags = (list: unknown): list is string[] =>
    Array.isArray(list) && list.every((tag) => typeof tag === 'string');
  const { add = [], remove = [], ...others } = areTags(tags) ? {} : ({ ...tags } as Record<string, unknown>);
  if (!areTags(add) || !areTags(remove) || Object.keys(others).length > 0)
    throw callWrong(of, message('tags_of_no_kind', {}));
  if (areTags(tags)) return [{ field: 'tags', value: tags.length === 0 ? null : tags }];
  return [
    ...(add.length === 0 ? [] : [{ field: 'tags', value: add, sign: '+=' } as const]),
    ...(remove.length === 0 ? [] : [{ field: 'tags', value: remove, sign: '-=' } as const]),
  ];
}
