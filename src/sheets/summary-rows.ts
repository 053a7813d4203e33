/**
 * Rows below a table that sum it up: totals, averages, counts, statistics. They are not items.
 *
 *     Blue Racer    Corgi   1985   12.50
 *     Total value                  3412.10     ← said by its label: left out
 *     Items: 80                                ← the same
 *     Brands        5                          ← beside such rows, a word and a number: the row's problem
 *
 * Statistics are at the end of a table. A group of rows within the table may also have a total: a row is one if its
 * numbers are the sums of the rows above. Otherwise it may be an item with that name, and is reported. Without a label,
 * only the end of the table has totals: a row between the items has lost its name. Pure.
 */
import { message } from '../messages/message.ts';
import type { Message } from '../messages/params.ts';
import { type Cell, cellText, isNumberLike, isNumeric } from './cell.ts';
import { isBlankCell, type RowProblem, rowProblem } from './raw-row.ts';
import { RunningSums } from './running-sums.ts';
import type { SheetRow } from './table.ts';

const MATTER =
  '(?:values?|worth|amounts?|prices?|costs?|count|number|items?|pieces|cars|toys|cards|figures|rows|entries|year|wert|preis|betrag|anzahl|stück|artikel|valeur|prix|articles|pièces|valor|precio|artículos|valore|prezzo|articoli|waarde|aantal|général|générale|generale?)';
const TOTAL =
  '(?:(?:grand|sub|over ?all)[ -]?)?(?:total(?:s|e|es|en)?|sum(?:me|ma|a|s)?|gesamt(?:summe|wert|betrag|anzahl|zahl|preis|ergebnis)?|ergebnis|insgesamt|zwischensumme|somme|suma|totaal|celkem|razem|итого|всего|合計|总计)';
const AVERAGE =
  '(?:average|avg\\.?|median|ø|durchschnitt(?:swert|spreis|lich)?|mittelwert|moyenne|promedio|gemiddelde?|średnia|среднее|平均)';
/** "No Face", "Number Five" and "Count Duckula" are names: in English the word `of`, or what is counted, makes it a count. */
const ENGLISH_COUNT = `(?:number|count|no\\.?) (?:of \\p{L}+|${MATTER})`;
const COUNT = `(?:${ENGLISH_COUNT}|(?:anzahl|nombre|número|numero|aantal|liczba) (?:der |de |di |van )?\\p{L}+|items|entries|anzahl|aantal|liczba)`;
const SURE = `(?:(?:${TOTAL}|${AVERAGE})(?:(?: of)? ${MATTER})?|${COUNT}(?: (?:total|in total|insgesamt))?)`;
/** Labels that may also be names of items: they count only among other summary rows. */
const UNSURE =
  '(?:count|mean|media|max(?:imum)?|min(?:imum)?|high(?:est)?|low(?:est)?|oldest|newest|earliest|latest|cheapest|most expensive|höchst(?:er|wert)|niedrigst(?:er|wert)|älteste[rs]?|neueste[rs]?|teuerste[rs]?|billigste[rs]?)';
const SURE_LABEL = new RegExp(`^${SURE}\\s*[:=]?$`, 'iu');
const UNSURE_LABEL = new RegExp(`^${UNSURE}(?: ${MATTER})?\\s*[:=]?$`, 'iu');
/** `Items: 80`, in one cell. */
const LABEL_AND_NUMBER = new RegExp(`^${SURE}\\s*[:=]\\s*(.+)$`, 'iu');
/** `Summe Corgi`, `Total for Corgi:`, `Corgi Total`: the total of a group, if rows above have its name. */
const GROUP_TOTAL = new RegExp(
  `^(?:${TOTAL}(?: (?:of|for|für|von|de|du|di))?\\s*[:–-]?\\s+(?<after>.+?)|(?<before>.+?)\\s*[:–-]?\\s+${TOTAL})\\s*[:=]?$`,
  'iu',
);
const HEADING =
  /^(?:statisti(?:cs?|ken?|ques?|che)|stats|estadísticas|summary|zusammenfassung|übersicht|résumé|resumen|riepilogo|overzicht|totals)\s*:?$/iu;

/** Rules around a text, or alone: `*** LOFT B ***`, `-----`. */
const RULED = /^([*=#~_<>|•·–—-])\1+\s*(?:[^*=#~_<>|•·–—-].*?\s*[*=#~_<>|•·–—-]{2,}\s*:?)?$/u;
/** Minimum number of cells that the rows usually fill, so that a single filled cell is unusual. */
const RULED_WIDTH = 3;
const CAPITALS_WIDTH = 5;
/** Minimum number of amounts that a total without a label adds up: the sum of fewer may be a coincidence. */
const SUMMED_AMOUNTS = 3;

const MAX_LABEL = 60;

/** True for two words or more in capitals only. A long text is not a heading, and would make the expression very slow. */
function isInCapitals(text: string): boolean {
  if (text.length > MAX_LABEL) return false;
  return /\p{Lu}{2}.*\s.*\p{Lu}/u.test(text) && text === text.toUpperCase() && text !== text.toLowerCase();
}

/** Whether rows with more cells are in capitals, too, so that capitals prove nothing. */
function hasCapitals(rows: readonly (readonly Cell[])[]): boolean {
  return rows.some(
    (cells) =>
      cells.filter((cell) => !isBlankCell(cell)).length > 1 &&
      cells.some((cell) => typeof cell === 'string' && isInCapitals(cell.trim())),
  );
}

/**
 * `section`: heading of the rows below. `capitals`: possibly such a heading. `sure` and `unsure`: labelled as a figure
 * about the table. `group`: labelled as the total of a group. `heading`: heading of summary rows. `figure`: a word and
 * a number.
 */
type Kind = 'section' | 'capitals' | 'sure' | 'unsure' | 'group' | 'heading' | 'figure' | 'other';

/** @param isGroup whether rows above have this text in a cell */
function kindOf(cells: readonly Cell[], isGroup: (name: string) => boolean = () => false): Kind {
  let label: string | undefined;
  let numbers = 0;
  let filled = 0;
  for (const cell of cells) {
    if (isBlankCell(cell)) continue;
    filled += 1;
    if (label === undefined) {
      if (typeof cell !== 'string' || cell.length > MAX_LABEL) return 'other';
      const first = cell.charCodeAt(0);
      // Ids and amounts need no expression.
      if (first >= 48 && first <= 57) return 'other';
      label = cell.trim();
    } else if (isNumeric(cell)) {
      numbers += 1;
    } else if (typeof cell === 'string' || typeof cell === 'boolean') {
      return 'other';
    }
  }
  if (label === undefined) return 'other';
  if (numbers > 0) {
    if (SURE_LABEL.test(label)) return 'sure';
    if (UNSURE_LABEL.test(label)) return 'unsure';
    const group = GROUP_TOTAL.exec(label)?.groups;
    if (group !== undefined && isGroup(group['after'] ?? group['before'] ?? '')) return 'group';
    return filled === 2 ? 'figure' : 'other';
  }
  if (filled > 1) return 'other';
  if (isNumberLike(LABEL_AND_NUMBER.exec(label)?.[1] ?? '-')) return 'sure';
  if (HEADING.test(label)) return 'heading';
  if (RULED.test(label)) return 'section';
  return isInCapitals(label) ? 'capitals' : 'other';
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

/** Maximum number of rows to hold back: more are not the end of a table. */
const MAX_HELD = 50;
/** Rows that a note names. */
const MAX_NAMED = 6;

interface Held {
  row: SheetRow;
  kind: Kind;
  /** True if its numbers are the sums of the rows above. */
  isProved: boolean;
}

/** Finds the rows that sum others up: holds back possible summary rows until the rows after them are known. */
export class SummaryRows {
  /** Number of cells that most rows fill: if it is 2, a row with a word and a number is an ordinary row. */
  readonly #width: number;
  readonly #hasCapitals: boolean;
  readonly #sums = new RunningSums();
  #held: Held[] = [];
  /** Possible totals without a label, after all held rows: they are data unless the table ends with them. */
  #bare: SheetRow[] = [];
  /** Rows before those held back, once they are known to be data. */
  #released: SheetRow[] = [];
  /** The first and the last row since the last total: they name the group of the next total. */
  #group: SheetRow[] = [];
  #count = 0;
  readonly #named: Message[] = [];

  /** @param rows the first rows of the table */
  constructor(rows: readonly (readonly Cell[])[]) {
    this.#width = usualWidth(rows);
    this.#hasCapitals = hasCapitals(rows);
  }

  /** Rows left out so far. */
  get count(): number {
    return this.#count;
  }

  /** The first of them, for a note. */
  get named(): readonly Message[] {
    return this.#named;
  }

  /** True if the row is held back. */
  holds(row: SheetRow): boolean {
    const kind = kindOf(row.cells, (name) => this.#isGroup(name));
    if (kind === 'other' && this.#bare.length < MAX_HELD && this.#isBareTotal(row)) {
      this.#bare.push(row);
      return true;
    }
    this.#releaseBare();
    if (kind === 'section' && this.#width >= RULED_WIDTH) {
      this.#leaveOut(row);
      return true;
    }
    if (kind === 'capitals' && this.#width >= CAPITALS_WIDTH && !this.#hasCapitals)
      row.problem ??= sectionProblem(row.cells);
    const isData =
      kind === 'other' ||
      kind === 'section' ||
      kind === 'capitals' ||
      (kind === 'figure' && (this.#held.length === 0 || this.#width < 3));
    if (isData || this.#held.length === MAX_HELD) {
      this.#add(row);
      return false;
    }
    const isTotal = kind === 'sure' || kind === 'group';
    this.#held.push({ row, kind, isProved: isTotal && this.#sums.explain(row.cells) });
    if (isTotal) {
      this.#sums.restart();
      this.#group = [];
    }
    return true;
  }

  /** The rows held back, once data follows them: all but totals are data. */
  release(): SheetRow[] {
    if (this.#held.length + this.#released.length === 0) return [];
    const rows = [...this.#released, ...this.#held.flatMap((held) => this.#within(held))];
    this.#held = [];
    this.#released = [];
    return rows;
  }

  /** The rows held back at the end of the table: those that are doubtful (as rows with a problem) or data after all. */
  end(): SheetRow[] {
    const firstSure = this.#held.findIndex(({ kind, isProved }) => kind === 'sure' || isProved);
    const rows = this.#held.flatMap((held, at) => {
      const { row, kind } = held;
      if (kind === 'group') return this.#within(held);
      if (firstSure < 0) return [row];
      if (kind === 'sure' || kind === 'heading' || (kind === 'unsure' && at > firstSure))
        return this.#leaveOut(row);
      return [doubted(row)];
    });
    this.#held = [];
    for (const row of this.#bare) this.#leaveOut(row);
    return [...this.#released, ...rows];
  }

  /** The rows without a label are data, because another row follows them. */
  #releaseBare(): void {
    if (this.#bare.length === 0) return;
    this.#released = [...this.release(), ...this.#bare];
    for (const row of this.#bare) this.#add(row);
    this.#bare = [];
  }

  /** Whether the row has no text, fewer cells than other rows, and only numbers that are sums of the rows above. */
  #isBareTotal({ cells, problem }: SheetRow): boolean {
    if (problem !== undefined) return false;
    let filled = 0;
    for (const cell of cells) {
      if (isBlankCell(cell)) continue;
      if (!isNumeric(cell)) return false;
      filled += 1;
    }
    const isShort = filled > 0 && filled < this.#width && this.#width >= RULED_WIDTH;
    return isShort && this.#sums.areSums(cells, SUMMED_AMOUNTS);
  }

  /** Decides about a row that is not at the end. */
  #within({ row, kind, isProved }: Held): SheetRow[] {
    if (isProved) return this.#leaveOut(row);
    const isTotal = kind === 'sure' || kind === 'group';
    if (isTotal && this.#sums.rows > 0 && !this.#sums.hasYear(row.cells)) return [doubted(row)];
    return [row];
  }

  #leaveOut(row: SheetRow): [] {
    this.#count += 1;
    if (this.#named.length < MAX_NAMED) this.#named.push(labelOf(row));
    return [];
  }

  #add(row: SheetRow): void {
    this.#sums.add(row.cells);
    this.#group[this.#group.length === 0 ? 0 : 1] = row;
  }

  #isGroup(name: string): boolean {
    const text = name.toLowerCase();
    return this.#group.some(({ cells }) =>
      cells.some((cell) => typeof cell === 'string' && cell.trim().toLowerCase() === text),
    );
  }
}

function doubted(row: SheetRow): SheetRow {
  return { ...row, problem: row.problem ?? summaryProblem(row.cells) };
}

/** Cells that at least half of the rows fill. */
function usualWidth(rows: readonly (readonly Cell[])[]): number {
  const widths = rows.map((cells) => cells.filter((cell) => !isBlankCell(cell)).length);
  const filled = widths.filter((width) => width > 0).sort((a, b) => a - b);
  return filled[Math.floor(filled.length / 2)] ?? 0;
}

/** The problem of a row that may be the heading of a section or an item. */
function sectionProblem(cells: readonly Cell[]): RowProblem {
  const found = cellText(cells.find((cell) => !isBlankCell(cell)) ?? null).trim();
  return rowProblem('summary_row', message('looks_like_heading', { text: found }), found);
}

/** The problem of a row that may be a figure about the table or an item. */
export function summaryProblem(cells: readonly Cell[]): RowProblem {
  const [label, number] = cells.filter((cell) => !isBlankCell(cell)).map((cell) => cellText(cell).trim());
  const found = `${label ?? ''}: ${number ?? ''}`;
  return rowProblem('summary_row', message('looks_like_figure', { text: found }), found);
}

/** `"Total value" (row 82)`, for a note. */
function labelOf({ cells, number }: SheetRow): Message {
  const label = cellText(cells.find((cell) => !isBlankCell(cell)) ?? null).trim();
  return message('labelled_row', { label, row: number });
}
