/**
 * The catalogue of texts. Each screen keeps its own in `texts.ts`, in all languages at once: both languages must have
 * the same texts, or the types do not match.
 */
export const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

/** Texts of a screen: sentences, or functions of values that return one. */
export type Texts = Readonly<Record<string, string | ((...values: never[]) => string)>>;

/** Widens `'Continue'` to string, so that another language's words match it. */
type Shape<T> = { readonly [K in keyof T]: T[K] extends string ? string : T[K] };

/** One screen's texts, by language. */
export function catalogue<T extends Texts>(en: T, de: Shape<T>): Record<Language, Shape<T>> {
  return { en: en as Shape<T>, de };
}

/** The language that a browser prefers; English if it names none that we have. */
export function preferred(acceptLanguage: string | undefined): Language {
  const wanted = (acceptLanguage ?? '')
    .split(',')
    .map((part) => {
      const [tag = '', ...rest] = part.trim().toLowerCase().split(';');
      const quality = Number(/^\s*q=([\d.]+)/.exec(rest.join(';'))?.[1] ?? '1');
      return { language: LANGUAGES.find((each) => tag === each || tag.startsWith(`${each}-`)), quality };
    })
    .filter(({ language, quality }) => language !== undefined && quality > 0)
    .sort((a, b) => b.quality - a.quality);
  return wanted[0]?.language ?? 'en';
}

const LOCALES: Record<Language, string> = { en: 'en-GB', de: 'de-DE' };

/** Numbers, times and dates as a language writes them. */
export interface Wording {
  count(value: number): string;
  /** `1 item`, `1,200 items`. */
  counted(value: number, one: string, many: string): string;
  percent(share: number): string;
  /** An amount without a currency. */
  amount(value: number): string;
  /** `2 November 2026, 14:05`. */
  dateTime(at: number): string;
  date(at: number): string;
  /** `14:05:30`. */
  clock(at: number): string;
  /** `about 3 minutes`. */
  span(ms: number): string;
  bytes(size: number): string;
}

export function wording(language: Language): Wording {
  const locale = LOCALES[language];
  const number = new Intl.NumberFormat(locale);
  const amount = new Intl.NumberFormat(locale, { minimumFractionDigits: 2 });
  const unit = (name: string, value: number) =>
    new Intl.NumberFormat(locale, {
      style: 'unit',
      unit: name,
      unitDisplay: 'long',
      maximumFractionDigits: 0,
    }).format(value);
  const dated = (at: number, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, options).format(at);
  return {
    count: (value) => number.format(value),
    counted: (value, one, many) => `${number.format(value)} ${value === 1 ? one : many}`,
    amount: (value) => amount.format(value),
    percent: (share) =>
      new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 }).format(share),
    dateTime: (at) => dated(at, { dateStyle: 'long', timeStyle: 'short' }),
    date: (at) => dated(at, { dateStyle: 'long' }),
    clock: (at) => dated(at, { timeStyle: 'medium' }),
    span: (ms) => {
      const seconds = Math.max(1, Math.round(ms / 1000));
      if (seconds < 90) return unit('second', seconds);
      if (seconds < 90 * 60) return unit('minute', Math.round(seconds / 60));
      return unit('hour', Math.round(seconds / 3600));
    },
    bytes: (size) =>
      new Intl.NumberFormat(locale, {
        style: 'unit',
        unit: size < 1e6 ? 'kilobyte' : 'megabyte',
        unitDisplay: 'short',
        maximumFractionDigits: size < 1e6 || size >= 1e7 ? 0 : 1,
      }).format(Math.max(size / (size < 1e6 ? 1e3 : 1e6), size > 0 && size < 1000 ? 1 : 0)),
  };
}
