/** Counts the likely readings of a column, for the notes at the end. */
import { message } from '../../messages/message.ts';
import type { Action, Message } from '../../messages/params.ts';

/** A row's note and the note for its column; the option of the field that turns such readings off, if there is one. */
const OF_COLUMN = {
  taken_as: { code: 'likely_words', back: 'offeredWords', value: 'ask' },
  year_kept: { code: 'years_kept', back: 'outOfRange', value: 'issue' },
  date_kept: { code: 'dates_kept', back: 'dates', value: 'year' },
  zero_not_known: { code: 'zeros_not_known' },
  filler_row: { code: 'fillers_left_out', back: 'fillers', value: 'issue' },
} as const;

export class LikelyReadings {
  readonly #counts = new Map<keyof typeof OF_COLUMN, { cells: number; first: Message }>();
  #closed = false;

  add(note: Message): void {
    // Rows that are mapped a second time were counted the first time.
    if (this.#closed || !Object.hasOwn(OF_COLUMN, note.code)) return;
    const code = note.code as keyof typeof OF_COLUMN;
    const known = this.#counts.get(code);
    if (known === undefined) this.#counts.set(code, { cells: 1, first: note });
    else known.cells += 1;
  }

  /** After the last row. */
  close(): void {
    this.#closed = true;
  }

  /** @param job if known: its corrections undo the readings */
  notes(field: string, where: { column: string; header: string }, job: string | undefined): Message[] {
    return [...this.#counts].map(([note, { cells, first }]) => {
      const { code, ...taken } = OF_COLUMN[note];
      const { text, value: as = '' } = first.params as { text: string; value?: string };
      const label = message('to_read_strictly', {});
      const actions: Action[] =
        job === undefined || !('back' in taken)
          ? []
          : [{ do: 'mend', job, options: { option: `${field}:${taken.back}=${taken.value}` }, label }];
      const params = { ...where, cells, text };
      return code === 'likely_words'
        ? message(code, { ...params, as }, ...actions)
        : message(code, params, ...actions);
    });
  }
}
