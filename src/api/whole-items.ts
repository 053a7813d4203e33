/**
 * Answers with all fields of their items, whatever the server leaves out of them (contract §2): its lists
 * (list-fields.ts), or its answers about single items (item-fields.ts).
 */
import { type Clock, type Moment, momentOf, msSince } from '../base/clock.ts';
import type { Answer, Page } from './answer.ts';
import { FieldsUnknownError, MissingScopeError } from './errors.ts';
import type { FieldWatch } from './field-watch.ts';
import { hasValue, ItemFields, optionalFields, type RawReads } from './item-fields.ts';
import { ListFields } from './list-fields.ts';
import { type Item, type ItemUpdate, OPTIONAL_FIELDS } from './schemas.ts';

/** The page of a list that was read. */
export interface PageRead {
  list: 'listItems' | 'listListings';
  number: number;
  /** Whether the list has all items, in pages of 100. */
  isUsual: boolean;
  watch: FieldWatch | undefined;
}

export class WholeItems {
  readonly #clock: Clock;
  readonly #lists = { listItems: new ListFields(), listListings: new ListFields() };
  readonly #items = new ItemFields();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async page(answer: Answer<Page<Item>>, read: PageRead, reads: RawReads): Promise<Answer<Page<Item>>> {
    const listed = answer.value.data;
    const { number, watch } = read;
    const list = this.#lists[read.list];
    this.#items.listed(listed, read.isUsual ? number : undefined);
    const since = momentOf(this.#clock);
    const readItem = async (id: string) => {
      try {
        return await reads.item(id);
      } catch (error) {
        if (error instanceof MissingScopeError) return undefined;
        throw error;
      }
    };
    const data = await list.complete(listed, number === 1, readItem, watch);
    watch?.shown(data, data !== listed, list);
    return data === listed ? answer : this.#completed(answer, { ...answer.value, data }, since);
  }

  /**
   * @param sent names of the fields that are about to be sent
   * @throws FieldsUnknownError
   */
  async item(answer: Answer<Item>, sent: readonly string[], reads: RawReads): Promise<Answer<Item>> {
    const since = momentOf(this.#clock);
    const { item, unknown } = await this.#items.complete(answer.value, optionalFields(sent), reads);
    if (unknown.length > 0) throw new FieldsUnknownError(item, unknown);
    return item === answer.value ? answer : this.#completed(answer, item, since);
  }

  /**
   * The answer to a write, with the fields that were sent and that it leaves out: whether the server has kept them is
   * read by id. The write was acknowledged, so a read that fails changes nothing.
   */
  async written(answer: Answer<Item>, sent: ItemUpdate, reads: RawReads): Promise<Answer<Item>> {
    for (const list of Object.values(this.#lists)) list.written(answer.value);
    const isLacking = OPTIONAL_FIELDS.some(
      (field) =>
        answer.value[field] === undefined &&
        // Even if empty custom fields were sent: a server that merges has kept the other fields.
        (hasValue(sent[field]) || (field === 'custom_fields' && sent[field] !== undefined)),
    );
    if (!isLacking) return answer;
    try {
      const read = await reads.item(answer.value.id);
      if (read === undefined) return answer;
      const { item, unknown } = await this.#items.complete(read, [], reads);
      return unknown.length > 0 ? answer : { ...answer, value: { ...item, ...answer.value } };
    } catch {
      return answer;
    }
  }

  #completed<T>(answer: Answer<T>, value: T, since: Moment): Answer<T> {
    const tookMs = answer.tookMs + msSince(since, this.#clock);
    return { ...answer, value, body: Buffer.from(JSON.stringify(value)), tookMs };
  }
}
