/** What of a row is compared with the rows of earlier jobs. */
import type { FileColumns } from '../../ledger/known-rows.ts';
import type { JobRecord, LedgerRow } from '../../ledger/ledger.ts';
import type { KeptCodes } from '../changes/rewritten.ts';
import type { Lines, Standing } from './lines.ts';
import {
  cellsHash,
  type Columns,
  columnsOf,
  hashesBefore,
  type Identifier,
  identifiersOf,
  lineHash,
  nameOfRow,
  narrowedTo,
  payloadHash,
  type Resemblance,
  valuesHash,
} from './row-hashes.ts';

/** Reads the rows of a job for a comparison. */
export class ComparedRows {
  readonly #job: JobRecord;
  /** For each earlier file, its columns if this file has all of them. */
  readonly #columns: readonly Columns[];
  readonly #identifying: ReadonlyMap<string, KeptCodes>;
  readonly #resembles: Resemblance;
  readonly #lines: Lines;

  constructor(
    job: JobRecord,
    files: readonly FileColumns[],
    identifying: ReadonlyMap<string, KeptCodes>,
    resembles: Resemblance,
    lines: Lines,
  ) {
    this.#job = job;
    this.#identifying = identifying;
    this.#resembles = resembles;
    this.#lines = lines;
    const own = columnsOf(job);
    const sets = new Map(
      files.map((each) => columnsOf(each).names).map((names) => [names.join('\n'), names]),
    );
    this.#columns = [...sets.values()]
      .map((names) => narrowedTo(names, own))
      .filter((columns) => columns !== undefined);
  }

  read(row: LedgerRow): ComparedRow {
    // Cells first: if they and the payload point to different rows, the cells are more specific.
    const content = [...this.#columns.map((columns) => cellsHash(row, columns)), payloadHash(row)];
    const standing = this.#lines.standing(this.#job, row);
    return {
      row,
      standing,
      named: [
        ...[...standing.as].map(([job, place]) => lineHash(job, place)),
        ...this.#lines.contents(standing),
      ],
      isUnsent: false,
      content: content.filter((each) => each !== undefined),
      values: this.#resembles.values ? valuesHash(row) : undefined,
      name: this.#resembles.names ? nameOfRow(row) : undefined,
      identifiers: identifiersOf(row).flatMap((identifier) => {
        const known = this.#identifying.get(identifier.field);
        if (known === undefined) return [];
        return [{ ...identifier, before: hashesBefore(identifier, known) }];
      }),
    };
  }
}

export interface ComparedRow {
  row: LedgerRow;
  standing: Standing;
  /** Hashes by which the rows are found that are the same row, whatever their cells are now. */
  named: string[];
  /** It is a line of a row that was not sent. */
  isUnsent: boolean;
  /** Hashes of its content. */
  content: string[];
  /** Hash of its values in whatever columns. */
  values: string | undefined;
  /** Its name, if names identify rows. */
  name: Identifier | undefined;
  identifiers: (Identifier & { before: string[] })[];
}

export function hashesOf(rows: readonly ComparedRow[]): string[] {
  const all = rows.flatMap(({ named, content, values, name, identifiers }) => [
    ...named,
    ...content,
    ...(values === undefined ? [] : [values]),
    ...(name === undefined ? [] : [name.hash]),
    ...identifiers.flatMap(({ hash, before }) => [hash, ...before]),
  ]);
  return [...new Set(all)];
}
