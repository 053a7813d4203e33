/**
 * Cells as texts, and back: the ledger keeps the texts, and the kind of each cell. So a number is read back as the same
 * number, and not as a text with its own decimal mark.
 */
import { type Cell, cellText, type MoneyCell } from './cell.ts';

/** `t`ext (also a blank cell), `n`umber, `b`oolean, `d`ate, `m`oney, `e`rror. */
type Kind = 't' | 'n' | 'b' | 'd' | 'm' | 'e';

const LETTERS = { date: 'd', money: 'm', error: 'e' } as const;

/** The letters of the kinds of cells; undefined if all cells are texts. */
export function kindsOf(cells: readonly Cell[]): string | undefined {
  if (cells.every((cell) => cell === null || typeof cell === 'string')) return undefined;
  return cells.map(kindOf).join('');
}

function kindOf(cell: Cell): Kind {
  if (cell === null) return 't';
  switch (typeof cell) {
    case 'string':
      return 't';
    case 'number':
      return 'n';
    case 'boolean':
      return 'b';
    default:
      return LETTERS[cell.kind];
  }
}

/** The cell that has this text. */
export function cellOf(text: string, kind: string | undefined): Cell {
  switch (kind) {
    case 'n':
      return Number(text);
    case 'b':
      return text === 'true';
    case 'e':
      return { kind: 'error', text };
    case 'm': {
      const [, amount, currency = ''] = /^(\S+) (.*)$/s.exec(text) ?? [];
      return { kind: 'money', amount: Number(amount), currency } satisfies MoneyCell;
    }
    case 'd': {
      const [, date = '', time] = /^(\d{4,}-\d\d-\d\d)?[T ]?(\d.*)?$/.exec(text) ?? [];
      return { kind: 'date', date, ...(time === undefined ? {} : { time }) };
    }
    default:
      return text;
  }
}

/** The texts of cells, and their kinds if not all of them are texts. */
export function asTexts(cells: readonly Cell[]): { texts: readonly string[]; kinds?: string } {
  if (areTexts(cells)) return { texts: cells };
  const texts = cells.map(cellText);
  const kinds = kindsOf(cells);
  return kinds === undefined ? { texts } : { texts, kinds };
}

function areTexts(cells: readonly Cell[]): cells is readonly string[] {
  return cells.every((cell) => typeof cell === 'string');
}
