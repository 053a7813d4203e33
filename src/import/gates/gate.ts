/**
 * Questions about a list of operations, and the answers of a person. shelflift asks again if an operation was not in
 * the list that the person agreed to, but not if operations are gone. Operations are identified by the ordinals of
 * their rows.
 */
import type { ErrorCode } from '../../base/error-codes.ts';
import type { Consents } from '../../ledger/job-parts.ts';
import type { ActionOptions, Message } from '../../messages/params.ts';

/** A question. Its answer is stored by its code and, if a code asks about several things, by `of`. */
export interface Gate {
  code: ErrorCode;
  of?: string;
  /** Ordinals, ascending. If empty, the question is about the job, and its answer is not stored. */
  operations: readonly number[];
  /** True if an option of this run has answered yes. */
  isAnswered?: boolean;
  /** The message if nobody has agreed, with the possible actions. */
  said: Message;
  /** The question to a person at a terminal; absent if only an option can answer it. */
  question?: Message;
  /** The options that answer it on the command that sends; absent if the plan has to change. */
  agree?: ActionOptions;
}

/** True if a person has agreed to all operations of the question. */
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
  return withConsents(consents, { [subjectOf(gate)]: rangesText(gate.operations) });
}

/** Consents to everything that one of them covers. */
export function withConsents(consents: Consents, more: Consents): Consents {
  const added = Object.entries(more).map(([subject, ranges]) => {
    const all = new Set([...ordinalsOf(consents[subject]), ...ordinalsOf(ranges)]);
    return [subject, rangesText([...all].sort((a, b) => a - b))];
  });
  return { ...consents, ...(Object.fromEntries(added) as Consents) };
}

function ordinalsOf(ranges: string | undefined): number[] {
  return rangesOf(ranges).flatMap(({ from, to }) =>
    Array.from({ length: to - from + 1 }, (_, index) => from + index),
  );
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
