/** Counts the likely readings of a column, and its cells that count as blank, for the notes at the end. */
import { cut } from '../casts/cast.ts';
import { fold } from '../fold.ts';
import { message } from '../../messages/message.ts';
import type { Action, Message } from '../../messages/params.ts';

/** A row's note and the note for its column; the option of the field that turns such readings off, if there is one. */
const OF_COLUMN = {
  taken_as: { code: 'likely_words', back: 'offeredWords', value: 'ask' },
  year_kept: { code: 'years_kept', back: 'outOfRange', value: 'issue' },
  date_kept: { code: 'dates_kept', back: 'dates', value: 'year' },
  filler_row: { code: 'fillers_left_out', back: 'fillers', value: 'issue' },
} as const;

/** Zero, which programs write for unknown values. */
const ZERO = /^0+(?:[.,]0+)?$/;
/** How many different texts a note shows. */
const TEXTS_SHOWN = 3;

export class LikelyReadings {
  readonly #named: ReadonlySet<string>;
  readonly #blank = { cells: 0, texts: new Set<string>() };
  readonly #counts = new Map<keyof typeof OF_COLUMN, { cells: number; first: Message }>();
  #closed = false;

  /** @param blankWords of the template, or of a person: only their zeros are reported */
  constructor(blankWords: readonly string[]) {
    this.#named = new Set(blankWords.map(fold));
  }

  /** Whether the template or a person has named the text as blank. */
  isNamed(text: string): boolean {
    return this.#named.size > 0 && this.#named.has(fold(text));
  }

  /** A cell with a text that counts as blank. */
  addBlank(text: string): void {
    if (this.#closed || (this.isNamed(text) && !ZERO.test(text))) return;
    this.#blank.cells += 1;
    if (this.#blank.texts.size < TEXTS_SHOWN) this.#blank.texts.add(cut(text));
  }

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
    const { cells: blank, texts } = this.#blank;
    const blanks = blank === 0 ? [] : [message('cells_blank', { ...where, cells: blank, texts: [...texts] })];
    const readings = [...this.#counts].map(([note, { cells, first }]) => {
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
    return [...readings, ...blanks];
  }
}
