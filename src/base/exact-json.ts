/**
 * JSON in which no number loses a digit. One that JavaScript cannot hold exactly is read as a `JSON.rawJSON` object,
 * which `JSON.stringify` writes unchanged, because custom fields are sent back as a whole, including other people's
 * values.
 */

/** Only numbers with this many digits, or with an exponent, can lose digits: 15 digits are always exact. */
const MANY_DIGITS = 16;
const EXPONENT = /\d[eE][+-]?\d+\s*[,\]}]/;

/** TypeScript's types lack these parts of ES2026. */
const { rawJSON } = JSON as unknown as { rawJSON: (source: string) => object };
type Reviver = (this: object, key: string, value: unknown, context?: { source?: string }) => unknown;

/**
 * As JSON.parse. Numbers of a resource itself (which has a field `object`) stay numbers, as the contract requires.
 *
 * @throws SyntaxError
 */
export function parseExactJson(text: string): unknown {
  if (!hasManyDigits(text) && !EXPONENT.test(text)) return JSON.parse(text);
  const exact: Reviver = function (_key, value, context) {
    if (typeof value !== 'number' || context?.source === undefined || 'object' in this) return value;
    return exactNumber(context.source) === undefined ? rawJSON(context.source) : value;
  };
  return JSON.parse(text, exact);
}

/**
 * Checks only each sixteenth character, because a long number contains one of these: a pattern took four times as long.
 */
function hasManyDigits(text: string): boolean {
  for (let at = MANY_DIGITS - 1; at < text.length; at += MANY_DIGITS) {
    let first = at;
    while (isDigitOrPoint(text.charCodeAt(first))) first -= 1;
    if (first === at) continue;
    let end = at + 1;
    while (isDigitOrPoint(text.charCodeAt(end))) end += 1;
    if (end - first > MANY_DIGITS) return true;
  }
  return false;
}

function isDigitOrPoint(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || code === 0x2e;
}

/** `-12.50`, `3e-7`: sign, whole part, decimals, exponent. */
const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i;

/**
 * The number for the text, if JavaScript can represent it without losing a digit; otherwise undefined.
 * `9007199254740993` would become …992, and `12345678901234567890` …7000.
 */
export function exactNumber(text: string): number | undefined {
  const number = Number(text);
  const digits = significant(text);
  return digits !== undefined && digits === significant(String(number)) ? number : undefined;
}

/** Sign, digits and exponent in a canonical form. */
function significant(text: string): string | undefined {
  const [, sign = '', whole = '', decimals = '', exponent = '0'] = NUMBER.exec(text) ?? [];
  if (whole === '') return undefined;
  const all = (whole + decimals).replace(/^0+/, '');
  const kept = all.replace(/0+$/, '');
  if (kept === '') return '0';
  return `${sign}${kept}e${Number(exponent) - decimals.length + all.length - kept.length}`;
}
