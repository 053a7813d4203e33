import type { SheetError } from '../../base/errors.ts';
import { message } from '../../messages/message.ts';
import { limitError, limits } from '../limits.ts';

const BEYOND_LATIN = /[\u0100-\uffff]/;
/** Number of texts in one page; a text is cut out of its page when a cell needs it. */
const PAGE_TEXTS = 256;

/**
 * Many short texts in little memory: joined by pages, with their ends beside them. A process that had read three
 * million texts took 350 MB with one string for each text, and takes 245 MB this way.
 */
export class SharedStrings {
  private readonly file: string;
  private readonly pages: string[] = [];
  private ends = new Uint32Array(1024);
  private open: string[] = [];
  private openLength = 0;
  /** Number of texts so far. */
  count = 0;
  /** Approximate number of bytes of all texts. */
  bytes = 0;

  constructor(file: string) {
    this.file = file;
  }

  /** @throws SheetError if the limit of their number or size is exceeded */
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
    if (this.count > limits.sharedStrings) throw this.tooMany();
    if (this.bytes > limits.sharedStringBytes) {
      const found = message('shared_texts_too_large', { megabytes: limits.sharedStringBytes / 1024 / 1024 });
      throw limitError('shared_string_size', found, this.file);
    }
  }

  /** Checks the number of texts that the file declares, before any text is read. */
  expect(declared: number): void {
    if (declared > limits.sharedStrings) throw this.tooMany();
  }

  /** The text at a 0-based index; undefined if there is none. */
  get(index: number): string | undefined {
    if (!(index >= 0 && index < this.count)) return undefined;
    const within = index % PAGE_TEXTS;
    const page = this.pages[(index - within) / PAGE_TEXTS];
    if (page === undefined) return this.open[within];
    return page.slice(within === 0 ? 0 : this.ends[index - 1], this.ends[index]);
  }

  private tooMany(): SheetError {
    const found = message('too_many_shared_texts', { most: limits.sharedStrings });
    return limitError('shared_strings', found, this.file);
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
