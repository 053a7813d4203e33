/**
 * Reads the simple rows of a worksheet, in a fraction of the time that an XML parser takes: nearly all rows
 * of nearly all files are `<row r="2"><c r="A2" t="s"><v>0</v></c>…</row>` and nothing else. It runs before the parser,
 * which gets everything up to the first row, every row that differs in any way (a reference left out, rich text, a
 * comment, CDATA, a character that XML or its line ends treat in a special way) and everything after the last one.
 */
import { limits } from '../limits.ts';
import type { RowAssembler } from '../workbook/row-assembler.ts';
import type { XmlShortcut, XmlSink } from '../workbook/xml.ts';
import { cellValue } from './cell-value.ts';
import type { RowCollector } from './row-collector.ts';
import { isTrue, type XlsxBook } from './workbook.ts';

/** Characters of an incomplete row, some 1,000 cells; cells keep the text that they are cut from in memory. */
const MAX_HELD = 64 * 1024;
/** Maximum number of attribute lists to remember: a workbook has a few for each of its styles. */
const MAX_KNOWN = 2000;
const MAX_KNOWN_LENGTH = 200;

const ROW_END = '</row>';
/** Attributes in the usual form, with values of ASCII characters that stand for themselves. */
const ATTRIBUTES = /^(?: [A-Za-z][\w.:-]*="[ !#-%'-;=?-~]*")*\/?$/;
const ATTRIBUTE = / ([^ =]+)="([^"]*)"/g;
/** Characters that the parser refuses or changes, and lone surrogates, which are not handled here. */
const UNUSUAL = /[^\t\n -\ud7ff\ue000-\ufffd]|\]\]>|&(?!(?:amp|lt|gt|quot|apos);)/;
const ENTITY = /&(?:amp|lt|gt|quot|apos);/g;
const ENTITIES: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
};

/** The part of a tag after its reference. */
interface Tag {
  type: string;
  style: string;
  hidden: boolean;
  /** `/>` */
  isEmpty: boolean;
}

export class PlainRows implements XmlShortcut {
  private readonly workbook: XlsxBook;
  private readonly collector: RowCollector;
  private readonly assembler: RowAssembler;
  /** True if the parser is before the first row, between two rows, or after the last one. */
  private between = false;
  /** The text after which the parser may be there. */
  private mark = '<sheetData>';
  private rest = '';
  /** Tags by the text after their reference. */
  private readonly tags = new Map<string, Tag>();

  constructor(workbook: XlsxBook, collector: RowCollector, assembler: RowAssembler) {
    this.workbook = workbook;
    this.collector = collector;
    this.assembler = assembler;
  }

  feed(piece: string, parser: XmlSink): void {
    const xml = this.rest + piece;
    this.rest = '';
    let at = 0;
    for (;;) {
      if (this.between) {
        at = this.readRows(xml, at);
        if (isBeginning(xml, at)) {
          this.rest = xml.slice(at);
          return;
        }
        this.between = false;
      }
      const found = xml.indexOf(this.mark, at);
      if (found < 0) {
        // The mark may be split between two pieces.
        const end = Math.max(at, xml.length - this.mark.length + 1);
        if (end > at) parser.write(xml.slice(at, end));
        this.rest = xml.slice(end);
        return;
      }
      const last = found + this.mark.length - 1;
      parser.write(xml.slice(at, last));
      // In a comment, for example, this does not end a tag.
      parser.write('>');
      at = last + 1;
      this.between = parser.hasJustEndedTagIn('sheetData');
      if (this.between) this.mark = ROW_END;
    }
  }

  end(parser: XmlSink): void {
    if (this.rest !== '') parser.write(this.rest);
    this.rest = '';
  }

  /** @returns the beginning of the first row that is not simple, or not complete */
  private readRows(xml: string, from: number): number {
    for (let at = from; ; ) {
      const end = xml.indexOf(ROW_END, at);
      if (end < 0 || !this.readRow(xml, at, end)) return at;
      at = end + ROW_END.length;
    }
  }

  /** False for a row that the parser must read, from its beginning. */
  private readRow(xml: string, start: number, end: number): boolean {
    if (!xml.startsWith('<row r="', start)) return false;
    const quote = xml.indexOf('"', start + 8);
    const close = xml.indexOf('>', quote);
    const reference = xml.slice(start + 8, quote);
    const row = close < end ? this.tagOf(xml.slice(quote + 1, close)) : undefined;
    if (row === undefined || row.hidden || row.isEmpty || !/^\d{1,7}$/.test(reference)) return false;
    const text = xml.slice(close + 1, end);
    if (UNUSUAL.test(text)) return false;
    this.collector.open('row', { r: reference });
    if (!this.readCells(text, text.includes('&'))) return false;
    this.collector.close('row');
    return true;
  }

  private readCells(row: string, hasEntities: boolean): boolean {
    for (let at = 0; at < row.length; ) {
      if (!row.startsWith('<c r="', at)) return false;
      at += 6;
      let column = 0;
      let code = row.charCodeAt(at);
      for (; code >= 65 && code <= 90; code = row.charCodeAt(at)) {
        column = column * 26 + code - 64;
        at += 1;
      }
      for (; code >= 48 && code <= 57; code = row.charCodeAt(at)) at += 1;
      if (code !== 34 || column === 0 || column > limits.columns) return false;
      const close = row.indexOf('>', at);
      const tag = close < 0 ? undefined : this.tagOf(row.slice(at + 1, close));
      if (tag === undefined) return false;
      at = close + 1;
      const { type, style } = tag;
      const cell = { type, style, value: '', inline: undefined as string | undefined, formula: false };
      if (!tag.isEmpty) {
        if (row.startsWith('<f>', at)) {
          const formulaEnd = row.indexOf('<', at + 3);
          if (!row.startsWith('</f>', formulaEnd)) return false;
          cell.formula = true;
          at = formulaEnd + 4;
        }
        const isInline = !cell.formula && row.startsWith('<is><t', at);
        const begin = isInline ? textBegin(row, at) : row.startsWith('<v>', at) ? at + 3 : -1;
        const ending = isInline ? '</t></is></c>' : '</v></c>';
        const textEnd = row.indexOf('<', begin);
        if (begin < 0 || !row.startsWith(ending, textEnd)) return false;
        const raw = row.slice(begin, textEnd);
        const text = hasEntities ? raw.replace(ENTITY, (entity) => ENTITIES[entity] ?? entity) : raw;
        if (!isInline) cell.value = text;
        else if (text !== '') cell.inline = text;
        at = textEnd + ending.length;
      }
      this.assembler.put(column - 1, cellValue(cell, this.workbook));
    }
    return true;
  }

  private tagOf(text: string): Tag | undefined {
    const known = this.tags.get(text);
    if (known !== undefined) return known;
    const tag = readTag(text);
    if (tag !== undefined && text.length <= MAX_KNOWN_LENGTH && this.tags.size < MAX_KNOWN) {
      // A copy: the text itself would keep the piece of the sheet that it is cut from.
      this.tags.set(Buffer.from(text, 'latin1').toString('latin1'), tag);
    }
    return tag;
  }
}

/** Where the text of `<is><t>` or `<is><t xml:space="preserve">` begins; -1 for other tags. */
function textBegin(row: string, at: number): number {
  if (row.charCodeAt(at + 6) === 62) return at + 7;
  return row.startsWith(' xml:space="preserve">', at + 6) ? at + 28 : -1;
}

/** undefined if the tag is not simple. */
function readTag(text: string): Tag | undefined {
  if (!ATTRIBUTES.test(text)) return undefined;
  const attributes = new Map<string, string>([['r', '']]);
  for (const [, name = '', value = ''] of text.matchAll(ATTRIBUTE)) {
    if (attributes.has(name) || name.startsWith('xmlns')) return undefined;
    attributes.set(name, value);
  }
  return {
    type: attributes.get('t') ?? 'n',
    style: attributes.get('s') ?? '',
    hidden: isTrue(attributes.get('hidden')),
    isEmpty: text.endsWith('/'),
  };
}

/** Whether a row may begin here and end in the next piece. */
function isBeginning(xml: string, at: number): boolean {
  const held = xml.length - at;
  return '<row'.startsWith(xml.slice(at, at + 4)) && held <= MAX_HELD && xml.indexOf(ROW_END, at) < 0;
}
