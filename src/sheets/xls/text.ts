/**
 * Texts of BIFF records. BIFF8 writes UTF-16, or only its low bytes if all high bytes are zero (MS-XLS 2.5.293);
 * BIFF5 writes bytes of the workbook's code page.
 */
import iconv from 'iconv-lite';
import { utf16Text } from '../utf16.ts';
import type { SharedStrings } from '../workbook/shared-strings.ts';
import type { RecordReader } from './record-reader.ts';
import { RECORD } from './record-reader.ts';

/** How the texts of a workbook are written: UTF-16 (BIFF8), or the name of an encoding (BIFF5). */
export type TextCoding = 'utf-16' | (string & {});

/** Code pages whose number is not the name of the encoding (MS-XLS 2.4.52). */
const CODE_PAGES: Record<number, string> = {
  367: 'ascii',
  1200: 'utf-16',
  10000: 'macintosh',
  32768: 'macintosh',
  32769: 'windows-1252',
};

/** The encoding of a code page; Windows-1252 if it is not known. */
export function codePageName(page: number): string {
  const name = CODE_PAGES[page] ?? `cp${page}`;
  return name === 'utf-16' || iconv.encodingExists(name) ? name : 'windows-1252';
}

const WIDE = 1;
const PHONETIC = 4;
const RICH = 8;

/** `characters` characters at `at`, of which some may be missing; the `flags` of BIFF8 give their width. */
function decode(data: Buffer, at: number, characters: number, flags: number): string {
  return (flags & WIDE) !== 0
    ? utf16Text(data, at, Math.min(data.length, at + characters * 2))
    : data.toString('latin1', at, Math.min(data.length, at + characters));
}

/** A text that fits into its record: names of sheets, codes of formats. */
export function shortText(data: Buffer, at: number, lengthBytes: 1 | 2, coding: TextCoding): string {
  const length = lengthBytes === 1 ? data.readUInt8(at) : data.readUInt16LE(at);
  const start = at + lengthBytes;
  if (coding === 'utf-16') return decode(data, start + 1, length, data.readUInt8(start));
  return iconv.decode(data.subarray(start, start + length), coding);
}

/**
 * A text of a cell, which begins in one record and may go on in `CONTINUE` records, each of which states the width of
 * its characters again.
 */
export class CellText {
  text: string;
  private missing: number;
  private readonly coding: TextCoding;

  /** @param at where the length is, which has two bytes */
  constructor(data: Buffer, at: number, coding: TextCoding) {
    const length = data.readUInt16LE(at);
    this.coding = coding;
    this.text = shortText(data, at, 2, coding);
    // A text in bytes does not tell how many there were, and is never continued.
    this.missing = coding === 'utf-16' ? length - this.text.length : 0;
  }

  get whole(): boolean {
    return this.missing <= 0;
  }

  append(data: Buffer): void {
    if (data.length === 0 || this.coding !== 'utf-16') return;
    const more = decode(data, 1, this.missing, data.readUInt8(0));
    this.text += more;
    this.missing -= more.length;
  }
}

/**
 * Reads the table of shared strings (MS-XLS 2.4.265), whose first record is the current one, with its `CONTINUE`
 * records.
 */
export async function readSharedTexts(records: RecordReader, strings: SharedStrings): Promise<void> {
  if (records.data.length < 8) throw records.damaged('its table of texts has no length');
  const count = records.data.readUInt32LE(4);
  strings.expect(count);
  const source = new ContinuedBytes(records, 8);
  // Some programs write a wrong count, so the existing texts are read whatever the count.
  while (await source.hasMore()) {
    const text = source.readWhole() ?? (await source.readParts());
    if (text !== undefined) strings.add(text);
    else if (strings.count < count) {
      throw records.damaged(`its table of texts ends after ${strings.count} of ${count}`);
    }
  }
}

/** The bytes of a record and of those that continue it. A text may be cut anywhere between two characters. */
class ContinuedBytes {
  private readonly records: RecordReader;
  private data: Buffer;
  private at: number;

  constructor(records: RecordReader, at: number) {
    this.records = records;
    this.data = records.data;
    this.at = at;
  }

  /** True if bytes are left; goes to the next record if necessary. */
  async hasMore(): Promise<boolean> {
    while (this.at >= this.data.length) {
      if ((await this.records.peek()) !== RECORD.continue || !(await this.records.next())) return false;
      this.data = this.records.data;
      this.at = 0;
    }
    return true;
  }

  /** The next text if it is completely in the current record, as nearly all are; otherwise undefined. */
  readWhole(): string | undefined {
    const { data } = this;
    const left = data.length - this.at;
    if (left < 9) return undefined;
    const length = data.readUInt16LE(this.at);
    const flags = data.readUInt8(this.at + 2);
    let start = this.at + 3;
    let extraBytes = 0;
    if ((flags & RICH) !== 0) {
      extraBytes += data.readUInt16LE(start) * 4;
      start += 2;
    }
    if ((flags & PHONETIC) !== 0) {
      extraBytes += data.readUInt32LE(start);
      start += 4;
    }
    const end = start + length * ((flags & WIDE) !== 0 ? 2 : 1);
    if (end + extraBytes > data.length) return undefined;
    this.at = end + extraBytes;
    return decode(data, start, length, flags);
  }

  /** The next text, from as many records as it spans; undefined if they end within it. */
  async readParts(): Promise<string | undefined> {
    const head = await this.bytes(3);
    if (head === undefined) return undefined;
    let flags = head.readUInt8(2);
    const runs = (flags & RICH) === 0 ? 0 : (await this.bytes(2))?.readUInt16LE(0);
    const phonetic = (flags & PHONETIC) === 0 ? 0 : (await this.bytes(4))?.readUInt32LE(0);
    if (runs === undefined || phonetic === undefined) return undefined;
    let text = '';
    for (let missing = head.readUInt16LE(0); missing > 0; ) {
      if (this.at >= this.data.length) {
        if (!(await this.hasMore())) return undefined;
        flags = this.data.readUInt8(this.at);
        this.at += 1;
      }
      const wide = (flags & WIDE) !== 0;
      const part = decode(this.data, this.at, missing, flags);
      // A single byte of a wide character is lost with the record that it ends.
      this.at = part.length < missing ? this.data.length : this.at + part.length * (wide ? 2 : 1);
      text += part;
      missing -= part.length;
    }
    return (await this.skip(runs * 4 + phonetic)) ? text : undefined;
  }

  private async bytes(count: number): Promise<Buffer | undefined> {
    const bytes = Buffer.alloc(count);
    for (let done = 0; done < count; ) {
      if (!(await this.hasMore())) return undefined;
      const taken = this.data.copy(bytes, done, this.at);
      this.at += taken;
      done += taken;
    }
    return bytes;
  }

  private async skip(count: number): Promise<boolean> {
    for (let left = count; left > 0; ) {
      if (!(await this.hasMore())) return false;
      const taken = Math.min(left, this.data.length - this.at);
      this.at += taken;
      left -= taken;
    }
    return true;
  }
}
