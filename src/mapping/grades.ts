/**
 * The grades of each trade, mapped to the contract's five conditions: one list for all templates. A column with
 * `grades: cards` uses them as listed. Without `grades`, no grade is certain, because `G` is good in one trade and worn
 * in another: each meaning is offered, and the grade's own text is kept (see `offeredMeanings`).
 *
 * Sources: TCGplayer's and Cardmarket's condition guides (cards), Goldmine (records), PriceCharting and BoardGameGeek's
 * market (games), IOBA (books), the C scale of toy collectors (toys), the scales of coin dealers in German, English,
 * French and Spanish (coins).
 */
import { sameJson } from '../base/equal-json.ts';
import type { ItemCondition, ItemPackaging } from '../api/schemas.ts';
import type { Meaning, OfferedMeaning } from './casts/cast.ts';
import { WordList } from './casts/words.ts';
import { CUSTOM_PREFIX } from './custom-prefix.ts';
import { fold } from './fold.ts';
import { remembered } from './remembered.ts';

/** The users of the grades. `used` has the grades of second-hand shops and classified ads, in six languages. */
export const TRADES = ['cards', 'records', 'games', 'books', 'toys', 'coins', 'used'] as const;
export type Trade = (typeof TRADES)[number];

interface Grades {
  condition: ItemCondition;
  packaging?: ItemPackaging;
  /** Separated by bars. */
  words: string;
}

/** Never opened. The contract does not have a word for a sealed box; mint_on_card is the closest. */
const SEALED = { condition: 'mint_on_card', packaging: 'in_package' } as const;

const GRADES: Record<Trade, readonly Grades[]> = {
  // Grades never say that a card is in its pack, so all cards except sealed products are loose.
  cards: [
    { ...SEALED, words: 'sealed|unopened|factory sealed' },
    {
      condition: 'loose_mint',
      words: 'mint|m|mt|gem mint|near mint|nm|nm-mt|near mint/mint|nm/m|nm-m|near mint or better',
    },
    {
      condition: 'loose_good',
      words:
        'excellent|ex|ex+|ex-mt|very good|vg|vg-ex|lightly played|light played|lp|slightly played|sp|good (lightly played)|good|gd',
    },
    { condition: 'loose_fair', words: 'moderately played|mp|played|pl|heavily played|hp' },
    { condition: 'damaged', words: 'poor|po|pr|damaged|dmg|dm|d' },
  ],
  // Goldmine grades. None of them says whether the record is sealed.
  records: [
    { ...SEALED, words: 'sealed|still sealed|ss|factory sealed' },
    {
      condition: 'loose_mint',
      words: 'mint|m|mint (m)|near mint|nm|nm-|m-|m/nm|near mint (nm or m-)|nm or m-',
    },
    {
      condition: 'loose_good',
      words:
        'excellent|ex|ex+|ex-|vg++|very good plus|vg+|very good plus (vg+)|very good|vg|very good (vg)|vg-',
    },
    { condition: 'loose_fair', words: 'good plus|g+|good plus (g+)|good|g|good (g)' },
    { condition: 'damaged', words: 'fair|f|fair (f)|poor|p|poor (p)' },
  ],
  games: [
    {
      ...SEALED,
      words: 'new|new/sealed|sealed|factory sealed|brand new|new in shrink|in shrink|nis|nisb|y-fold',
    },
    { condition: 'loose_good', packaging: 'opened', words: 'cib|complete in box|complete|boxed complete' },
    {
      condition: 'loose_good',
      packaging: 'loose',
      words: 'loose|cart only|cartridge only|disc only|disk only|game only|cart|item only|cartridge',
    },
    { condition: 'loose_mint', words: 'like new|mint' },
    { condition: 'loose_good', words: 'very good|good' },
    { condition: 'loose_fair', words: 'acceptable' },
    { condition: 'damaged', words: 'unacceptable' },
  ],
  books: [
    { condition: 'loose_mint', words: 'new|as new|fine|f|fn|fine+|near fine|nf|fine/fine|f/f|like new' },
    { condition: 'loose_good', words: 'very good|vg|vg+|very good+|very good/very good|vg/vg' },
    {
      condition: 'loose_fair',
      words: 'good|g|good+|fair|acceptable|reading copy|ex-library|ex-lib|ex library',
    },
    { condition: 'damaged', words: 'poor|p|binding copy' },
  ],
  toys: [
    {
      ...SEALED,
      words:
        'mib|mint in box|misb|mint in sealed box|mip|mint in package|misp|nib|new in box|bnib|nip|new in package|noc|new on card|nrfb|never removed from box|sealed|factory sealed|unopened|carded|on card|ovp|originalverpackt',
    },
    { condition: 'loose_mint', words: 'c10|c-10|c9.5|c9|c-9|mint|near mint|nm|m|nr mint|excellent' },
    { condition: 'loose_good', words: 'c8.5|c8|c-8|c7.5|c7|c-7|very good|vg|good|gd|g' },
    { condition: 'loose_fair', words: 'c6.5|c6|c-6|c5|c-5|fair|played with|worn' },
    { condition: 'damaged', words: 'c4|c-4|c3|c-3|c2|c-2|c1|c-1|poor|junk|parts' },
    { condition: 'loose_good', packaging: 'loose', words: 'loose|loose complete|lose|suelto|sciolto|los' },
  ],
  // Coins and stamps. None of them says whether the piece is still in its holder.
  coins: [
    {
      condition: 'loose_mint',
      words:
        'proof|pf|pp|polierte platte|prooflike|spiegelglanz|stempelglanz|stgl|stgl.|st|bfr|bankfrisch|uncirculated|unc|bu|about uncirculated|au|fdc|fleur de coin|sin circular|postfrisch',
    },
    {
      condition: 'loose_good',
      words:
        'extremely fine|xf|ef|vorzüglich|vz|vzgl|vz-st|very fine|vf|vf-xf|sehr schön|ss|ss-vz|splendide|spl|superbe|sup|ttb|très très beau|ebc|mbc|gestempelt',
    },
    { condition: 'loose_fair', words: 'fine|f|schön|s|s-ss|very good|vg|g|très beau|tb|bc' },
    { condition: 'damaged', words: 'gering erhalten|sge|ge|about good|ag|poor|rc' },
  ],
  used: [
    {
      ...SEALED,
      words:
        'new|new in pack|brand new|new with tags|nwt|new in box|neu|neuware|nagelneu|brandneu|neu & ovp|neu und ovp|neu/ovp|neu mit ovp|neu in ovp|ovp|originalverpackt|neuf|neuve|neuf sous blister|neuf scellé|jamais ouvert|nuevo|nueva|nuevo a estrenar|nuevo precintado|precintado|a estrenar|nuovo|nuova|nuovo sigillato|sigillato|mai aperto|nieuw|nieuw in doos|gloednieuw|geseald|verzegeld',
    },
    {
      condition: 'loose_mint',
      words:
        'like new|as new|mint|near mint|neuwertig|wie neu|fast neu|makellos|tadellos|comme neuf|quasi neuf|état neuf|excellent état|parfait état|como nuevo|como nueva|casi nuevo|impecable|come nuovo|pari al nuovo|quasi nuovo|perfetto|perfette condizioni|als nieuw|zo goed als nieuw|nieuwstaat|perfect',
    },
    {
      condition: 'loose_good',
      words:
        'excellent|very good|good|used - very good|used - good|used|pre-owned|preowned|second hand|secondhand|ausgezeichnet|sehr gut|sehr guter zustand|gut|guter zustand|gut erhalten|gebraucht|très bon|très bon état|tbe|bon|bon état|occasion|d’occasion|excelente|muy bueno|muy buen estado|bueno|buena|buen estado|usado|usada|segunda mano|usado muy bueno|usado bueno|usado - bueno|gebraucht, sehr gut|gebraucht, gut|occasion, très bon état|occasion, bon état|usato buono|usato ottimo|gebruikt, goed|eccellente|ottimo|ottime condizioni|ottimo stato|molto buono|buono|buone condizioni|buono stato|usato|usata|uitstekend|zeer goed|goed|goede staat|gebruikt|tweedehands',
    },
    { condition: 'loose_mint', packaging: 'opened', words: 'open box|new open box|new (open)' },
    { condition: 'loose_good', packaging: 'opened', words: 'opened|unsealed' },
    {
      condition: 'loose_fair',
      words:
        'fair|acceptable|used - acceptable|ok|okay|worn|played|played with|well used|akzeptabel|befriedigend|in ordnung|bespielt|stark bespielt|gespielt|gebrauchsspuren|mit gebrauchsspuren|abgenutzt|assez bon|état correct|correct|état moyen|moyen|usé|usure|joué|aceptable|regular|gastado|desgastado|jugado|accettabile|discreto|discrete condizioni|usurato|giocato|redelijk|matig|acceptabel|bespeeld|gespeeld|gebruikssporen',
    },
    {
      condition: 'damaged',
      words:
        'poor|bad|for parts|for parts or not working|parts only|not working|spares or repair|schlecht|mangelhaft|bastler|für bastler|bastlerware|ersatzteilspender|unvollständig|incomplete|mauvais|mauvais état|pour pièces|incomplet|malo|mala|mal estado|para piezas|incompleto|cattivo|cattive condizioni|pessimo|rovinato|per ricambi|slecht|slechte staat|voor onderdelen|incompleet|onvolledig',
    },
  ],
};

/** Ambiguous words in a packaging column: "with box" does not say whether the box was opened. */
const PACKAGINGS: readonly { packaging: ItemPackaging; words: string }[] = [
  {
    packaging: 'opened',
    words:
      'cib|complete in box|complete|complete with box|with box|mit ovp|komplett|komplett mit ovp|avec boîte|complet|con caja|completo|completa|con scatola|met doos|compleet',
  },
  {
    packaging: 'in_package',
    words:
      'new|mint|neu|neuf|nuevo|nuovo|nieuw|with box|mit ovp|avec boîte|con caja|con scatola|met doos|blister|blisterpack|box|plastic box|box with backing card|polybag|bag|foil pack|shrink-wrapped|shrinkwrapped|bucket|tub|tin|canister',
  },
  { packaging: 'loose', words: 'loose parts|none|none (loose parts)' },
  { packaging: 'custom', words: 'other' },
];

/** The grades of one trade. */
export function gradesOf(trade: Trade, fallback: WordList<Meaning>): WordList<Meaning> {
  const list = new WordList<Meaning>(fallback);
  for (const { condition, packaging, words } of GRADES[trade]) {
    const also = packaging === undefined ? {} : { also: [{ field: 'packaging', value: packaging }] };
    const meaning: Meaning = { value: condition, ...also };
    for (const word of words.split('|')) list.add(word, meaning);
  }
  return list;
}

/** The custom field that keeps an offered word's own text. */
const KEPT = { condition: `${CUSTOM_PREFIX}grade`, packaging: `${CUSTOM_PREFIX}packaging` } as const;
/** Poorest first: if two meanings have the same number of trades, the lower one is offered first. */
const POOREST_FIRST: readonly string[] = [
  'damaged',
  'loose_fair',
  'loose_good',
  'loose_mint',
  'mint_on_card',
  'opened',
  'in_package',
];

/** One meaning of a word: the fields that it sets, and the number of trades that use it. */
type Vote = { set: Record<string, string>; count: number };

/**
 * The meanings that a word without an exact counterpart can have in a column of `field`, the most common first. Each
 * keeps the word itself in a custom field. Empty for words that no trade uses.
 */
export function offeredMeanings(field: string, text: string, header = ''): readonly OfferedMeaning[] {
  if (field !== 'condition' && field !== 'packaging') return [];
  const offers = OFFERED[field](text);
  if (offers.length > 0 || field !== 'condition') return offers;
  return GRADED.test(header) || GRADED.test(text) ? NUMBERED(text) : [];
}

/**
 * Headers and cells in which a number from 0.5 to 10 is a grade of comics or cards: `Grade`, `CGC 10`, `9.4`, `Very
 * Fine 8.0`.
 */
const GRADED = /\bgrad(?:e|ed|ing)\b|^(?:cgc|cbcs|psa|bgs|sgc)\b|^(?:[a-z/ +-]+ )?\d{1,2}\.\d$/i;
const NUMBER = /^(?:[a-z/ +-]+ )?(\d{1,2}(?:\.\d)?)$/i;
/** The lowest grade of each condition, as CGC and PSA describe them. */
const LOWEST = [
  [9, 'loose_mint'],
  [6, 'loose_good'],
  [2, 'loose_fair'],
  [0.5, 'damaged'],
] as const;

const NUMBERED = remembered((text): readonly OfferedMeaning[] => {
  const grade = Number(NUMBER.exec(text)?.[1]);
  const [, value] = (grade <= 10 && LOWEST.find(([lowest]) => grade >= lowest)) || [];
  return value === undefined ? [] : [offered('condition', text, { condition: value })];
});

/** `New in 5-pack` */
const OF_SEVERAL = /\b\d+[ -](?=pack\b)/i;
const OFFERED = { condition: offersOf('condition'), packaging: offersOf('packaging') };

function offersOf(field: keyof typeof KEPT): (text: string) => readonly OfferedMeaning[] {
  return remembered((text) =>
    (VOTES[field].get(fold(text.replace(OF_SEVERAL, ''))) ?? []).map(({ set }) => offered(field, text, set)),
  );
}

function offered(field: keyof typeof KEPT, text: string, set: Record<string, string>): OfferedMeaning {
  const { [field]: value, ...others } = set;
  const kept = { ...others, [KEPT[field]]: text };
  return {
    value,
    also: Object.entries(kept).map(([name, also]) => ({ field: name, value: also })),
    accept: { words: { [text]: { [field]: value ?? '', ...kept } } },
  };
}

const VOTES: Record<keyof typeof KEPT, ReadonlyMap<string, readonly Vote[]>> = {
  condition: countVotes(
    Object.values(GRADES).map((grades) => grades.map(({ words, ...set }) => ({ words, set }))),
    'condition',
  ),
  packaging: countVotes(
    PACKAGINGS.map(({ words, packaging }) => [{ words, set: { packaging } }]),
    'packaging',
  ),
};

function countVotes(
  trades: readonly (readonly { words: string; set: Record<string, string> }[])[],
  field: string,
): Map<string, Vote[]> {
  const votes = new Map<string, Vote[]>();
  for (const { words, set } of trades.flat()) {
    for (const word of new Set(words.split('|').map(fold))) {
      const found = votes.get(word) ?? [];
      votes.set(word, found);
      const same = found.find((vote) => sameJson(vote.set, set));
      if (same === undefined) found.push({ set, count: 1 });
      else same.count += 1;
    }
  }
  const poverty = ({ set }: Vote) => POOREST_FIRST.indexOf(set[field] ?? '');
  for (const each of votes.values()) each.sort((a, b) => b.count - a.count || poverty(a) - poverty(b));
  return votes;
}
