/** Amounts in whole units, so that a judge adds them exactly without the sources. */
const DIGITS: Record<string, number> = { usd: 2, eur: 2, jpy: 0, kwd: 3 };
const SCALE = 10;

/** Rounded to the digits of the currency, half away from zero; undefined for what is no number. */
export function unitsOf(number: string | number, currency: string): bigint | undefined {
  const [, sign, whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(String(number)) ?? [];
  if (sign === undefined) return undefined;
  const all = BigInt(whole + fraction.padEnd(SCALE, '0').slice(0, SCALE));
  return (sign === '-' ? -1n : 1n) * divided(all, stepOf(currency)) * stepOf(currency);
}

/** The form of each cell that a judge compares: text, or units of a number that is rounded as amounts are. */
export function shown(cell: string | number | bigint | null | undefined, currency: string): string {
  if (typeof cell === 'bigint') return `#${cell}`;
  if (typeof cell === 'string' && /^-0(\.0+)?$/.test(cell)) return `not a number: ${cell}`;
  const units = unitsOf(cell ?? '', currency);
  return units === undefined ? String(cell ?? '').replace(/^\(no \w+\)$/, '') : `#${units}`;
}

/** With the digits of the currency, or, if it has none, of the sum. */
export function meanOf(sum: bigint, count: number, currency: string): bigint {
  const digits = String(sum)
    .padStart(SCALE + 1, '0')
    .slice(-SCALE)
    .replace(/0+$/, '').length;
  const step = currency in DIGITS ? stepOf(currency) : 10n ** BigInt(SCALE - Math.max(2, digits));
  return divided(sum, step * BigInt(count)) * step;
}

/** Of a whole, to six digits, and then as amounts are rounded. */
export function shareOf(part: bigint, whole: bigint, currency: string): bigint | null {
  if (whole === 0n) return null;
  return unitsOf(Number(divided(part * 1_000_000n, whole)) / 1e6, currency) ?? null;
}

function stepOf(currency: string): bigint {
  return 10n ** BigInt(SCALE - (DIGITS[currency] ?? SCALE));
}

/** Half up; nothing here is below zero. */
function divided(units: bigint, by: bigint): bigint {
  return (units * 2n + by) / (by * 2n);
}
