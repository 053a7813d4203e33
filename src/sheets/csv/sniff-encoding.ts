/**
 * The encoding of a text file by its first bytes, and the names that `--encoding` accepts.
 *
 * Valid UTF-8 is certain. Of the older encodings, chardet recognises those with several bytes a character by the order
 * of the bytes; those with one byte a character are told apart by the letters of languages (legacy-encoding.ts).
 */
import { isUtf8 } from 'node:buffer';
import chardet from 'chardet';
import iconv from 'iconv-lite';
import { SheetError } from '../../base/errors.ts';
import { type LegacyEncoding, sniffLegacyEncoding } from './legacy-encoding.ts';
import { message } from '../../messages/message.ts';

/** The encoding's name in iconv-lite, in lower case: `utf-8`, `windows-1252`, `shift_jis` … */
export type Encoding = string;

export interface SniffedEncoding {
  encoding: Encoding;
  /** Bytes of a byte order mark to leave out. */
  bomBytes: number;
  /** True if no byte beyond ASCII was seen: UTF-8 is then an assumption. */
  ascii: boolean;
  /** Another encoding that explains the bytes nearly as well, if there is one. */
  other?: Encoding;
}

/** Names that `--encoding` accepts in addition to those of iconv-lite, without signs between letters and digits. */
const SYNONYMS: Record<string, Encoding> = {
  utf8: 'utf-8',
  utf16: 'utf-16le',
  utf16le: 'utf-16le',
  utf16be: 'utf-16be',
  windows1252: 'windows-1252',
  cp1252: 'windows-1252',
  ansi: 'windows-1252',
  // As browsers do (WHATWG Encoding): Windows-1252 agrees with Latin-1 in every printable character.
  latin1: 'windows-1252',
  iso88591: 'windows-1252',
  ascii: 'windows-1252',
  shiftjis: 'shift_jis',
  sjis: 'shift_jis',
  cp932: 'shift_jis',
  windows31j: 'shift_jis',
};

const NAMES: Record<Encoding, string> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16 LE',
  'utf-16be': 'UTF-16 BE',
  'windows-1252': 'Windows-1252',
  shift_jis: 'Shift_JIS',
};

/** Names that iconv-lite also lists as encodings, but that no text file uses. */
const NO_TEXT = /^(?:hex|base64|binary|internal|utf7|ucs2|utf32.*)/u;
/** chardet's minimum confidence for an order of bytes that is not accidental. */
const CERTAIN = 80;
const CERTAIN_WHERE_FOUND: ReadonlySet<string> = new Set([
  'Shift_JIS',
  'EUC-JP',
  'EUC-KR',
  'Big5',
  'GB18030',
]);
/** Bytes that chardet looks at, from the first one beyond ASCII on. */
const SAMPLE_BYTES = 32 * 1024;

/** The encoding a person asked for. @throws SheetError `bad_encoding_name` */
export function encodingOption(text: string): Encoding {
  const plain = text.toLowerCase().replaceAll(/[^a-z0-9]/gu, '');
  const known = Object.hasOwn(SYNONYMS, plain) ? SYNONYMS[plain] : undefined;
  if (known !== undefined) return known;
  if (plain !== '' && !NO_TEXT.test(plain) && iconv.encodingExists(plain)) return text.toLowerCase();
  throw new SheetError(
    'bad_encoding_name',
    message('encoding_not_known', { text, known: Object.keys(NAMES) }),
  );
}

/** The encoding's name as people write it. */
export function encodingName(encoding: Encoding): string {
  return NAMES[encoding] ?? encoding.replace(/^[a-z]/u, (letter) => letter.toUpperCase());
}

/** The encoding of a file that begins with `head`; `whole` is true if `head` is the whole file. */
export function sniffEncoding(head: Buffer, whole: boolean): SniffedEncoding {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) {
    return { encoding: 'utf-8', bomBytes: 3, ascii: false };
  }
  if (head[0] === 0xff && head[1] === 0xfe) return { encoding: 'utf-16le', bomBytes: 2, ascii: false };
  if (head[0] === 0xfe && head[1] === 0xff) return { encoding: 'utf-16be', bomBytes: 2, ascii: false };
  const wide = sniffWide(head);
  if (wide !== undefined) return { encoding: wide, bomBytes: 0, ascii: false };
  const firstHigh = head.findIndex((byte) => byte >= 0x80);
  if (firstHigh < 0) return { encoding: 'utf-8', bomBytes: 0, ascii: true };
  const end = whole ? head.length : head.length - incompleteTail(head);
  const utf8: SniffedEncoding = { encoding: 'utf-8', bomBytes: 0, ascii: false };
  if (isUtf8(head.subarray(0, end))) return utf8;
  const damage = utf8Damage(head);
  const { encoding, sure, other } = sniffOld(head, firstHigh);
  if (damage.isUtf8) return damage.sure ? utf8 : { ...utf8, other: encoding };
  const doubt = sure || other === undefined ? {} : { other };
  return { encoding, bomBytes: 0, ascii: false, ...doubt };
}

/** UTF-16 without a mark: zero bytes on one side of most pairs (Latin letters, delimiters, line ends). */
function sniffWide(head: Buffer): Encoding | undefined {
  const pairs = Math.min(head.length >> 1, 2048);
  let even = 0;
  let odd = 0;
  for (let pair = 0; pair < pairs; pair += 1) {
    if (head[pair * 2] === 0) even += 1;
    if (head[pair * 2 + 1] === 0) odd += 1;
  }
  if (pairs > 1 && odd > pairs * 0.4 && even < pairs * 0.05) return 'utf-16le';
  if (pairs > 1 && even > pairs * 0.4 && odd < pairs * 0.05) return 'utf-16be';
  return undefined;
}

/** An encoding from before UTF-8; the first byte beyond ASCII is at `firstHigh`. */
export function sniffOld(text: Buffer, firstHigh: number): LegacyEncoding {
  const sample = text.subarray(firstHigh, firstHigh + SAMPLE_BYTES);
  const [first] = chardet.analyse(sample);
  if (first !== undefined && first.confidence >= CERTAIN && CERTAIN_WHERE_FOUND.has(first.name)) {
    return { encoding: first.name.toLowerCase(), sure: true };
  }
  if (isShiftJis(sample)) return { encoding: 'shift_jis', sure: true };
  // Includes the letters before the first such byte, which show whether it is in a word.
  const around = text.subarray(Math.max(0, firstHigh - 16), firstHigh + SAMPLE_BYTES);
  return sniffLegacyEncoding(around, text.includes('\r') && !text.includes('\n'));
}

/**
 * A few words of Japanese are too few for chardet. They contain kana, and Windows-1252 text (curly quotes before
 * letters, for example) can look like kanji, but hardly like kana.
 */
function isShiftJis(sample: Buffer): boolean {
  const text = iconv.decode(sample.subarray(0, 4096), 'shift_jis');
  const beyond = text.match(/[^\p{ASCII}]/gu) ?? [];
  const kana = beyond.filter((character) => /[\u3041-\u30fc]/u.test(character)).length;
  // The sample may end within a character.
  const broken = beyond.filter((character) => character === '\uFFFD').length;
  return kana >= 2 && kana * 5 >= beyond.length && broken <= (sample.length > 4096 ? 1 : 0);
}

/**
 * Whether a text with invalid bytes is damaged UTF-8. Whole sequences are evidence: in a text of one byte a
 * character an accented letter hardly ever comes before the very sign that completes it.
 */
export function utf8Damage(bytes: Buffer): { isUtf8: boolean; sure: boolean } {
  const text = bytes.toString('utf8');
  let good = 0;
  let bad = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0xfffd) bad += 1;
    else if (code > 0x7f) good += 1;
  }
  return { isUtf8: good * 2 > bad, sure: good > bad };
}

/** Bytes at the end that begin a UTF-8 sequence which the next bytes would complete: 0 to 3. */
export function incompleteTail(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return back < length ? back : 0;
    }
  }
  return 0;
}
