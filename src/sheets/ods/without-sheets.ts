/**
 * OpenDocument content without the content of its sheets: enough for their names, at a tenth of the time of parsing it all.
 */
import type { Readable } from 'node:stream';

/** Tags of a sheet or of a table within a cell; and the beginning of a comment or CDATA, in which tags do not count. */
const MARK = /<(\/?)table:table(?=[\s/>])|<!/gu;
const USUAL_PREFIX = 'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"';
/** Longer than the root's start tag. */
const HEAD_CHARACTERS = 16 * 1024;
/** Longer than a tag that is cut in two by the end of a piece; a longer one is passed on as it is. */
const TAG_CHARACTERS = 64 * 1024;

/** Thrown if tags cannot be distinguished from content without parsing it. */
export class MustBeParsed extends Error {
  override readonly name = 'MustBeParsed';
}

/** The bytes of `content`, without those between the start and the end of each outermost table. */
export async function* withoutSheets(content: Readable): AsyncGenerator<Buffer, void, undefined> {
  let isUsual: boolean | undefined;
  let depth = 0;
  let rest = '';
  for await (const chunk of content as AsyncIterable<Buffer>) {
    if (isUsual === false) {
      yield chunk;
      continue;
    }
    const text = rest + chunk.toString('latin1');
    if (isUsual === undefined && text.length < HEAD_CHARACTERS) {
      rest = text;
      continue;
    }
    isUsual ??= text.slice(0, HEAD_CHARACTERS).includes(USUAL_PREFIX);
    const found = isUsual ? cut(text, depth) : { kept: text, depth, rest: '' };
    ({ depth, rest } = found);
    if (found.kept !== '') yield Buffer.from(found.kept, 'latin1');
  }
  if (rest !== '') yield Buffer.from(depth > 0 ? cut(rest, depth).kept : rest, 'latin1');
}

/** `rest` is the beginning of a tag that continues in the next piece. */
function cut(text: string, openTables: number): { kept: string; depth: number; rest: string } {
  let depth = openTables;
  let kept = '';
  let from = 0;
  const last = text.lastIndexOf('<');
  const isCut = text.length - last < TAG_CHARACTERS && !text.includes('>', last) && last !== -1;
  const end = isCut ? last : text.length;
  for (const mark of text.slice(0, end).matchAll(MARK)) {
    if (mark[0] === '<!') throw new MustBeParsed();
    if (mark[1] === '/') {
      depth -= 1;
      if (depth === 0) from = mark.index;
      continue;
    }
    const close = tagEnd(text, mark.index);
    if (text[close - 1] === '/') continue;
    if (depth === 0) kept += text.slice(from, close + 1);
    depth += 1;
  }
  if (depth <= 0) kept += text.slice(from, end);
  return { kept, depth, rest: text.slice(end) };
}

/** The end of the tag that begins at `start`; a value may contain `>`. */
function tagEnd(text: string, start: number): number {
  let quote = '';
  for (let at = start; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (quote !== '') {
      if (character === quote) quote = '';
    } else if (character === '>') return at;
    else if (character === '"' || character === "'") quote = character;
  }
  throw new MustBeParsed();
}
