/**
 * Questions about a list of operations, and what a person has agreed to: an operation that the agreed list lacks asks
 * again, fewer never do. Operations are named by the ordinals of their rows.
 */
import type { UsageError } from '../../errors.ts';

export interface Gate {
  /** What the question is about: an answer counts for every question about the same. */
  about: string;
  /** Ordinals of the rows, ascending. */
  actions: readonly number[];
  /** For a person at a terminal. */
  question: string;
  /** Where nobody has agreed. */
  refusal: UsageError;
}

/** Ranges of ordinals, such as `1-3,7`, by what was asked. */
export type Consents = Readonly<Record<string, string>>;

/** True if all operations of the question were agreed to. */
export function isAgreed(consents: Consents, { about, actions }: Pick<Gate, 'about' | 'actions'>): boolean {
  const ranges = rangesOf(consents[about]);
  let at = 0;
  return actions.every((ordinal) => {
    while (ordinal > (ranges[at]?.to ?? Number.POSITIVE_INFINITY)) at += 1;
    return ordinal >= (ranges[at]?.from ?? Number.POSITIVE_INFINITY);
  });
}

export function withConsent(consents: Consents, gates: readonly Pick<Gate, 'about' | 'actions'>[]): Consents {
  const all = { ...consents };
  for (const { about, actions } of gates) {
    const known = rangesOf(all[about]).flatMap(({ from, to }) =>
      Array.from({ length: to - from + 1 }, (_, index) => from + index),
    );
    all[about] = rangesText([...new Set([...known, ...actions])].sort((a, b) => a - b));
  }
  return all;
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
