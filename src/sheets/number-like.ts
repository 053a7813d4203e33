const NUMBER = /^[-+(]{0,2}\d[\d.,'’\s\u00a0\u202f]*\)?$/u;
const SIGNS = /[\p{Sc}%]|\b(?:EUR|USD|GBP|CHF|JPY|CAD|AUD)\b/giu;

/** True for text that a person reads as an amount: `1.234,50`, `€ 12`, `(3)`, `45 %`. */
export function isNumberLike(text: string): boolean {
  const first = text.charCodeAt(0);
  // Most cells are words in Latin letters: a look at the first character spares the expression.
  if ((first >= 97 && first <= 122) || (first >= 65 && first <= 90 && text.length > 24)) return false;
  return NUMBER.test(text.replace(SIGNS, '').trim());
}
