/** A repeatable stream of numbers in [0, 1). */
export type Random = () => number;

/** sfc32 (Chris Doty-Humphrey, PractRand): small and fast. Not for secrets. */
export function createRandom(seed: number): Random {
  let a = seed | 0;
  let b = Math.floor(seed / 0x1_0000_0000) | 0;
  let c = 0x9e3779b9 | 0;
  let counter = 1;
  const next = (): number => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + sum) | 0;
    return (sum >>> 0) / 0x1_0000_0000;
  };
  // Similar seeds start with similar numbers; these rounds separate them.
  for (let round = 0; round < 16; round += 1) next();
  return next;
}

/** An integer from `low` to `high`, both included. */
export function integerBetween(random: Random, low: number, high: number): number {
  return low + Math.floor(random() * (high - low + 1));
}

/** One of `choices`, which must not be empty. */
export function pick<T>(random: Random, choices: readonly T[]): T {
  return choices[Math.floor(random() * choices.length)] as T;
}

/** A version 4 UUID from `random`, so that seeded data has the same ids each time. */
export function randomId(random: Random): string {
  let hex = '';
  for (let index = 0; index < 32; index += 1) {
    const digit = index === 12 ? 4 : index === 16 ? 8 + Math.floor(random() * 4) : Math.floor(random() * 16);
    hex += digit.toString(16);
  }
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
