/**
 * XML of a workbook's parts as events: names of the elements that belong to one vocabulary, which is the namespace of
 * the part's root (XLSX) or a list of namespaces (OpenDocument).
 *
 * Elements of other namespaces are left out with everything inside them. Extensions repeat names of the main
 * vocabulary: an `x15:workbookPr` is not the `workbookPr` that holds the date system. saxes runs without its own
 * namespace mode, which resolves every attribute and costs a third.
 */
import { StringDecoder } from 'node:string_decoder';
import type { Readable } from 'node:stream';
import iconv from 'iconv-lite';
import { SaxesParser } from 'saxes';
import { SheetError } from '../../base/errors.ts';
import { limitError, limits } from '../limits.ts';
import { packageError } from './package.ts';
import { byHand, message } from '../../messages/message.ts';

/** Namespaces, each with the prefix by which handlers know its elements and attributes, whatever the file writes. */
export type XmlVocabulary = ReadonlyMap<string, string>;

export interface XmlHandlers {
  /**
   * `name` is local, or begins with the vocabulary's prefix if there is one; so are the names of `attributes`,
   * which are as written without a vocabulary. `parent` is the enclosing element, '' for the root's.
   */
  open(name: string, attributes: Record<string, string>, parent: string): void;
  close(name: string): void;
  text(text: string): void;
}

/** The parser, as seen by a shortcut in front of it. */
export interface XmlSink {
  write(xml: string): void;
  /**
   * Whether the character written last, alone, ended a tag, after which the innermost open element is this one, right
   * below the root: the following text need not be parsed if it consists of whole elements of XML 1.0.
   */
  hasJustEndedTagIn(name: string): boolean;
}

/** Runs before the parser, and reads the parts that it can read faster. */
export interface XmlShortcut {
  feed(piece: string, parser: XmlSink): void;
  /** Passes on the text that was held back. */
  end(parser: XmlSink): void;
}

/** An attribute by its local name: `r:id`, `rel:id` and `id` are all `id`, the prefixed one first. */
export function prefixedAttribute(attributes: Record<string, string>, local: string): string | undefined {
  const suffix = `:${local}`;
  for (const name in attributes) if (name.endsWith(suffix)) return attributes[name];
  return attributes[local];
}

/** Which elements belong to the vocabulary, whatever their prefix (Namespaces in XML, 6). */
class Namespaces {
  private readonly vocabulary: XmlVocabulary | undefined;
  private readonly ownPrefixes: ReadonlySet<string>;
  /** The number of prefixes that mean a namespace other than the vocabulary's; 0 if all attributes are as expected. */
  private unusual = 0;
  /** Namespace of each prefix; '' is the default one. A declaration holds until its element ends. */
  private readonly namespaces = new Map<string, string>();
  private readonly bindings: { depth: number; prefix: string; before: string | undefined }[] = [];
  /** Name as written → name for handlers, null for another namespace; valid for the current bindings. */
  private readonly resolved = new Map<string, string | null>();
  private root: string | undefined;
  private depth = 0;
  /** Depth of the outermost element of another namespace that is open; 0 for none. */
  private foreign = 0;
  /** Names of the open elements, the root first. */
  private readonly names: string[] = [];

  constructor(vocabulary: XmlVocabulary | undefined) {
    this.vocabulary = vocabulary;
    this.ownPrefixes = new Set(vocabulary?.values());
  }

  /** The name of an element that begins; null for one of another namespace, or inside of one. */
  open(name: string, attributes: Record<string, string>): string | null {
    this.depth += 1;
    for (const attribute in attributes) {
      // Only an `x` can begin `xmlns`: attributes are many.
      if (attribute.charCodeAt(0) === 120) this.bind(attribute, attributes[attribute] ?? '');
    }
    if (this.foreign > 0) return null;
    let local = this.resolved.get(name);
    if (local === undefined) {
      local = this.resolve(name);
      this.resolved.set(name, local);
    }
    if (local === null) this.foreign = this.depth;
    else this.names.push(local);
    return local;
  }

  /** The name of the element that ends, as `open` returned it. */
  close(): string | null {
    const local = this.foreign > 0 ? null : (this.names.pop() ?? null);
    if (this.foreign === this.depth) this.foreign = 0;
    for (let last = this.bindings.at(-1); last?.depth === this.depth; last = this.bindings.at(-1)) {
      this.bindings.pop();
      this.set(last.prefix, last.before);
    }
    this.depth -= 1;
    return local;
  }

  /** The element around the one that has just begun; '' around the root. */
  get parent(): string {
    return this.names[this.names.length - 2] ?? '';
  }

  get isForeign(): boolean {
    return this.foreign > 0;
  }

  /** Whether the innermost open element is this one, right below the root. */
  isIn(name: string): boolean {
    return this.foreign === 0 && this.names.length === 2 && this.names[1] === name;
  }

  /** Attributes by the vocabulary's names; those of other namespaces may be left out. */
  attributes(attributes: Record<string, string>): Record<string, string> {
    if (this.unusual === 0) return attributes;
    const named: Record<string, string> = Object.create(null) as Record<string, string>;
    for (const name in attributes) {
      const colon = name.indexOf(':');
      const prefix = this.vocabulary?.get(this.namespaces.get(name.slice(0, colon)) ?? '');
      if (colon === -1) named[name] = attributes[name] ?? '';
      else if (prefix !== undefined) named[prefix + name.slice(colon)] = attributes[name] ?? '';
    }
    return named;
  }

  private resolve(name: string): string | null {
    const colon = name.indexOf(':');
    const namespace = this.namespaces.get(colon === -1 ? '' : name.slice(0, colon)) ?? '';
    const local = name.slice(colon + 1);
    if (this.vocabulary !== undefined) {
      const prefix = this.vocabulary.get(namespace);
      return prefix === undefined ? null : `${prefix}:${local}`;
    }
    this.root ??= namespace;
    return namespace === this.root ? local : null;
  }

  private set(prefix: string, namespace: string | undefined): void {
    if (this.isUnusual(prefix)) this.unusual -= 1;
    if (namespace === undefined) this.namespaces.delete(prefix);
    else this.namespaces.set(prefix, namespace);
    if (this.isUnusual(prefix)) this.unusual += 1;
    this.resolved.clear();
  }

  private isUnusual(prefix: string): boolean {
    const namespace = this.namespaces.get(prefix);
    if (namespace === undefined || prefix === '' || this.vocabulary === undefined) return false;
    const own = this.vocabulary.get(namespace);
    return own === undefined ? this.ownPrefixes.has(prefix) : own !== prefix;
  }

  private bind(attribute: string, namespace: string): void {
    if (attribute !== 'xmlns' && !attribute.startsWith('xmlns:')) return;
    const prefix = attribute.slice(6);
    this.bindings.push({ depth: this.depth, prefix, before: this.namespaces.get(prefix) });
    this.set(prefix, namespace);
  }
}

/** White space between two tags, in characters, that a program may plausibly write. */
const INDENTATION = 256;

/** The location of an XML part, for its errors. */
export interface XmlPlace {
  file: string;
  part: string;
}

/**
 * Feeds a part to the handlers; yields after each piece, so that the data that the handlers collected can be passed on.
 * Ending the iteration early closes the part.
 */
export async function* parseXml(
  stream: Readable,
  place: XmlPlace,
  handlers: XmlHandlers,
  { vocabulary, shortcut }: { vocabulary?: XmlVocabulary | undefined; shortcut?: XmlShortcut } = {},
): AsyncGenerator<void> {
  let sinceTag = 0;
  const parser = new SaxesParser({ xmlns: false, position: false });
  parser.on('doctype', (declaration) => {
    // OpenOffice 2 names a DTD, which is never read.
    if (!/<!ENTITY/iu.test(declaration)) return;
    throw new SheetError('limit_xml_entities', message('xml_entities', { part: place.part }), {
      position: { file: place.file },
      actions: [byHand('do_not_open', {})],
    });
  });
  const namespaces = new Namespaces(vocabulary);
  parser.on('opentag', (tag) => {
    sinceTag = 0;
    const name = namespaces.open(tag.name, tag.attributes);
    if (name !== null) handlers.open(name, namespaces.attributes(tag.attributes), namespaces.parent);
  });
  parser.on('closetag', () => {
    sinceTag = 0;
    const name = namespaces.close();
    if (name !== null) handlers.close(name);
  });
  let blank = 0;
  const text = (value: string) => {
    if (value.length > INDENTATION && value.trim() === '') {
      blank += value.length;
      if (blank > limits.xmlBlankCharacters) {
        throw limitError('xml_text', message('part_mostly_blank', { part: place.part }), place.file);
      }
    }
    if (!namespaces.isForeign) handlers.text(value);
  };
  parser.on('text', text);
  parser.on('cdata', text);
  parser.on('error', (cause) => {
    throw new SheetError('broken_xml', message('broken_xml', { part: place.part }), {
      cause,
      position: { file: place.file },
      actions: [byHand('let_program_repair', {})],
    });
  });
  const sink: XmlSink = {
    write(xml) {
      sinceTag += xml.length;
      parser.write(xml);
    },
    hasJustEndedTagIn: (name) => sinceTag === 0 && parser.xmlDecl.version !== '1.1' && namespaces.isIn(name),
  };
  let decode: ((chunk: Buffer) => string) | undefined;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      decode ??= decoderFor(chunk);
      const piece = decode(chunk);
      if (shortcut === undefined) sink.write(piece);
      else shortcut.feed(piece, sink);
      if (sinceTag > limits.xmlTextCharacters) {
        throw limitError('xml_text', message('part_text_too_long', { part: place.part }), place.file);
      }
      yield;
    }
    shortcut?.end(sink);
    parser.close();
    yield;
  } catch (cause) {
    throw packageError(place.file, cause);
  } finally {
    stream.destroy();
  }
}

/** The whole of a small part. */
export async function readXml(
  stream: Readable,
  place: XmlPlace,
  handlers: XmlHandlers,
  vocabulary?: XmlVocabulary,
): Promise<void> {
  const pieces = parseXml(stream, place, handlers, { vocabulary });
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
