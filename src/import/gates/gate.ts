/**
 * Questions about a list of operations, and what a person has agreed to: an operation that the agreed list lacks asks
 * again, fewer never do. Operations are named by the ordinals of their rows.
 */
import type { Consents } from '../../ledger/job-parts.ts';

/** What each question says, by its code. */
export interface GateParams {
  /** Items that the file lacks, of how many; `most` as in `--max-missing`. */
  too_many_missing: { items: number; of: number; most: string };
  /** A clause. */
  missing_unsafe: { why: string };
  /** The job that made the same change, of `items` of the items that this one would change. */
  repeated_change: { job: string; items: number; of: number };
  /** The undo of a job: its file or command, and when it was made, ms since the epoch. */
  not_confirmed: { changes: number; areCreates: boolean; what: string; at: number };
  undo_grew: { undoes: string; rows: number };
  /** More than `most`, or nearly all `of` the account. */
  too_many_changes: { items: number; most: number } | { items: number; of: number };
  field_emptied: { items: number; field: string };
  /** Id of one of the items. */
  similar_items: { rows: number; item: string };
  /** The server was seen to rewrite such keys. */
  key_not_kept: object;
  /** Id of an item of the file that exists. */
  own_export: { item: string };
}

/** A question. Its answer is kept by its code and `of`, what a code asks about several times. */
export type Gate = {
  [Code in keyof GateParams]: {
    code: Code;
    of?: string;
    params: GateParams[Code];
    /** Ordinals, ascending. Without any, the question is about the job, and no answer to it is kept. */
    actions: readonly number[];
    /** A flag of this run agrees. */
    isAnswered?: boolean;
  };
}[keyof GateParams];

/** True if all operations of the question were agreed to. */
export function isAgreed(consents: Consents, gate: Gate): boolean {
  const ranges = rangesOf(consents[subjectOf(gate)]);
  let at = 0;
  return (
    gate.actions.length > 0 &&
    gate.actions.every((ordinal) => {
      while (ordinal > (ranges[at]?.to ?? Number.POSITIVE_INFINITY)) at += 1;
      return ordinal >= (ranges[at]?.from ?? Number.POSITIVE_INFINITY);
    })
  );
}

export function withConsent(consents: Consents, gate: Gate): Consents {
  const subject = subjectOf(gate);
  const known = rangesOf(consents[subject]).flatMap(({ from, to }) =>
    Array.from({ length: to - from + 1 }, (_, index) => from + index),
  );
  const all = [...new Set([...known, ...gate.actions])].sort((a, b) => a - b);
  return { ...consents, [subject]: rangesText(all) };
}

function subjectOf({ code, of }: Gate): string {
  return of === undefined ? code : `${code} ${of}`;
}

function rangesOf(text = ''): { from: number; to: number }[] {
  return text
    .split(',')
    .filter((range) => range !== '')
    .map((range) => {
      const [from = 0, to = from] = range.split('-').map(Number);
      return { from, to };
    });
}

function rangesText(ordinals: readonly number[]): string {
  const ranges: { from: number; to: number }[] = [];
  for (const ordinal of ordinals) {
    const last = ranges.at(-1);
    if (last !== undefined && ordinal === last.to + 1) last.to = ordinal;
    else ranges.push({ from: ordinal, to: ordinal });
  }
  return ranges.map(({ from, to }) => (from === to ? String(from) : `${from}-${to}`)).join(',');
}
