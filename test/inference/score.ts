/** How well inference does on tables whose answers are known: per field, and what is used unasked apart from what is asked. */
import type { Confidence, Inference } from '../../src/mapping/infer/column-guess.ts';
import { inferColumns } from '../../src/mapping/infer/infer-columns.ts';
import type { KnownTable } from './tables.ts';

export const FIELDS = [
  'name',
  'brand',
  'series',
  'release_year',
  'condition',
  'packaging',
  'status',
  'tags',
  'estimated_value',
  'collection',
] as const;

interface Hits {
  right: number;
  wrong: number;
}

export interface FieldScore {
  field: string;
  certain: Hits;
  asked: Hits;
  /** Tables that have the field, and for which nothing was proposed. */
  missed: number;
  /** Both as shares, questions counted as proposals; NaN where there was nothing to count. */
  precision: number;
  recall: number;
}

export interface Score {
  fields: FieldScore[];
  /** Every wrong or missed answer, one line each. */
  faults: string[];
  /** Of those, proposals that would be used unasked. */
  wrongUnasked: string[];
}

export function infer(table: KnownTable): Inference {
  const { headers, letters, rows } = table;
  const options = { headers, letters, format: 'csv' as const, map: {}, defaults: {}, match: [] };
  return inferColumns({ ...options, mode: 'create' }, rows);
}

/** Scores all tables. A guess that is never used counts as no proposal. */
export function scoreInference(tables: readonly KnownTable[]): Score {
  const faults: string[] = [];
  const wrongUnasked: string[] = [];
  const scores = new Map(FIELDS.map((field) => [field as string, emptyScore(field)]));
  for (const table of tables) {
    const { columns } = infer(table);
    for (const [field, score] of scores) {
      const proposed = columns.filter(
        (column) =>
          column.target === field && column.confidence !== 'guess' && column.confidence !== undefined,
      );
      for (const column of proposed) {
        const right = table.answers[column.index]?.field === field;
        count(score, column.confidence, right);
        if (right) continue;
        const line = `${field}: "${column.header}" is ${column.confidence} and wrong, table ${table.title}`;
        faults.push(line);
        if (column.confidence === 'certain') wrongUnasked.push(line);
      }
      const must = table.answers.some((answer) => answer?.field === field && !answer.optional);
      if (must && !proposed.some((column) => table.answers[column.index]?.field === field)) {
        score.missed += 1;
        faults.push(`${field}: missed, table ${table.title}`);
      }
    }
  }
  return { fields: [...scores.values()].map(withShares), faults, wrongUnasked };
}

function emptyScore(field: string): FieldScore {
  const none = () => ({ right: 0, wrong: 0 });
  return { field, certain: none(), asked: none(), missed: 0, precision: 0, recall: 0 };
}

function count(score: FieldScore, confidence: Confidence | undefined, right: boolean): void {
  const hits = confidence === 'certain' ? score.certain : score.asked;
  hits[right ? 'right' : 'wrong'] += 1;
}

function withShares(score: FieldScore): FieldScore {
  const right = score.certain.right + score.asked.right;
  const wrong = score.certain.wrong + score.asked.wrong;
  return { ...score, precision: right / (right + wrong), recall: right / (right + score.missed) };
}
