/**
 * Finds the single-byte encoding of a text by evidence: the letters and signs that a language uses, how
 * often it uses them, and where they stand in words.
 *
 * Each candidate pairs a language with an encoding. A byte beyond ASCII scores by the character that it would be, and
 * by its neighbours: a quote inside a word, or a capital behind a small letter, is evidence against the
 * candidate. Each character counts once, and once more in each place that is evidence against it: people
 * who write one hard space write many, and the twentieth proves no more than the first. The best
 * candidate wins, and is sure if every other one that reads the text differently is far behind.
 */
import iconv from 'iconv-lite';

export interface LegacyEncoding {
  encoding: string;
  /** False if another encoding explains the bytes nearly as well. */
  sure: boolean;
  /** The next best encoding that reads the text differently; undefined if none is likely. */
  other?: string;
}

/** Small letters beyond ASCII, the commonest first (Wikipedia, letter frequency); in English those of loan words. */
const LETTERS = {
  english: 'éñüöèáóíçäêï',
  german: 'üäöß',
  french: 'éèàêçôîùâûïëœ',
  spanish: 'óáíñéúü',
  portuguese: 'ãçáéóêíõâúôà',
  italian: 'èàòùìé',
  nordic: 'åäöøæé',
  icelandic: 'íðáþéóöúýæ',
  polish: 'łąężśóćńź',
  czech: 'íáéěýřžčšůúťňďó',
  hungarian: 'éáóöőíüúű',
  romanian: 'ăîâşţșț',
  turkish: 'ıüşğçöi̇â',
  greek: 'αοιετσνηυρπκμλςωόίάγέδήθύχώφβξζψϊϋ',
  russian: 'оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё',
  ukrainian: 'оаиніртевлскмдупяьгзбйчхжцїшєюфщґ',
} as const;
type Language = keyof typeof LETTERS;

const CAPITALS_OWN: Partial<Record<Language, string>> = { turkish: 'İ' };

const CAPITAL_SHARE = 0.13;

/** Signs of all languages, the commonest first. */
const SIGNS = '\u00a0’…“”–®™½°‘€•—£©¼¾´·×«»„‚¥²³№§¿¡±';
/** Share of signs among the characters beyond ASCII. */
const SIGN_SHARE = 0.15;
const ENGLISH_SIGN_SHARE = 0.8;
/** Signs that occur between two letters without being part of a word. */
const SPACING = /[\u00a0…·×—]/u;
/** Apostrophes as words have them, with their neighbours: `Hero’s`, `l’eau`, `O’Brien`, `dogs’`, `’n’`, `’85`. */
const APOSTROPHE = /\p{L}’(?:[stdlrvm]|\P{L}|$)|[ldjnscmtuo]’\p{L}|\p{N}’|’[\p{N}nets]|’[^\p{L}]/iu;

const WESTERN: readonly Language[] = [
  'english',
  'german',
  'french',
  'spanish',
  'portuguese',
  'italian',
  'nordic',
  'icelandic',
];
const CENTRAL: readonly Language[] = ['polish', 'czech', 'hungarian', 'romanian', 'german'];
const CYRILLIC: readonly Language[] = ['russian', 'ukrainian'];

/** Candidates, and the evidence for them before a byte was read (natural logarithm). */
const CANDIDATES: [encoding: string, languages: readonly Language[], prior: number][] = [
  ['windows-1252', WESTERN, 0],
  ['windows-1250', CENTRAL, -1],
  ['iso-8859-2', CENTRAL, -2],
  ['windows-1251', CYRILLIC, -1],
  ['koi8-r', CYRILLIC, -2],
  ['ibm866', CYRILLIC, -2],
  ['windows-1253', ['greek'], -1],
  ['iso-8859-7', ['greek'], -2],
  ['windows-1254', ['turkish'], -1],
  ['macintosh', WESTERN, -4.5],
  ['cp850', WESTERN, -4.5],
];
/** Only programs of the old Macintosh end lines with a CR alone. */
const MACINTOSH_LINES_SCORE = 6.5;

/** Names in just two languages of an encoding are rare, so a few letters are not enough evidence. */
const PAIR_SCORE = -2;

/** Weight of each further place of a character. */
const REPEATED = 0.75;

const LETTER = /\p{L}/u;
const SMALL = /\p{Ll}/u;
const CAPITAL = /\p{Lu}/u;

const STRANGE_LETTER_SCORE = -8;
const STRANGE_SIGN_SCORE = -9;
const SIGN_IN_WORD_SCORE = -4;
const ODD_APOSTROPHE_SCORE = -2;
const CASE_SCORE = -4;
/** A letter outside a word, or in a word of another script. */
const LONELY_SCORE = -4;
/** Minimum lead of the best candidate: 20 to 1. */
const SURE_MARGIN = 3;
/** The lead that is enough for by far the commonest encoding: a single ñ in a long list is no reason to ask. */
const USUAL_MARGIN = 1;

/** @param sample bytes of the text; more than about 10 KB add nothing */
export function sniffLegacyEncoding(sample: Buffer, hasMacintoshLines = false): LegacyEncoding {
  const read = CANDIDATES.map(([encoding, languages, prior]) => {
    const text = iconv.decode(sample, encoding);
    const places = placesIn(text);
    const lines = encoding === 'macintosh' && hasMacintoshLines ? MACINTOSH_LINES_SCORE : 0;
    return {
      encoding,
      text,
      score:
        prior +
        lines +
        Math.max(
          ...mixtures(languages).map((each) => score(places, each) + (each.length === 2 ? PAIR_SCORE : 0)),
        ),
    };
  }).sort((a, b) => b.score - a.score);
  const [best] = read;
  if (best === undefined) return { encoding: 'windows-1252', sure: false };
  const other = read.find((each) => each.text !== best.text);
  const margin = best.encoding === 'windows-1252' ? USUAL_MARGIN : SURE_MARGIN;
  if (other === undefined || best.score - other.score >= margin)
    return { encoding: best.encoding, sure: true };
  return { encoding: best.encoding, sure: false, other: other.encoding };
}

/** A collection may hold names in several languages of one encoding: in one, in two of them, or in all. */
function mixtures(languages: readonly Language[]): (readonly Language[])[] {
  const pairs = languages.flatMap((one, at) => languages.slice(at + 1).map((other) => [one, other]));
  return [...languages.map((each) => [each]), ...pairs, languages];
}

/** The different characters beyond ASCII, each with the different pairs of neighbours that it has. */
function placesIn(text: string): Map<string, Set<string>> {
  const places = new Map<string, Set<string>>();
  for (const { 0: character, index } of text.matchAll(/[^\p{ASCII}]/gu)) {
    const known = places.get(character) ?? new Set();
    known.add(text.charAt(index - 1) + character + text.charAt(index + 1));
    places.set(character, known);
  }
  return places;
}

const WEIGHTS = new Map<Language, ReadonlyMap<string, number>>();

/** Each character's share by Zipf's law, because the order of characters is better known than their counts. */
function weightsOf(language: Language): ReadonlyMap<string, number> {
  const known = WEIGHTS.get(language);
  if (known !== undefined) return known;
  const signs = language === 'english' ? ENGLISH_SIGN_SHARE : SIGN_SHARE;
  const weights = new Map([...byRank(LETTERS[language], 1 - signs), ...byRank(SIGNS, signs)]);
  for (const letter of CAPITALS_OWN[language] ?? '') weights.set(letter, CAPITAL_SHARE);
  WEIGHTS.set(language, weights);
  return weights;
}

function byRank(characters: string, share: number): [string, number][] {
  const all = [...characters];
  const total = all.reduce((sum, _, rank) => sum + 1 / (rank + 1), 0);
  return all.map((character, rank) => [character, share / ((rank + 1) * total)]);
}

/** Natural logarithm of how likely these characters are in a mixture of these languages, all equally common. */
function score(places: ReadonlyMap<string, ReadonlySet<string>>, languages: readonly Language[]): number {
  const [language = 'english'] = languages;
  let total = 0;
  for (const [character, around] of places) {
    const share = languages.reduce((sum, each) => sum + weightOf(character, each), 0) / languages.length;
    const strange = LETTER.test(character) ? STRANGE_LETTER_SCORE : STRANGE_SIGN_SCORE;
    const weight = share === 0 ? strange : Math.log(share);
    total += weight * (1 + Math.log(around.size) * REPEATED);
    for (const place of around) total += placeScore(place, language);
  }
  return total;
}

function weightOf(character: string, language: Language): number {
  const weights = weightsOf(language);
  return weights.get(character) ?? weights.get(character.toLowerCase()) ?? 0;
}

/** Evidence against a character between its neighbours; 0 if there is none. */
function placeScore(place: string, language: Language): number {
  const [before = '', character = '', after = ''] = place;
  if (!LETTER.test(character)) {
    if (character === '’') return APOSTROPHE.test(place) ? 0 : ODD_APOSTROPHE_SCORE;
    const isInWord = LETTER.test(before) && LETTER.test(after);
    return isInWord && !SPACING.test(character) ? SIGN_IN_WORD_SCORE : 0;
  }
  let total = 0;
  const breaksCase = (first: string, second: string) => SMALL.test(first) && CAPITAL.test(second);
  if (breaksCase(before, character) || breaksCase(character, after)) total += CASE_SCORE;
  if (!isWordMate(before, language) && !isWordMate(after, language)) total += LONELY_SCORE;
  else if (isOtherScript(before, language) || isOtherScript(after, language)) total += LONELY_SCORE;
  return total;
}

/** A letter that may occur next to a letter of the language in a word. */
function isWordMate(character: string, language: Language): boolean {
  return LETTER.test(character) && !isOtherScript(character, language);
}

function isOtherScript(character: string, language: Language): boolean {
  const isLatin = /[a-z]/iu.test(character);
  return isLatin && (language === 'greek' || language === 'russian' || language === 'ukrainian');
}
