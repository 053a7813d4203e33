import type { Readable } from 'node:stream';
import { SharedStrings } from '../workbook/shared-strings.ts';
import { decodeEscapes } from './escapes.ts';
import { readXml, type XmlPlace } from '../workbook/xml.ts';

/**
 * The table of texts that cells refer to by index (ECMA-376 part 1, 18.4.9). The runs of rich text are joined;
 * phonetic runs (`rPh`, reading aids over Japanese text) are not part of the text.
 */
export async function readSharedStrings(stream: Readable, place: XmlPlace): Promise<SharedStrings> {
  const strings = new SharedStrings(place.file);
  let text = '';
  let inText = false;
  let phonetic = 0;
  await readXml(stream, place, {
    open(name, attributes) {
      if (name === 't') inText = phonetic === 0;
      else if (name === 'rPh') phonetic += 1;
      else if (name === 'si') text = '';
      else if (name === 'sst') strings.expect(Number(attributes['uniqueCount'] ?? 0));
    },
    text(value) {
      if (inText) text += value;
    },
    close(name) {
      if (name === 't') inText = false;
      else if (name === 'rPh') phonetic -= 1;
      else if (name === 'si') strings.add(decodeEscapes(text));
    },
  });
  return strings;
}
