/**
 * Parts of headers that point to a field without naming it (`Toy Condition`), and parts that rule a field out
 * (`Cover Price`). Weaker than the words of synonyms.ts: a hint counts only together with the values.
 */
import { limits } from '../../sheets/limits.ts';
import { fold } from '../fold.ts';
import headers from '../words/headers.json' with { type: 'json' };
import type { GuessableField } from '../synonyms.ts';

export type HintedField = Exclude<GuessableField, 'id'>;

const HINTS: Record<HintedField, RegExp> = {
  name: /\bname|title|titel|titul|titol|titre|bezeichn|\bitem\b|artik|artic|figur|\bmodel|\btoy\b|spielzeug|juguete|jouet|\bnom\b|nombre|\bnome\b|naam|nazw|nazev|назван|наимен|名/,
  brand:
    /brand|maker|manufact|herstell|marke|marca|marque|fabric|fabrik|publisher|produc|производ|メーカー|ブランド/,
  series: /series|serie\b|\bline\b|linie|reihe|theme|franchise|assortment|serij|シリーズ/,
  release_year: /year|jahr|annee|\bano\b|\banno\b|\bjaar|\brok\b|releas|ersch|publish|\bgod\b|\bгод|年/,
  condition: /cond|grad|zustand|erhalt|etat|estado|quality|состоян|状態/,
  packaging: /pack|\bbox|boxed|\bcard(?:ed)?\b|ovp|karton|embal|boite|caja|sealed|verpakk|opakow|упаков|箱/,
  status: /status|\bsale\b|trade|verkauf|verbleib|vente|venta/,
  tags: /\btags?\b|keyword|schlag|stichw|etiq|etichett|categor|kategor|genre/,
  collection: /\bfolder|\bbinder/,
  estimated_value:
    /value|worth|price|pennies|\bcents\b|wert|preis|valeur|valor|prix|precio|prezzo|waarde|prijs|estim|\bmarket\b|wartos|cena|стоим|цена|価格|評価額/,
};

/** Prices paid, and dates of buying, selling or recording: neither value nor release year. */
const OTHER_MATTER =
  /purch|bought|acqui|\bpaid|\bcosts?\b|kauf|\bsold|achat|achet|compr|\bpago|acquist|aankoop|gekocht|zakup|куплен|покупк|購入|\badded|updat|creat|modif|order|ship|versand|\bfees?\b|profit|gain|\bread\b|entered|viewed|rated|expires/;

/** Prices at the time of issue, and numbers that only look like money. */
const NOT_VALUE =
  /cover|copertina|listino|listenpreis|neupreis|retail|\brrp|msrp|uvp|list price|full price|original|initial|regular|issue price|face|stock|points?\b|count|quantity|weight|rating|rank|score|discount|tax|compare|\btotal|low(?:est)?\b|high(?:est)?\b|\bmin\b|\bmax\b|mana ?value|melt|scrap/;

/** Numbers that only look like money, such as `rating_value`, and outdated prices. */
const NO_MONEY = /\bcompare|\brating|\bscore|\brank|\bpoints?\b|\bcount\b|\bquantity|\bweight|mana ?value/;

/** Texts about an item that can differ in every row without being its name. */
const NOT_NAME =
  /note|remark|comment|merk|notiz|observ|detail|review|summary|bemerk|opmerk|uwag|примеч|коммент|備考|メモ|location|shelf|regal|where|from\b|store|shop|seller|colou?r|farbe|tampo|size|scale|mass|country|land\b|language|author|artist|writer|director|creator|designer|owner|person|photo|image|picture|bild|\burl|link|date|datum|price|value|wert|rarity|genre|type|categor|format|material|metal|mint|binding|publisher|brand|maker|manufact|company|collection|set\b|edition|series|\bline\b|theme|condition|grade|mark|shelv|folder|album|email|address|cert|tags?\b|status|sort/;

const NOTES = /note|remark|comment|merk|notiz|observ|detail|descri|beschr|uwag|примеч|описан|備考|メモ/;
const SOLD = /\bsold\b|sale date|date of sale|verkauft am|verkaufsdatum|vendu|vendido|fecha de venta/;
/** Amounts in hundredths of the currency. */
const CENTS = /penn(?:y|ies)|\bcents\b|pence|centimes|céntimos/;
/** A person's possessions, wishes or actions, as opposed to a property of the item. */
const OWNERSHIP = /^(?:i )?(?:own|have|want|wish|need|read|seen|played|sold|trade|for ?trade|duplicate)/;

function plain(header: string): string {
  return (
    header
      .slice(0, limits.wordCharacters)
      .normalize('NFKD')
      .replace(/\p{M}+/gu, '')
      // `fullPrice`
      .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
      .toLowerCase()
      .replace(/[_-]+/g, ' ')
  );
}

/** Whether a part of the header points to the field. */
export function hintsAt(header: string, field: HintedField): boolean {
  return HINTS[field].test(plain(header)) && !isRuledOut(header, field);
}

/** Whether a part of the header points to any field. */
export function hintsAtField(header: string): boolean {
  return (Object.keys(HINTS) as HintedField[]).some((field) => hintsAt(header, field));
}

/** Whether the header rules the field out, whatever the values are. */
export function isRuledOut(header: string, field: HintedField): boolean {
  const text = plain(header);
  if (field === 'name')
    return /^(?:sort|file|user|owner|seller|folder|list|binder|collection|set|artist|author)\b/.test(text);
  if (field === 'release_year') return OTHER_MATTER.test(text);
  return field === 'estimated_value' && (OTHER_MATTER.test(text) || NOT_VALUE.test(text));
}

/** Whether the header suggests money of any kind. */
export function hintsAtMoney(header: string): boolean {
  return HINTS.estimated_value.test(plain(header)) || /paid|cost|msrp|\brrp/.test(plain(header));
}

/** Whether numbers below the header are not money, although the header mentions a value. */
export function isNoMoney(header: string): boolean {
  return NO_MONEY.test(plain(header));
}

/** Whether the header is about buying, selling, or maintaining the list. */
export function isOtherMatter(header: string): boolean {
  return OTHER_MATTER.test(plain(header));
}

/** Whether the header is one of free text. */
export function hintsAtNotes(header: string): boolean {
  return NOTES.test(plain(header));
}

/** Whether a column under this header can be the name by its values alone. */
export function mayBeName(header: string): boolean {
  return !NOT_NAME.test(plain(header));
}

/** Whether the header is that of a sale date. */
export function hintsAtSale(header: string): boolean {
  return SOLD.test(plain(header));
}

/** Whether amounts below the header are in hundredths: `price-in-pennies`. */
export function hintsAtCents(header: string): boolean {
  return CENTS.test(plain(header));
}

/** Whether the header is about a person's possessions, wishes or actions. */
export function isOwnership(header: string): boolean {
  return OWNERSHIP.test(plain(header));
}

const TITLES: ReadonlySet<string> = new Set([...headers.titles, ...headers.fields.name.usual].map(fold));

/** Whether names below the header often repeat: volumes share a title, and watches a model. */
export function mayRepeat(header: string): boolean {
  return TITLES.has(fold(header));
}

const DRAWN: ReadonlySet<string> = new Set([...headers.writers, ...headers.rarities].map(fold));
const BARE_YEARS: ReadonlySet<string> = new Set(headers.bareYears.map(fold));

/** Whether files with the header are of comics or cards: their artists have drawn them. */
export function isOfDrawings(header: string): boolean {
  return DRAWN.has(fold(header));
}

/** Whether bare years below the header are release years, although full dates are not: `Date`. */
export function isBareYear(header: string): boolean {
  return BARE_YEARS.has(fold(header));
}

/** Whether the header is that of an artist, of records, comics and cards. */
export function isArtist(header: string): boolean {
  return /\bartists?\b/.test(plain(header));
}

/** Whether the text is certainly a header, although its words name no field: `Mineral Name` beside `Year First Published`. */
export function isCalled(header: string): boolean {
  return /(?:\bname|\btitle|名称|名)$/.test(plain(header));
}
