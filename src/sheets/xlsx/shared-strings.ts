import type { Readable } from 'node:stream';
import { limitError, limits } from '../limits.ts';
import { decodeEscapes } from './escapes.ts';
import { readXml, type XmlPlace } from './xml.ts';

const BEYOND_LATIN = /[\u0100-\uffff]/;
/** Texts of one page; a text is cut out of its page when a cell asks for it. */
const PAGE_TEXTS = 256;

/**
 * Many short texts in little memory: joined by pages, with their ends beside them. A process that had read three
 * million texts took 350 MB with a string each, and takes 245 MB so.
 */
export class SharedStrings {
  private readonly pages: string[] = [];
  private ends = new Uint32Array(1024);
  private open: string[] = [];
  private openLength = 0;
  /** Texts so far. */
  count = 0;
  /** Bytes they take, about. */
  bytes = 0;

  add(text: string): void {
    if (this.count === this.ends.length) {
      const ends = new Uint32Array(this.ends.length * 2);
      ends.set(this.ends);
      this.ends = ends;
    }
    this.openLength += text.length;
    this.ends[this.count] = this.openLength;
    this.count += 1;
    this.open.push(text);
    if (this.open.length === PAGE_TEXTS) this.closePage();
  }

  /** The text at a 0-based index; undefined where there is none. */
  get(index: number): string | undefined {
    if (!(index >= 0 && index < this.count)) return undefined;
    const within = index % PAGE_TEXTS;
    const page = this.pages[(index - within) / PAGE_TEXTS];
    if (page === undefined) return this.open[within];
    return page.slice(within === 0 ? 0 : this.ends[index - 1], this.ends[index]);
  }

  private closePage(): void {
    const page = this.open.join('');
    this.pages.push(page);
    // V8 keeps texts in Latin letters at a byte a character, others at two.
    this.bytes += page.length * (BEYOND_LATIN.test(page) ? 2 : 1) + PAGE_TEXTS * 4;
    this.open = [];
    this.openLength = 0;
  }
}

/**
 * The table of texts that cells refer to by index (ECMA-376 part 1, 18.4.9). The runs of rich text are joined;
 * phonetic runs (`rPh`, reading aids over Japanese text) are no part of the text.
 */
export async function readSharedStrings(stream: Readable, place: XmlPlace): Promise<SharedStrings> {
  const strings = new SharedStrings();
  let text = '';
  let inText = false;
  let phonetic = 0;
  const tooMany = (count: number | string) =>
    limitError(
      'shared_strings',
      `The workbook has ${count} shared strings; ${limits.sharedStrings} are read.`,
      place.file,
    );
  await readXml(stream, place, {
    open(name, attributes) {
      if (name === 't') inText = phonetic === 0;
      else if (name === 'rPh') phonetic += 1;
      else if (name === 'si') text = '';
      else if (name === 'sst') {
        const declared = Number(attributes['uniqueCount'] ?? 0);
        if (declared > limits.sharedStrings) throw tooMany(declared);
      }
    },
    text(value) {
      if (inText) text += value;
    },
    close(name) {
      if (name === 't') inText = false;
      else if (name === 'rPh') phonetic -= 1;
      else if (name === 'si') {
        strings.add(decodeEscapes(text));
        if (strings.count > limits.sharedStrings) throw tooMany(`more than ${limits.sharedStrings}`);
        if (strings.bytes > limits.sharedStringBytes) {
          throw limitError(
            'shared_string_size',
            `The shared strings of this workbook are larger than ${limits.sharedStringBytes / 1024 / 1024} MB.`,
            place.file,
          );
        }
      }
    },
  });
  return strings;
}
