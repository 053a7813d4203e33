/**
 * Columns that name a group in its first row and are blank in the rows below, as under merged cells. A blank cell may
 * also mean that the value is unknown, so shelflift offers to fill the cells, and never does it without being asked.
 */
import { message } from '../../messages/message.ts';
import type { Action, Message } from '../../messages/params.ts';
import { cut } from '../../mapping/casts/cast.ts';
import type { GroupColumn } from '../job/judging.ts';
import type { Mapping } from '../../mapping/mapping.ts';
import { nameOf } from '../../mapping/template/explicit-template.ts';
import { columnOptions, type Template } from '../../mapping/template/template.ts';
import { type Cell, cellText } from '../../sheets/cell.ts';

/** Fields that are typically the same for a group of rows. */
const GROUP_FIELDS: ReadonlySet<string> = new Set(['brand', 'series', 'collection']);
const MIN_GROUPS = 2;
const MIN_BLANK = 3;
/** A column is no longer watched once its filled cells exceed its blank cells by this number. */
const MARGIN = 1000;

interface ColumnScan {
  filled: number;
  last: string;
}

/** Observes the rows of one table in order. */
export class GroupColumns {
  readonly #columns: Map<number, ColumnScan>;
  #rows = 0;

  constructor(columns: number) {
    this.#columns = new Map(Array.from({ length: columns }, (_, index) => [index, { filled: 0, last: '' }]));
  }

  add(cells: readonly Cell[]): void {
    this.#rows += 1;
    for (const [index, seen] of this.#columns) {
      const text = cellText(cells[index] ?? null).trim();
      if (text === '' && this.#rows > 1) continue;
      // A blank first row is below no group, and a group is not named twice in a row. Full columns need no fill.
      const isGroup = text !== '' && text !== seen.last && seen.filled < this.#rows - seen.filled + MARGIN;
      if (isGroup) this.#columns.set(index, { filled: seen.filled + 1, last: text });
      else this.#columns.delete(index);
    }
  }

  found(): GroupColumn[] {
    const rows = this.#rows;
    return [...this.#columns]
      .map(([index, { filled }]) => ({ index, rows, blank: rows - filled }))
      .filter(({ blank }) => {
        const filled = rows - blank;
        return filled >= MIN_GROUPS && blank >= MIN_BLANK && blank >= filled;
      });
  }
}

/** A question to a person: whether blank cells have the value above them. */
export interface FillDownOffer {
  field: string;
  header: string;
  rows: number;
  blank: number;
}

/** The offers for the columns in their current use; empty if they are already filled down. */
export function fillDownOffers(
  tables: readonly {
    headers: string[];
    letters: string[];
    groups?: readonly GroupColumn[] | undefined;
    mapping: Mapping;
    template: Template | undefined;
  }[],
): FillDownOffer[] {
  const offers = new Map<string, FillDownOffer>();
  for (const { groups = [], mapping, template, ...table } of tables)
    for (const { index, rows, blank } of groups) {
      const field = mapping.columns[index]?.target;
      if (field === undefined || !GROUP_FIELDS.has(field)) continue;
      if (columnOptions(template, field).fillDown !== undefined) continue;
      const offer = offers.get(field) ?? { field, header: nameOf(table, index), rows: 0, blank: 0 };
      offers.set(field, { ...offer, rows: offer.rows + rows, blank: offer.blank + blank });
    }
  return [...offers.values()];
}

export function offerNote({ header, ...offer }: FillDownOffer, job: string): Message {
  const option = `${offer.field}:fillDown`;
  const label = message('to_fill_down', {});
  const action: Action = { do: 'mend', job, options: { option: `${option}=true` }, label };
  return message('could_fill_down', { header: cut(header), ...offer }, action);
}
