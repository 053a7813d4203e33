/** `-12.50`, `3e-7`: sign, whole part, decimals, exponent. */
const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i;

/**
 * The number that the text is, where JavaScript can hold it without losing a digit; undefined otherwise.
 * `9007199254740993` would become …992, and `12345678901234567890` …7000.
 */
export function exactNumber(text: string): number | undefined {
  const number = Number(text);
  const digits = significant(text);
  return digits !== undefined && digits === significant(String(number)) ? number : undefined;
}

/** Sign, digits and exponent, written in one way only. */
function significant(text: string): string | undefined {
  const [, sign = '', whole = '', decimals = '', exponent = '0'] = NUMBER.exec(text) ?? [];
  if (whole === '') return undefined;
  const all = (whole + decimals).replace(/^0+/, '');
  const kept = all.replace(/0+$/, '');
  if (kept === '') return '0';
  return `${sign}${kept}e${Number(exponent) - decimals.length + all.length - kept.length}`;
}
