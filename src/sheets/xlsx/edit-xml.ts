/**
 * Edits the XML of a workbook's part as text: the rest stays byte for byte, including parts that this program does not
 * know. This is safe without a parser, because `<` always begins a tag if there are no comments and no CDATA sections.
 */

/** A part that is edited only if it is written as nearly all programs write it. */
export class UnusualXmlError extends Error {}

/** An element: `start` of its tag, `open` after its tag, `end` after its end tag. */
interface Element {
  start: number;
  open: number;
  end: number;
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });
/** From a `<` to the `>` that ends the tag; a value may contain a `>`. */
const TAG = /<[^"'<>]*(?:"[^"<]*"[^"'<>]*|'[^'<]*'[^"'<>]*)*>/y;

/** @throws UnusualXmlError for another encoding, a CDATA section or a document type */
export function partText(bytes: Uint8Array): string {
  let text: string;
  try {
    text = UTF8.decode(bytes);
  } catch {
    throw new UnusualXmlError('not UTF-8');
  }
  if (text.includes('<![CDATA[') || text.includes('<!DOCTYPE')) throw new UnusualXmlError('unusual XML');
  return withoutComments(text);
}

function withoutComments(text: string): string {
  const kept: string[] = [];
  let from = 0;
  for (let at = text.indexOf('<!--'); at >= 0; at = text.indexOf('<!--', from)) {
    const end = text.indexOf('-->', at);
    if (end < 0) throw new UnusualXmlError('a comment does not end');
    kept.push(text.slice(from, at));
    from = end + 3;
  }
  return from === 0 ? text : kept.join('') + text.slice(from);
}

/** The prefix that a document gives the elements of its root's namespace, with its colon; mostly ''. */
export function prefixOf(xml: string, root: string): string {
  const found = new RegExp(String.raw`<([\w-]+:)?${root}[\s/>]`, 'u').exec(xml);
  if (found === null) throw new UnusualXmlError(`no ${root}`);
  return found[1] ?? '';
}

/** The elements of a name, which never contain each other, between two places. */
export function* elements(
  xml: string,
  name: string,
  from = 0,
  to = xml.length,
): Generator<Element, void, undefined> {
  const mark = `<${name}`;
  for (let at = xml.indexOf(mark, from); at >= 0 && at < to; ) {
    const open = tagEnd(xml, at);
    if (!/[\s/>]/u.test(xml.charAt(at + mark.length))) {
      at = xml.indexOf(mark, open);
      continue;
    }
    let end = open;
    if (!isEmptyTag(xml, open)) {
      const close = xml.indexOf(`</${name}`, open);
      if (close < 0) throw new UnusualXmlError(`${name} does not end`);
      end = tagEnd(xml, close);
    }
    yield { start: at, open, end };
    at = xml.indexOf(mark, end);
  }
}

export function firstElement(xml: string, name: string): Element | undefined {
  return elements(xml, name).next().value ?? undefined;
}

/** Adds XML at the end of an element. */
export function append(xml: string, name: string, added: string): string {
  const found = firstElement(xml, name);
  if (found === undefined) throw new UnusualXmlError(`no ${name}`);
  if (found.open === found.end) {
    return `${xml.slice(0, found.open - 2)}>${added}</${name}>${xml.slice(found.end)}`;
  }
  const close = xml.lastIndexOf('</', found.end - 1);
  return xml.slice(0, close) + added + xml.slice(close);
}

/** The names of the elements right below the one whose tag ends at `open`, each with where it begins. */
export function* children(xml: string, open: number): Generator<{ name: string; start: number }> {
  for (let at = xml.indexOf('<', open), depth = 0; at >= 0; ) {
    const end = tagEnd(xml, at);
    if (xml.charAt(at + 1) === '/') {
      if (depth === 0) return;
      depth -= 1;
    } else {
      if (depth === 0) yield { name: /^[^\s/>]+/u.exec(xml.slice(at + 1, end))?.[0] ?? '', start: at };
      if (!isEmptyTag(xml, end)) depth += 1;
    }
    at = xml.indexOf('<', end);
  }
}

export function tagEnd(xml: string, at: number): number {
  TAG.lastIndex = at;
  if (!TAG.test(xml)) throw new UnusualXmlError('a tag does not end');
  return TAG.lastIndex;
}

function isEmptyTag(xml: string, end: number): boolean {
  return xml.charAt(end - 2) === '/';
}

export function attribute(tag: string, name: string): string | undefined {
  const found = attributePattern(name).exec(tag);
  return found?.[1] ?? found?.[2];
}

export function withAttribute(tag: string, name: string, value: string | number): string {
  const pattern = attributePattern(name);
  return pattern.test(tag)
    ? tag.replace(pattern, ` ${name}="${value}"`)
    : `${tag.slice(0, isEmptyTag(tag, tag.length) ? -2 : -1)} ${name}="${value}"${isEmptyTag(tag, tag.length) ? '/>' : '>'}`;
}

function attributePattern(name: string): RegExp {
  return new RegExp(String.raw`\s${name}\s*=\s*(?:"([^"]*)"|'([^']*)')`, 'u');
}

export function escapeXml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
