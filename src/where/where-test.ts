import type { Message } from '../messages/params.ts';
import type { Item } from '../api/schemas.ts';
import { CUSTOM_PREFIX } from '../mapping/custom-prefix.ts';
import { UsageError } from '../base/errors.ts';
import { nearest } from '../base/nearest.ts';
import type { ItemValues } from './item-values.ts';
import type { Where } from './where.ts';
import { byHand, message } from '../messages/message.ts';

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
  /** Whether any item was looked at. */
  #seen = false;

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

  /** A field of an item as the expressions see it; '' for null and absent values. */
  text(item: Item, field: string): string {
    return this.#values.text(item, field);
  }

  /**
   * To be called once all items were looked at: names the custom fields that no item has. An item without the field
   * passes `!=`, so a misspelt name would choose every item.
   *
   * @throws UsageError `bad_where` for such a field with `!=`, or if it is probably misspelt
   */
  check(warn: (said: Message) => void): void {
    const names = [...this.#names].sort();
    const denied = new Set(
      this.#expressions
        .flatMap(({ tests }) => tests)
        .flatMap(({ field, operator }) => (operator === '!=' ? [field] : [])),
    );
    for (const name of this.#seen ? this.#unseen : []) {
      const field = CUSTOM_PREFIX + name;
      const meant = nearest(name, names);
      const said = (others: readonly string[]) =>
        message('no_item_has_field', {
          field,
          others: others.slice(0, NAMES_SHOWN),
          more: others.length > NAMES_SHOWN,
        });
      if (meant !== undefined)
        throw new UsageError('bad_where', said([]), {
          actions: [byHand('did_you_mean', { near: `${CUSTOM_PREFIX}${meant}` })],
        });
      if (denied.has(field))
        throw new UsageError('bad_where', said(names), {
          actions: [
            ...(names.length === 0 ? [byHand('no_custom_fields', {})] : []),
            byHand('write_blank', { field }),
          ],
        });
      warn(said(names));
    }
  }

  /** Names of items' custom fields that an expression can refer to. */
  get names(): readonly string[] {
    return [...this.#names];
  }

  /** Adds names that an earlier reading of the same list found. */
  recall(names: readonly string[]): void {
    this.#seen = true;
    for (const name of names) this.#note(name);
  }

  #see({ custom_fields: fields = {} }: Item): void {
    this.#seen = true;
    for (const name of Object.keys(fields)) this.#note(name);
  }

  #note(name: string): void {
    this.#unseen.delete(name);
    if (this.#names.size < NAMES_KEPT) this.#names.add(name);
  }
}
