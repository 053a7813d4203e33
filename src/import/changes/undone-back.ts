/** Items that an undo has archived and that a plan takes out of the archive: their rows may have been sent again. */
import type { Item } from '../../api/schemas.ts';
import { message } from '../../messages/message.ts';
import type { Update } from '../engine/operation.ts';
import { isUndone, UNDONE } from '../engine/undone.ts';
import { type Emit, noteOf } from '../job/events.ts';

/** Counts them for one note. */
export class UndoneBack {
  #items = 0;
  readonly #jobs = new Set<string>();

  add(item: Item, { set: { status = 'archived' } }: Update): void {
    if (status === 'archived' || !isUndone(item)) return;
    this.#items += 1;
    const [, job = ''] = /\bjob ([^\s,]+)/.exec(String(item.custom_fields?.[UNDONE])) ?? [];
    this.#jobs.add(job);
  }

  tell(emit: Emit): void {
    const [job = '', ...others] = this.#jobs;
    if (this.#items > 0)
      emit(noteOf(message('undone_items_back', { items: this.#items, job, others: others.length })));
  }
}
