/** What people should know of updates, although nothing is wrong with them: counted while they are planned. */
import type { Item } from '../../api/schemas.ts';
import { message } from '../../messages/message.ts';
import type { Update } from '../engine/operation.ts';
import { isUndone, UNDONE } from '../engine/undone.ts';
import { type Emit, noteOf } from '../job/events.ts';

export class PlanNotes {
  /** Items that an undo has archived and that come out of the archive: their rows may have been sent again. */
  #back = 0;
  readonly #jobs = new Set<string>();
  /** Items of which a part changes, by the computed field that has nothing to start from. */
  readonly #partly = new Map<string, number>();

  add(item: Item, { set: { status = 'archived' }, unset = [] }: Update): void {
    for (const { column: field = '' } of unset) this.#partly.set(field, (this.#partly.get(field) ?? 0) + 1);
    if (status === 'archived' || !isUndone(item)) return;
    this.#back += 1;
    const [, job = ''] = /\bjob ([^\s,]+)/.exec(String(item.custom_fields?.[UNDONE])) ?? [];
    this.#jobs.add(job);
  }

  tell(emit: Emit): void {
    for (const [field, items] of this.#partly)
      emit(noteOf(message('items_partly_changed', { field, items })));
    const [job = '', ...others] = this.#jobs;
    if (this.#back > 0)
      emit(noteOf(message('undone_items_back', { items: this.#back, job, others: others.length })));
  }
}
