/**
 * Parts of headers that point to a field without naming it: `Sammlerwert`, `Toy Condition`. Weaker than the
 * headers of synonyms.ts, which are certain by themselves; a hint counts only together with the values.
 */
import type { GuessableField } from '../synonyms.ts';

type HintedField = Exclude<GuessableField, 'id' | 'collection'>;

const HINTS: Record<HintedField, RegExp> = {
  name: /name|title|titel|descri|beschr|bezeichn|item|artik|artic|figur|model|\btoy|spielzeug|juguete|jouet|\bnom\b|nombre/,
  brand: /brand|maker|manufact|herstell|marke|marca|marque|fabric/,
  series: /series|serie\b|\bline\b|linie|reihe|theme|franchise|assortment/,
  release_year: /year|jahr|annee|\bano\b|\banno\b|releas|ersch/,
  condition: /cond|grad|zustand|erhalt|etat|estado|quality/,
  packaging: /pack|box|card|ovp|karton|embal|boite|caja|sealed/,
  status: /status|sale|trade|verkauf|verbleib|vente|venta/,
  tags: /\btags?\b|label|keyword|schlag|stichw|etiq|categor|kategor/,
  estimated_value: /value|worth|price|wert|preis|valeur|valor|prix|precio|estim|market/,
};

/** What was paid, and when something was bought, sold or noted down, is another thing than value and release. */
const OTHER_MATTER =
  /purch|bought|acqui|paid|cost|kauf|sold|achat|achet|compr|pago|added|updat|creat|modif|order|ship|versand|\bfees?\b|profit|gain|insur/;

const NOTES = /note|remark|comment|merk|notiz|observ|detail|descri|beschr/;
const SOLD = /\bsold\b|sale date|date of sale|verkauft am|verkaufsdatum|vendu|vendido|fecha de venta/;

function plain(header: string): string {
  return header
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
}

/** Whether a part of the header points to the field. */
export function hintsAt(header: string, field: HintedField): boolean {
  const text = plain(header);
  if ((field === 'release_year' || field === 'estimated_value') && OTHER_MATTER.test(text)) return false;
  return HINTS[field].test(text);
}

/** Whether the header speaks of buying, selling, or keeping the list. */
export function isOtherMatter(header: string): boolean {
  return OTHER_MATTER.test(plain(header));
}

/** Whether the header is one of free text. */
export function hintsAtNotes(header: string): boolean {
  return NOTES.test(plain(header));
}

/** Whether the header is that of the day of a sale. */
export function hintsAtSale(header: string): boolean {
  return SOLD.test(plain(header));
}
