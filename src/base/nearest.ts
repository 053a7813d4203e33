/** Guesses the intended name behind a mistyped one. */

/**
 * The known name that was most likely meant: at most two letters off (one in short words), or one that it is a
 * part of (`--rate` → `--max-rate`). Undefined if nothing is close.
 */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const typed = word.replace(/([a-z])([A-Z])/g, '$1-$2').toLowerCase();
  const allowed = typed.length <= 4 ? 1 : 2;
  let best: string | undefined;
  let bestDistance = allowed + 1;
  for (const name of known) {
    const distance = editDistance(typed, name.toLowerCase());
    if (distance < bestDistance) [best, bestDistance] = [name, distance];
  }
  return best ?? (typed.length >= 3 ? known.find((name) => name.split('-').includes(typed)) : undefined);
}

/** The known names that differ least from the word, at most `count`. */
export function nearestOf(word: string, known: readonly string[], count: number): string[] {
  return known
    .map((name) => ({ name, edits: editDistance(word, name) }))
    .sort((a, b) => a.edits - b.edits)
    .slice(0, count)
    .map(({ name }) => name);
}

/** Letters to add, drop, change or swap with their neighbour. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (swapped) cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      row.push(cost);
    }
    [before, last] = [last, row];
  }
  return last[b.length] ?? 0;
}
