/**
 * XML of a workbook's parts as events with local names.
 *
 * saxes without its namespace mode, which costs a third: prefixes are cut off here, as no part that is read has
 * two elements of one local name in different namespaces where it matters.
 */
import { StringDecoder } from 'node:string_decoder';
import type { Readable } from 'node:stream';
import iconv from 'iconv-lite';
import { SaxesParser } from 'saxes';
import { SheetError } from '../../errors.ts';
import { limitError, limits } from '../limits.ts';
import { packageError } from './package.ts';

export interface XmlHandlers {
  /** `attributes` by name as written, with prefix. */
  open(name: string, attributes: Record<string, string>): void;
  close(name: string): void;
  text(text: string): void;
}

/** The part's name without a prefix: `x:row` → `row`. */
function localName(name: string): string {
  const colon = name.indexOf(':');
  return colon === -1 ? name : name.slice(colon + 1);
}

/** An attribute by its local name: `r:id`, `rel:id` and `id` are all `id`, the prefixed one first. */
export function prefixedAttribute(attributes: Record<string, string>, local: string): string | undefined {
  const suffix = `:${local}`;
  for (const name in attributes) if (name.endsWith(suffix)) return attributes[name];
  return attributes[local];
}

/** Characters of white space between two tags that some program may really write. */
const INDENTATION = 256;

/** Where an XML part lies, for its errors. */
export interface XmlPlace {
  file: string;
  part: string;
}

/**
 * Feeds a part to the handlers; yields after each piece, so that what the handlers collected can be handed on.
 * Ending the iteration early closes the part.
 */
export async function* parseXml(
  stream: Readable,
  place: XmlPlace,
  handlers: XmlHandlers,
): AsyncGenerator<void> {
  let sinceTag = 0;
  const parser = new SaxesParser({ xmlns: false, position: false });
  parser.on('doctype', () => {
    throw new SheetError('limit_xml_entities', `Part "${place.part}" declares XML entities (DOCTYPE).`, {
      position: { file: place.file },
      remedy: 'No spreadsheet program writes such a file. Do not open it; ask whoever sent it.',
    });
  });
  parser.on('opentag', (tag) => {
    sinceTag = 0;
    handlers.open(localName(tag.name), tag.attributes);
  });
  parser.on('closetag', (tag) => {
    sinceTag = 0;
    handlers.close(localName(tag.name));
  });
  let blank = 0;
  const text = (value: string) => {
    if (value.length > INDENTATION && value.trim() === '') {
      blank += value.length;
      if (blank > limits.xmlBlankCharacters) {
        throw limitError('xml_text', `Part "${place.part}" is mostly white space.`, place.file);
      }
    }
    handlers.text(value);
  };
  parser.on('text', text);
  parser.on('cdata', text);
  parser.on('error', (cause) => {
    throw new SheetError('broken_xml', `Part "${place.part}" of the workbook is not well-formed XML.`, {
      cause,
      position: { file: place.file },
      remedy: 'Open it in a spreadsheet program, which may mend it, and save it again.',
    });
  });
  let decode: ((chunk: Buffer) => string) | undefined;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      decode ??= decoderFor(chunk);
      const piece = decode(chunk);
      sinceTag += piece.length;
      parser.write(piece);
      if (sinceTag > limits.xmlTextCharacters) {
        throw limitError(
          'xml_text',
          `Part "${place.part}" has a run of text longer than any cell.`,
          place.file,
        );
      }
      yield;
    }
    parser.close();
    yield;
  } catch (cause) {
    throw packageError(place.file, cause);
  } finally {
    stream.destroy();
  }
}

/** The whole of a small part. */
export async function readXml(stream: Readable, place: XmlPlace, handlers: XmlHandlers): Promise<void> {
  const pieces = parseXml(stream, place, handlers);
  while ((await pieces.next()).done !== true);
}

/** XML is UTF-8 unless it begins with a mark of UTF-16 (XML 1.0, 4.3.3). */
function decoderFor(head: Buffer): (chunk: Buffer) => string {
  const wide =
    head[0] === 0xff && head[1] === 0xfe
      ? 'utf-16le'
      : head[0] === 0xfe && head[1] === 0xff
        ? 'utf-16be'
        : undefined;
  if (wide !== undefined) {
    const decoder = iconv.getDecoder(wide);
    return (chunk) => decoder.write(chunk);
  }
  const decoder = new StringDecoder('utf8');
  return (chunk) => decoder.write(chunk);
}
