/**
 * Words that are understood without a template: the contract's own, and those with only one meaning, in English,
 * German, French, Spanish, Italian and Dutch. `mint`, `good` and `C8` are not among them (carded or loose? on which
 * scale?): grades.ts offers their meanings.
 */
import { ITEM_CONDITIONS, ITEM_PACKAGINGS, ITEM_STATUSES } from '../api/item-words.ts';
import type { ItemCondition, ItemPackaging, ItemStatus } from '../api/schemas.ts';
import type { Meaning } from './casts/cast.ts';
import { WordList } from './casts/words.ts';
import { fold } from './fold.ts';

/** Fields that have a word list, with the values of the contract (§2, §4). */
export const WORD_FIELDS = {
  condition: ITEM_CONDITIONS,
  packaging: ITEM_PACKAGINGS,
  status: ITEM_STATUSES,
} as const;
export type WordField = keyof typeof WORD_FIELDS;

/** Whether a field has a word list. */
export function isWordField(name: string): name is WordField {
  return Object.hasOwn(WORD_FIELDS, name);
}

const condition: Record<ItemCondition, string> = {
  mint_on_card: 'moc|mint on card|mint on the card|mint carded|carded mint|m.o.c.',
  loose_mint: 'mint loose|loose mint condition|mint (loose)|loose - mint|loose near mint',
  loose_good: 'good loose|good (loose)|loose - good|loose very good',
  loose_fair: 'fair loose|fair (loose)|loose - fair|loose played with',
  damaged:
    'damage|broken|defective|beschädigt|defekt|kaputt|abîmé|endommagé|cassé|dañado|roto|danneggiato|danneggiata|rotto|rotta|difettoso|beschadigd|defect|kapot',
};

const packaging: Record<ItemPackaging, string> = {
  in_package:
    'moc|mint on card|mib|mint in box|misb|mint in sealed box|mip|mint in package|nib|new in box|bnib|nip|new in package|nrfb|never removed from box|sealed|factory sealed|unopened|carded|on card|in box|boxed|in packaging|packaged|ovp|originalverpackt|versiegelt|ungeöffnet|scellé|sous blister|non ouvert|emballé|sellado|precintado|sin abrir|en caja|sigillato|sigillata|non aperto|mai aperto|in scatola|nella scatola|verzegeld|geseald|ongeopend|in doos|in verpakking',
  opened:
    'open|open box|opened box|box opened|opened package|geöffnet|offen|ovp geöffnet|ouvert|ouverte|boîte ouverte|abierto|abierta|caja abierta|aperto|aperta|scatola aperta|open doos|geopend',
  loose:
    'unboxed|no box|no packaging|without packaging|ohne verpackung|lose|unverpackt|en vrac|ohne ovp|ohne originalverpackung|sans boîte|sans emballage|suelto|suelta|sin caja|sin embalaje|sfuso|senza scatola|senza confezione|los|zonder doos|zonder verpakking',
  custom: 'customised|customized|custom package|custom packaging|custom box|custom card',
};

const status: Record<ItemStatus, string> = {
  keep: 'keeping|keeper|own|owned|in collection|have|behalten|im besitz|vorhanden|garder|conservé|conservar|guardar|tenere|da tenere|in collezione|en colección|dans la collection|behouden|houden|in bezit|in collectie',
  sell: 'selling|for sale|to sell|sale|zu verkaufen|verkaufen|à vendre|vendre|en venta|vender|se vende|in vendita|da vendere|vendere|vendesi|te koop|verkopen|te verkopen',
  trade:
    'trading|for trade|to trade|swap|for swap|tauschen|zum tausch|tausch|à échanger|échange|para cambio|intercambio|scambio|da scambiare|scambiare|ruilen|te ruil|ruil',
  sold: 'verkauft|vendu|vendue|vendido|vendida|venduto|venduta|verkocht',
  archived: 'archive|archiviert|archivé|archivado|archiviato|archiviata|gearchiveerd',
};

const words: Record<WordField, Record<string, string>> = { condition, packaging, status };

/** The words of the contract, and unless `withSynonyms` is false those with only one meaning. */
export function builtInWords(field: WordField, withSynonyms = true): WordList<Meaning> {
  const list = new WordList<Meaning>();
  for (const value of WORD_FIELDS[field]) {
    const meaning: Meaning = { value };
    list.add(value, meaning);
    if (!withSynonyms) continue;
    for (const word of (words[field][value] ?? '').split('|')) list.add(word, meaning);
  }
  return list;
}

/** Stand for "unknown": blank in fields of dates, numbers and fixed values, but not in texts. */
const NOTHING_KNOWN =
  'n/a|na|n.a.|not applicable|unknown|unk|not known|null|nil|tbd|tba|unbekannt|k.a.|keine angabe|inconnu|inconnue|desconocido|desconocida|s/d|sconosciuto|sconosciuta|onbekend|n.v.t.';
const NOTHING_WORDS: ReadonlySet<string> = new Set(NOTHING_KNOWN.split('|').map(fold));
const ONLY_MARKS = /^[-–—?_.*/ ]+$/;

/** True for `n/a`, `-`, `?`, `unknown` and the like. */
export function isBlankWord(text: string): boolean {
  return ONLY_MARKS.test(text) || (text.length <= 20 && NOTHING_WORDS.has(fold(text)));
}

/** True for cells that hold no tags: only marks and `n/a`, because `unknown` may be a tag. */
export function isBlankTags(text: string): boolean {
  return ONLY_MARKS.test(text) || /^n\/?a$/i.test(text);
}
