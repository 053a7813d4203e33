/**
 * Which encoding of one byte a character a text is in, by evidence: the letters that a language uses, how often it
 * uses them, and where they stand in words.
 *
 * Each candidate pairs a language with an encoding. A byte beyond ASCII scores by the letter that it would be; a
 * symbol inside a word, or a capital behind a small letter, speaks against the candidate. The best candidate wins,
 * and is sure if every other one that reads the text differently is far behind.
 */
import iconv from 'iconv-lite';

export interface LegacyEncoding {
  encoding: string;
  /** False where another encoding explains the bytes nearly as well. */
  sure: boolean;
  /** The next best that reads the text differently; undefined where none is likely. */
  other?: string;
}

/** Small letters beyond ASCII, the commonest first (Wikipedia, letter frequency). */
const LETTERS = {
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

const CAPITALS_OWN: Partial<Record<keyof typeof LETTERS, string>> = { turkish: 'İ' };

const WESTERN = ['german', 'french', 'spanish', 'portuguese', 'italian', 'nordic', 'icelandic'] as const;
const CENTRAL = ['polish', 'czech', 'hungarian', 'romanian', 'german'] as const;
const CYRILLIC = ['russian', 'ukrainian'] as const;

/** Candidates, and what speaks for them before a byte was read (natural logarithm). */
const CANDIDATES: [encoding: string, languages: readonly (keyof typeof LETTERS)[], prior: number][] = [
  ['windows-1252', WESTERN, 0],
  ['windows-1250', CENTRAL, -1],
  ['iso-8859-2', CENTRAL, -2],
  ['windows-1251', CYRILLIC, -1],
  ['koi8-r', CYRILLIC, -2],
  ['ibm866', CYRILLIC, -2],
  ['windows-1253', ['greek'], -1],
  ['iso-8859-7', ['greek'], -2],
  ['windows-1254', ['turkish'], -1],
  ['macintosh', WESTERN, -3],
  ['cp850', WESTERN, -3],
];

/** Signs that texts of all languages use: quotes, dashes, currencies, fractions, marks. */
const SIGNS = /[\u00a0–—‘’‚“”„…•€£¥°½¼¾²³®©™«»×·№§´¿¡±]/u;
const LETTER = /\p{L}/u;
const SMALL = /\p{Ll}/u;
const CAPITAL = /\p{Lu}/u;

const SIGN_SCORE = -4;
const STRANGE_LETTER_SCORE = -8;
const STRANGE_SIGN_SCORE = -9;
const SIGN_IN_WORD_SCORE = -4;
const CAPITAL_IN_WORD_SCORE = -4;
/** A letter that belongs to no word, or to a word in another script. */
const LONELY_SCORE = -4;
/** How far ahead the best must be: 20 to 1. */
const SURE_MARGIN = 3;
/** The commonest encoding by far needs less: a single ñ in a long list is no reason to ask. */
const USUAL_MARGIN = 0.5;

/** @param sample bytes of the text; at most some 10 KB are worth while */
export function sniffLegacyEncoding(sample: Buffer): LegacyEncoding {
  const read = CANDIDATES.map(([encoding, languages, prior]) => {
    const text = iconv.decode(sample, encoding);
    const scores = languages.map((language) => score(text, [language]));
    // A collection may hold names in several languages of one encoding.
    return { encoding, text, score: prior + Math.max(...scores, score(text, languages)) };
  }).sort((a, b) => b.score - a.score);
  const [best] = read;
  if (best === undefined) return { encoding: 'windows-1252', sure: false };
  const other = read.find((each) => each.text !== best.text);
  const margin = best.encoding === 'windows-1252' ? USUAL_MARGIN : SURE_MARGIN;
  if (other === undefined || best.score - other.score >= margin)
    return { encoding: best.encoding, sure: true };
  return { encoding: best.encoding, sure: false, other: other.encoding };
}

const WEIGHTS = new Map<string, Map<string, number>>();

/** Natural logarithm of each letter's share: by Zipf's law, as the order of letters is known better than their counts. */
function weightsOf(language: keyof typeof LETTERS): Map<string, number> {
  const known = WEIGHTS.get(language);
  if (known !== undefined) return known;
  const letters = [...LETTERS[language]];
  const total = letters.reduce((sum, _, rank) => sum + 1 / (rank + 1), 0);
  const weights = new Map(letters.map((letter, rank) => [letter, Math.log(1 / ((rank + 1) * total))]));
  for (const letter of CAPITALS_OWN[language] ?? '') weights.set(letter, -2);
  WEIGHTS.set(language, weights);
  return weights;
}

function weightOf(character: string, language: keyof typeof LETTERS): number | undefined {
  const weights = weightsOf(language);
  return weights.get(character) ?? weights.get(character.toLowerCase());
}

/** Natural logarithm of how likely a text is in a mixture of these languages, all equally common. */
function score(text: string, languages: readonly (keyof typeof LETTERS)[]): number {
  const mixed = Math.log(languages.length);
  const [language = 'german'] = languages;
  let total = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character <= '\u007f') continue;
    const before = text.charAt(at - 1);
    const after = text.charAt(at + 1);
    if (!LETTER.test(character)) {
      total += SIGNS.test(character) ? SIGN_SCORE : STRANGE_SIGN_SCORE;
      // An apostrophe is the one sign that words are made with.
      if (LETTER.test(before) && LETTER.test(after) && character !== '’') total += SIGN_IN_WORD_SCORE;
      continue;
    }
    const weights = languages.map((each) => weightOf(character, each)).filter((each) => each !== undefined);
    total += weights.length === 0 ? STRANGE_LETTER_SCORE : Math.max(...weights) - mixed;
    if (CAPITAL.test(character) && SMALL.test(before)) total += CAPITAL_IN_WORD_SCORE;
    if (!isWordMate(before, language) && !isWordMate(after, language)) total += LONELY_SCORE;
    else if (isOtherScript(before, language) || isOtherScript(after, language)) total += LONELY_SCORE;
  }
  return total;
}

/** A letter that may stand beside one of the language in a word. */
function isWordMate(character: string, language: keyof typeof LETTERS): boolean {
  return LETTER.test(character) && !isOtherScript(character, language);
}

function isOtherScript(character: string, language: keyof typeof LETTERS): boolean {
  const isLatin = /[a-z]/iu.test(character);
  return isLatin && (language === 'greek' || language === 'russian' || language === 'ukrainian');
}
