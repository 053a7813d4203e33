/**
 * Questions about a list of operations, and what a person has agreed to: an operation that the agreed list lacks asks
 * again, fewer never do. Operations are named by the ordinals of their rows.
 */
import type { ErrorCode } from '../../base/error-codes.ts';
import type { Consents } from '../../ledger/job-parts.ts';
import type { ActionOptions, Message } from '../../messages/params.ts';

/** A question. Its answer is kept by its code and, if a code asks about several things, by `of`. */
export interface Gate {
  code: ErrorCode;
  of?: string;
  /** Ordinals, ascending. Without any, the question is about the job, and no answer to it is kept. */
  operations: readonly number[];
  /** An option of this run agrees. */
  isAnswered?: boolean;
  /** What nobody has agreed to, with what can be done. */
  said: Message;
  /** For a person at a terminal; absent if only an option can answer. */
  question?: Message;
  /** Options that answer it on the command that sends; absent if the plan must change. */
  agree?: ActionOptions;
}

/** True if all operations of the question were agreed to. */
export function isAgreed(consents: Consents, gate: Pick<Gate, 'code' | 'of' | 'operations'>): boolean {
  const ranges = rangesOf(consents[subjectOf(gate)]);
  let at = 0;
  return (
    gate.operations.length > 0 &&
    gate.operations.every((ordinal) => {
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
  const all = [...new Set([...known, ...gate.operations])].sort((a, b) => a - b);
  return { ...consents, [subject]: rangesText(all) };
}

function subjectOf({ code, of }: Pick<Gate, 'code' | 'of'>): string {
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
