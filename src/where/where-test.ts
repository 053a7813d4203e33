import type { Item } from '../api/schemas.ts';
import { CUSTOM_PREFIX } from '../mapping/custom-prefix.ts';
import { nearest } from '../nearest.ts';
import type { ItemValues } from './item-values.ts';
import type { Where } from './where.ts';

/** More names than these are not kept for a suggestion. */
const NAMES_KEPT = 1000;
const NAMES_SHOWN = 5;

/** The test that items must pass: all of the expressions. Notices custom fields that no item has. */
export class WhereTest {
  readonly #expressions: readonly Where[];
  readonly #values: ItemValues;
  /** Custom fields of the expressions that no item has had so far. */
  readonly #unseen: Set<string>;
  readonly #names = new Set<string>();

  constructor(expressions: readonly Where[], values: ItemValues) {
    this.#expressions = expressions;
    this.#values = values;
    const fields = expressions.flatMap((each) => each.fields);
    this.#unseen = new Set(
      fields.flatMap((field) => (field.startsWith(CUSTOM_PREFIX) ? [field.slice(CUSTOM_PREFIX.length)] : [])),
    );
  }

  passes(item: Item): boolean {
    if (this.#unseen.size > 0) this.#see(item);
    return this.#expressions.every(({ matches }) => matches(this.#values.of(item)));
  }

  /** Says which custom fields no item has, and what may be meant; undefined if there are none. */
  unseen(): string | undefined {
    if (this.#unseen.size === 0) return undefined;
    const names = [...this.#names].sort();
    return [...this.#unseen]
      .map((name) => {
        const meant = names.find((each) => each.toLowerCase() === name.toLowerCase()) ?? nearest(name, names);
        const instead =
          meant !== undefined
            ? `; the nearest is ${CUSTOM_PREFIX}${meant}`
            : names.length === 0
              ? ''
              : `; there are ${names.slice(0, NAMES_SHOWN).join(', ')}${names.length > NAMES_SHOWN ? ' …' : ''}`;
        return `No item has ${CUSTOM_PREFIX}${name}${instead}.`;
      })
      .join(' ');
  }

  #see({ custom_fields: fields = {} }: Item): void {
    for (const name of Object.keys(fields)) {
      this.#unseen.delete(name);
      if (this.#names.size < NAMES_KEPT) this.#names.add(name);
    }
  }
}
