/**
 * The words that are understood without a template: the contract's own, and those whose meaning is safe
 * whoever wrote them. `mint`, `good` or `C8` are left out on purpose (on its card or loose? on whose scale?):
 * a template says what they mean in its file.
 */
import {
  ITEM_CONDITIONS,
  ITEM_PACKAGINGS,
  ITEM_STATUSES,
  type ItemCondition,
  type ItemPackaging,
  type ItemStatus,
} from '../api/schemas.ts';
import { WordList } from './casts/words.ts';
import { fold } from './fold.ts';

/** Fields that have a word list, with the values of the contract (§2, §4). */
export const WORD_FIELDS = {
  condition: ITEM_CONDITIONS,
  packaging: ITEM_PACKAGINGS,
  status: ITEM_STATUSES,
} as const;
export type WordField = keyof typeof WORD_FIELDS;

const condition: Record<ItemCondition, string> = {
  mint_on_card: 'moc|mint on card|mint on the card|mint carded|carded mint|m.o.c.',
  loose_mint: 'mint loose|loose mint condition|mint (loose)|loose - mint|loose near mint',
  loose_good: 'good loose|good (loose)|loose - good|loose very good',
  loose_fair: 'fair loose|fair (loose)|loose - fair|loose played with',
  damaged: 'damage|broken|defective|beschädigt|defekt|kaputt|abîmé|endommagé|cassé|dañado|roto',
};

const packaging: Record<ItemPackaging, string> = {
  in_package:
    'moc|mint on card|mib|mint in box|misb|mint in sealed box|mip|mint in package|nib|new in box|bnib|nip|new in package|nrfb|never removed from box|sealed|factory sealed|unopened|carded|on card|in box|boxed|in packaging|packaged|ovp|originalverpackt|versiegelt|ungeöffnet|scellé|sous blister|non ouvert|emballé|sellado|precintado|sin abrir|en caja',
  opened: 'open|open box|opened box|box opened|opened package|geöffnet|offen|ouvert|abierto|abierta',
  loose:
    'unboxed|no box|no packaging|without packaging|ohne verpackung|lose|unverpackt|en vrac|sans boîte|sans emballage|suelto|suelta|sin caja|sin embalaje',
  custom: 'customised|customized|custom package|custom packaging|custom box|custom card',
};

const status: Record<ItemStatus, string> = {
  keep: 'keeping|keeper|own|owned|in collection|have|behalten|im besitz|vorhanden|garder|conservé|conservar|guardar',
  sell: 'selling|for sale|to sell|sale|zu verkaufen|verkaufen|à vendre|vendre|en venta|vender|se vende',
  trade:
    'trading|for trade|to trade|swap|for swap|tauschen|zum tausch|tausch|à échanger|échange|para cambio|intercambio',
  sold: 'verkauft|vendu|vendue|vendido|vendida',
  archived: 'archive|archiviert|archivé|archivado',
};

const words: Record<WordField, Record<string, string>> = { condition, packaging, status };

/** A word's meaning: the field's own value, and other fields' where a template's word sets several. */
export interface WordMeaning {
  /** Absent where a template's word says something of another field only. */
  value?: string;
  /** Only from templates: `MIB` in a condition column that also says in_package. */
  also?: { field: WordField; value: string }[];
}

/** The words of the contract and, unless told otherwise, the safe ones. */
export function builtInWords(field: WordField, withSynonyms = true): WordList<WordMeaning> {
  const list = new WordList<WordMeaning>();
  for (const value of WORD_FIELDS[field]) {
    const meaning: WordMeaning = { value };
    list.add(value, meaning);
    if (!withSynonyms) continue;
    for (const word of (words[field][value] ?? '').split('|')) list.add(word, meaning);
  }
  return list;
}

/** Said where nothing is known: blank in fields of dates, numbers and fixed values, never in texts. */
const NOTHING_KNOWN =
  'n/a|na|n.a.|not applicable|unknown|unk|not known|null|nil|tbd|tba|unbekannt|k.a.|keine angabe|inconnu|inconnue|desconocido|desconocida|s/d';
const NOTHING_WORDS: ReadonlySet<string> = new Set(NOTHING_KNOWN.split('|').map(fold));
const ONLY_MARKS = /^[-–—?_.*/ ]+$/;

/** `n/a`, `-`, `?`, `unknown` and their like. */
export function isBlankWord(text: string): boolean {
  return ONLY_MARKS.test(text) || (text.length <= 20 && NOTHING_WORDS.has(fold(text)));
}

/** Blank in a tags cell: marks and `n/a` only, as `unknown` may be a tag. */
export function isBlankTags(text: string): boolean {
  return ONLY_MARKS.test(text) || /^n\/?a$/i.test(text);
}
