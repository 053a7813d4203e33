/**
 * Which number formats show a date, a time, a percentage or a currency (ECMA-376 part 1, 18.8.30 and 18.8.31).
 *
 * `time` is a time of day (`h:mm`), `duration` continues after 24 hours (`[h]:mm`). For `date or time` the value decides:
 * the built-in formats 34, 35, 55 and 56 are dates in Japanese and Korean files and times in Chinese ones.
 */
import { currencyOf } from '../../base/currency-signs.ts';

export type FormatKind = 'number' | 'percent' | 'date' | 'time' | 'duration' | 'datetime' | 'date or time';

/** What a number format shows. */
export interface NumberFormat {
  kind: FormatKind;
  currency?: string | undefined;
  /** `00000` shows at least five digits, as of a code. */
  digits?: number | undefined;
  /** `[<1]0%;0`: numbers for which this is false have the format of the second section. */
  condition?: Condition | undefined;
}

interface Condition {
  sign: string;
  than: number;
  otherwise: FormatKind;
}

/** Ids that every program knows without a definition, including the East Asian ones (27–36, 50–58). */
const BUILT_IN: Record<number, FormatKind> = { 9: 'percent', 10: 'percent', 22: 'datetime', 46: 'duration' };
for (const id of [14, 15, 16, 17, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58]) BUILT_IN[id] = 'date';
for (const id of [18, 19, 20, 21, 32, 33, 45, 47]) BUILT_IN[id] = 'time';
for (const id of [34, 35, 55, 56]) BUILT_IN[id] = 'date or time';

/** A built-in format; a plain number for ids that are not built in. */
export function builtInFormat(id: number): NumberFormat {
  return { kind: BUILT_IN[id] ?? 'number' };
}

/** The format of a format code. */
export function formatOf(code: string): NumberFormat {
  const kind = formatKind(code);
  const digits = DIGITS.exec(code)?.[1]?.length;
  return {
    kind,
    currency: formatCurrency(code),
    digits,
    condition: kind === 'percent' ? conditionOf(code) : undefined,
  };
}

/** Nothing but zeros; one of them is every whole number. */
const DIGITS = /^(?:\[(?![<>=])[^\]]*\])*(0{2,})(?:;|$)/u;
const CONDITION = /^[^;"\\]*\[(<=|>=|<>|<|>|=)(-?[\d.]+)\]/u;

function conditionOf(code: string): Condition | undefined {
  const [, sign = '', than] = CONDITION.exec(code) ?? [];
  const second = code.slice(code.indexOf(';') + 1);
  if (than === undefined || second === code) return undefined;
  return { sign, than: Number(than), otherwise: formatKind(second) };
}

/** Whether a number has the format of the first section. */
export function meets(value: number, { sign, than }: Condition): boolean {
  switch (sign) {
    case '<':
      return value < than;
    case '<=':
      return value <= than;
    case '>':
      return value > than;
    case '>=':
      return value >= than;
    case '<>':
      return value !== than;
    default:
      return value === than;
  }
}

/** The kind of a format code such as `dd.mm.yyyy`, `[Red]0.00` or `[$-409]h:mm AM/PM`. */
export function formatKind(code: string): FormatKind {
  // The first section is for positive numbers, and dates are positive.
  const section = firstSection(code);
  if (/^general$/iu.test(section.trim())) return 'number';
  const hasTime = /[hs]|\[m/iu.test(section);
  const rest = section.replaceAll(/am\/pm|a\/p|general/giu, '').replaceAll(/e[+-]/giu, '');
  // A year of an era (`e`, `g`), but not where digits are: `0.00E+00`.
  const hasDate = /[yd]/iu.test(rest) || (/[eg]/iu.test(rest) && !/[0#?]/u.test(rest));
  const hasMinutesOrMonths = /m/iu.test(rest);
  if (hasDate) return hasTime ? 'datetime' : 'date';
  if (hasTime) return section.includes('[') ? 'duration' : 'time';
  if (hasMinutesOrMonths) return 'date';
  return section.includes('%') ? 'percent' : 'number';
}

const SHOWN = /\[\$([^\]-]*)|"([^"]*)"|(\p{Sc})/gu;

/**
 * The currency that a format shows beside a number: `€` of `#,##0.00 [$€-407]`, `USD` of `0.00 "USD"`; undefined if it
 * shows none.
 */
export function formatCurrency(code: string): string | undefined {
  // Padding and fill show nothing: French formats have a space as wide as the sign, `_€`.
  for (const [, marked, quoted, sign] of code.replaceAll(/[_*]./gu, '').matchAll(SHOWN)) {
    const found = shownCurrency(marked ?? quoted ?? sign ?? '', marked !== undefined);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The currency that a text of a format shows; any text does where only currencies may stand. */
export function shownCurrency(text: string, isCurrency = false): string | undefined {
  const shown = text.trim();
  if (shown === '' || shown.length > MAX_CURRENCY) return undefined;
  return isCurrency || /\p{Sc}/u.test(shown) || currencyOf(shown) !== undefined ? shown : undefined;
}

/** Characters; anything longer is a note, such as "$ in thousands". */
const MAX_CURRENCY = 5;

/** The part before the first `;`, without literals, colours, locales, conditions, fill and padding. */
function firstSection(code: string): string {
  let section = '';
  for (let at = 0; at < code.length; at += 1) {
    const character = code[at];
    if (character === ';') break;
    if (character === '"') {
      const end = code.indexOf('"', at + 1);
      at = end === -1 ? code.length : end;
    } else if (character === '\\' || character === '_' || character === '*') {
      at += 1;
    } else if (character === '[') {
      const end = code.indexOf(']', at + 1);
      const inner = code.slice(at + 1, end === -1 ? code.length : end);
      // Elapsed time: [h], [mm], [ss]. Everything else in brackets shows nothing of the value.
      if (/^(?:h+|m+|s+)$/iu.test(inner)) section += `[${inner}]`;
      at = end === -1 ? code.length : end;
    } else section += character;
  }
  return section;
}
