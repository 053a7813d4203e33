/**
 * Rows below a table that sum it up: totals, averages, counts, statistics. They are no items.
 *
 *     Blue Racer    Corgi   1985   12.50
 *     Total value                  3412.10     ← said by its label: left out
 *     Items: 80                                ← the same
 *     Brands        5                          ← beside such rows, a word and a number: the row's problem
 *
 * Only the end of a table can be such rows. Above it, `Total` is the name of an item. Pure.
 */
import { type Cell, cellText, isNumberLike } from './cell.ts';
import { isBlankCell } from './raw-row.ts';
import type { SheetRow } from './table.ts';

const MATTER =
  '(?:values?|worth|amounts?|prices?|costs?|count|number|items?|pieces|cars|toys|cards|figures|rows|entries|year|wert|preis|betrag|anzahl|stück|artikel|valeur|prix|articles|pièces|valor|precio|artículos|valore|prezzo|articoli|waarde|aantal|général|générale|generale?)';
const TOTAL =
  '(?:(?:grand|sub|over ?all)[ -]?)?(?:total(?:s|e|es|en)?|sum(?:me|ma|a|s)?|gesamt(?:summe|wert|betrag|anzahl|zahl|preis)?|insgesamt|zwischensumme|somme|suma|totaal|celkem|razem|итого|всего|合計|总计)';
const AVERAGE =
  '(?:average|avg\\.?|median|ø|durchschnitt(?:swert|spreis|lich)?|mittelwert|moyenne|promedio|gemiddelde?|średnia|среднее|平均)';
const COUNT =
  '(?:(?:number|count|no\\.?|anzahl|nombre|número|numero|aantal|liczba) (?:of |der |de |di |van )?(?:\\p{L}+)|items|entries|anzahl|aantal|liczba)';
const SURE = `(?:(?:${TOTAL}|${AVERAGE})(?:(?: of)? ${MATTER})?|${COUNT}(?: (?:total|in total|insgesamt))?)`;
/** What may be the name of an item, too: they count only among others. */
const UNSURE =
  '(?:count|mean|media|max(?:imum)?|min(?:imum)?|high(?:est)?|low(?:est)?|oldest|newest|earliest|latest|cheapest|most expensive|höchst(?:er|wert)|niedrigst(?:er|wert)|älteste[rs]?|neueste[rs]?|teuerste[rs]?|billigste[rs]?)';
const SURE_LABEL = new RegExp(`^${SURE}\\s*[:=]?$`, 'iu');
const UNSURE_LABEL = new RegExp(`^${UNSURE}(?: ${MATTER})?\\s*[:=]?$`, 'iu');
/** `Items: 80`, in one cell. */
const LABEL_AND_NUMBER = new RegExp(`^${SURE}\\s*[:=]\\s*(.+)$`, 'iu');
const HEADING =
  /^(?:statisti(?:cs?|ken?|ques?|che)|stats|estadísticas|summary|zusammenfassung|übersicht|résumé|resumen|riepilogo|overzicht|totals)\s*:?$/iu;

/** `sure` and `unsure`: labelled as a figure of the table. `heading`: of such rows. `figure`: a word and a number. */
type Kind = 'sure' | 'unsure' | 'heading' | 'figure' | 'other';

const LONGEST_LABEL = 60;

function kindOf(cells: readonly Cell[]): Kind {
  let label: string | undefined;
  let numbers = 0;
  let filled = 0;
  for (const cell of cells) {
    if (isBlankCell(cell)) continue;
    filled += 1;
    if (label === undefined) {
      if (typeof cell !== 'string' || cell.length > LONGEST_LABEL) return 'other';
      const first = cell.charCodeAt(0);
      // Ids and amounts need no expression.
      if (first >= 48 && first <= 57) return 'other';
      label = cell.trim();
    } else if (typeof cell === 'number' || (typeof cell === 'string' && isNumberLike(cell))) {
      numbers += 1;
    } else if (typeof cell === 'string' || typeof cell === 'boolean') {
      return 'other';
    }
  }
  if (label === undefined) return 'other';
  if (numbers > 0) {
    if (SURE_LABEL.test(label)) return 'sure';
    if (UNSURE_LABEL.test(label)) return 'unsure';
    return filled === 2 ? 'figure' : 'other';
  }
  if (filled > 1) return 'other';
  if (isNumberLike(LABEL_AND_NUMBER.exec(label)?.[1] ?? '-')) return 'sure';
  return HEADING.test(label) ? 'heading' : 'other';
}

/** True if the row's label says that it sums up others. The caller knows whether it is at the end of the table. */
export function isSummaryRow(cells: readonly Cell[]): boolean {
  return kindOf(cells) === 'sure';
}

/** True for the label of a figure about a table, as in a block of statistics. */
export function isSummaryLabel(cell: Cell | undefined): boolean {
  if (typeof cell !== 'string') return false;
  const text = cell.trim();
  return SURE_LABEL.test(text) || UNSURE_LABEL.test(text);
}

/** More rows than this are not the end of a table: it bounds what is held. */
const MOST_HELD = 50;

/** Holds rows back that sum up the table if no data follows them. */
export class SummaryRows {
  readonly #width: number;
  #held: { row: SheetRow; kind: Kind }[] = [];

  /** @param width cells that most rows of the table fill; a word and a number are a row like others if it is 2 */
  constructor(width: number) {
    this.#width = width;
  }

  /** True if the row is held back. */
  holds(row: SheetRow): boolean {
    const kind = kindOf(row.cells);
    if (kind === 'other' || (kind === 'figure' && (this.#held.length === 0 || this.#width < 3))) return false;
    if (this.#held.length === MOST_HELD) return false;
    this.#held.push({ row, kind });
    return true;
  }

  /** The rows held back, once data follows them: they are data. */
  release(): SheetRow[] {
    if (this.#held.length === 0) return [];
    const rows = this.#held.map(({ row }) => row);
    this.#held = [];
    return rows;
  }

  /** At the end of the table: what to leave out, what is doubtful (as rows with a problem), and what is data after all. */
  end(): { summaries: SheetRow[]; rest: SheetRow[] } {
    const firstSure = this.#held.findIndex(({ kind }) => kind === 'sure');
    const summaries: SheetRow[] = [];
    const rest: SheetRow[] = [];
    for (const [at, { row, kind }] of this.#held.entries()) {
      if (firstSure < 0) rest.push(row);
      else if (kind === 'sure' || kind === 'heading' || (kind === 'unsure' && at > firstSure))
        summaries.push(row);
      else rest.push({ ...row, problem: row.problem ?? doubt(row) });
    }
    this.#held = [];
    return { summaries, rest };
  }
}

function doubt({ cells }: SheetRow): NonNullable<SheetRow['problem']> {
  const [label, number] = cells.filter((cell) => !isBlankCell(cell)).map((cell) => cellText(cell).trim());
  return {
    code: 'summary_row',
    message: `"${label ?? ''}: ${number ?? ''}" looks like a figure about the table: delete the row, or fill in more of its cells if it is an item`,
  };
}

/** `"Total value" (row 82)`, for a note. */
export function summaryName({ cells, number }: SheetRow): string {
  const label = cellText(cells.find((cell) => !isBlankCell(cell)) ?? null).trim();
  return `"${label}" (row ${number})`;
}
