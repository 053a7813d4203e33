/**
 * JSON in which no number loses a digit. One that JavaScript cannot hold exactly is read as a `JSON.rawJSON` object,
 * which `JSON.stringify` writes as it was: custom fields are sent back whole, with what other people keep there.
 */

/** Texts without a number of 16 digits or an exponent lose nothing: 15 digits always fit. */
const LONG_NUMBER = /\d[\d.]{15}|\d[eE][+-]?\d+\s*[,\]}]/;

/** The types do not know these parts of ES2026 yet. */
const { rawJSON } = JSON as unknown as { rawJSON: (source: string) => object };
type Reviver = (this: object, key: string, value: unknown, context?: { source?: string }) => unknown;

/**
 * As JSON.parse. Numbers of a resource itself (it has a field `object`) stay numbers, as the contract wants them.
 *
 * @throws SyntaxError
 */
export function parseExactJson(text: string): unknown {
  if (!LONG_NUMBER.test(text)) return JSON.parse(text);
  const exact: Reviver = function (_key, value, context) {
    if (typeof value !== 'number' || context?.source === undefined || 'object' in this) return value;
    return exactNumber(context.source) === undefined ? rawJSON(context.source) : value;
  };
  return JSON.parse(text, exact);
}

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
