/**
 * Collects the differences between two exports: counts by field, and the rows on disk for a file for
 * review.
 */
import { writeMarkedTable } from '../../sheets/write-marked-table.ts';
import { diffTable } from './diff-table.ts';
import type { DiffRow, DiffSummary } from './model.ts';
import type { FieldNumbers } from './open-export.ts';
import type { ComparedRow } from './row-index.ts';
import { Spool } from './spool.ts';

type Content = ComparedRow['content'];

export class Differences implements Disposable {
  readonly #numbers: FieldNumbers;
  readonly #onRow: (row: DiffRow) => void;
  /** Undefined if there is no file for review. */
  readonly #rows: Spool<DiffRow> | undefined;
  /** Where each row begins. */
  readonly #places: number[] = [];
  /** Field → items in which it changed. */
  readonly #fields = new Map<string, number>();
  /** Fields of any difference, including added and removed rows. */
  readonly #used = new Set<string>();

  constructor(numbers: FieldNumbers, onRow: (row: DiffRow) => void, forReview: boolean) {
    this.#numbers = numbers;
    this.#onRow = onRow;
    this.#rows = forReview ? new Spool<DiffRow>() : undefined;
  }

  /** @param from and @param to are empty for items that one of the files does not have */
  add(what: DiffRow['what'], row: ComparedRow, from: Content, to: Content): void {
    const difference = this.#rowOf(what, row, from, to);
    for (const { field } of difference.changes) {
      this.#used.add(field);
      if (what === 'changed') this.#fields.set(field, (this.#fields.get(field) ?? 0) + 1);
    }
    this.#onRow(difference);
    if (this.#rows === undefined) return;
    this.#places.push(this.#rows.bytes);
    this.#rows.add(difference);
  }

  get fields(): DiffSummary['fields'] {
    return [...this.#fields]
      .map(([field, items]) => ({ field, items }))
      .sort((x, y) => y.items - x.items || (x.field < y.field ? -1 : 1));
  }

  /** @param columns in display order; further fields follow */
  async write(file: string, summary: DiffSummary, columns: readonly string[]): Promise<void> {
    const shown = [...new Set([...columns, ...this.#used])].filter((field) => this.#used.has(field));
    await writeMarkedTable(
      file,
      diffTable(summary, shown, () => this.#read()),
    );
  }

  *#read(): Generator<DiffRow> {
    const rows = this.#rows;
    if (rows === undefined) return;
    for (const [at, from] of this.#places.entries())
      yield rows.read(from, this.#places[at + 1] ?? rows.bytes);
  }

  #rowOf(what: DiffRow['what'], { row, key, content }: ComparedRow, from: Content, to: Content): DiffRow {
    const [before, after] = [this.#textsOf(from), this.#textsOf(to)];
    const changes = [...new Set([...before.keys(), ...after.keys()])]
      .map((field) => ({ field, from: before.get(field) ?? '', to: after.get(field) ?? '' }))
      .filter((change) => change.from !== change.to);
    const name = this.#textsOf(content).get('name') ?? '';
    return { what, row, key: key.replaceAll('\u001f', ' + '), name, changes };
  }

  #textsOf(content: Content): Map<string, string> {
    const texts = new Map<string, string>();
    for (let at = 0; at < content.length; at += 2)
      texts.set(this.#numbers.names[Number(content[at])] ?? '', String(content[at + 1]));
    return texts;
  }

  [Symbol.dispose](): void {
    this.#rows?.[Symbol.dispose]();
  }
}
