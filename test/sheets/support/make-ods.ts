/** OpenDocument spreadsheets, made by hand. */
import { makeZip, type PartContent } from './make-book.ts';

const OASIS = 'urn:oasis:names:tc:opendocument:xmlns';
const NAMESPACES = [
  ...['office', 'table', 'text', 'style', 'manifest'].map((name) => `xmlns:${name}="${OASIS}:${name}:1.0"`),
  `xmlns:number="${OASIS}:datastyle:1.0"`,
  `xmlns:draw="${OASIS}:drawing:1.0"`,
  'xmlns:dc="http://purl.org/dc/elements/1.1/"',
  'xmlns:calcext="urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0"',
].join(' ');

export interface OdsParts {
  /** XML inside `table:table`; a list gives several sheets, `Sheet1` and on. */
  sheets: string | string[];
  /** Names of the sheets' styles. */
  sheetStyles?: string[];
  /** XML inside `office:automatic-styles`. */
  styles?: string;
  /** XML inside `office:styles` of the part of common styles. */
  common?: string;
  /** XML before the first sheet. */
  before?: string;
  extra?: Record<string, PartContent>;
}

function body({ sheets, sheetStyles = [], before = '' }: OdsParts): string {
  const tables = [sheets]
    .flat()
    .map(
      (xml, index) =>
        `<table:table table:name="Sheet${index + 1}" table:style-name="${sheetStyles[index] ?? 'ta1'}">${xml}</table:table>`,
    );
  return `<office:body><office:spreadsheet>${before}${tables.join('')}</office:spreadsheet></office:body>`;
}

/** The part that holds the sheets. */
export function odsContent(parts: OdsParts): string {
  return `<office:document-content ${NAMESPACES}><office:automatic-styles>${parts.styles ?? ''}</office:automatic-styles>${body(parts)}</office:document-content>`;
}

/** A minimal spreadsheet. */
export function makeOds(parts: OdsParts): Buffer {
  return makeZip({
    mimetype: 'application/vnd.oasis.opendocument.spreadsheet',
    'META-INF/manifest.xml': `<manifest:manifest ${NAMESPACES}><manifest:file-entry manifest:full-path="content.xml"/></manifest:manifest>`,
    'styles.xml': `<office:document-styles ${NAMESPACES}><office:styles>${parts.common ?? ''}</office:styles></office:document-styles>`,
    'content.xml': odsContent(parts),
    ...parts.extra,
  });
}

/** The same as one XML file. */
export function makeFlatOds(parts: OdsParts): string {
  return `<?xml version="1.0"?>\n<office:document ${NAMESPACES}><office:styles>${parts.common ?? ''}</office:styles><office:automatic-styles>${parts.styles ?? ''}</office:automatic-styles>${body(parts)}</office:document>`;
}

/** A cell with a text. */
export function odsText(text: string, attributes = ''): string {
  return `<table:table-cell office:value-type="string" ${attributes}><text:p>${text}</text:p></table:table-cell>`;
}

export function odsNumber(value: number, attributes = ''): string {
  return `<table:table-cell office:value-type="float" office:value="${value}" ${attributes}><text:p>${value}</text:p></table:table-cell>`;
}

export function odsRow(cells: string, attributes = ''): string {
  return `<table:table-row ${attributes}>${cells}</table:table-row>`;
}
