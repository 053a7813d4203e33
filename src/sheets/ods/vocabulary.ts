import type { XmlVocabulary } from '../workbook/xml.ts';

const OASIS = 'urn:oasis:names:tc:opendocument:xmlns';

/** Namespaces of OpenDocument 1.0 to 1.4 that matter for tables (part 3, 2.2), and LibreOffice's own for errors. */
export const OPEN_DOCUMENT: XmlVocabulary = new Map([
  [`${OASIS}:office:1.0`, 'office'],
  [`${OASIS}:table:1.0`, 'table'],
  [`${OASIS}:text:1.0`, 'text'],
  [`${OASIS}:style:1.0`, 'style'],
  [`${OASIS}:datastyle:1.0`, 'number'],
  [`${OASIS}:manifest:1.0`, 'manifest'],
  ['urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0', 'calcext'],
]);
