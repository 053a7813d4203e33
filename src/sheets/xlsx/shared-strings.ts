import type { Readable } from 'node:stream';
import { limitError, limits } from '../limits.ts';
import { decodeEscapes } from './escapes.ts';
import { readXml, type XmlPlace } from './xml.ts';

/**
 * The table of texts that cells refer to by index (ECMA-376 part 1, 18.4.9). The runs of rich text are joined;
 * phonetic runs (`rPh`, reading aids over Japanese text) are no part of the text.
 */
export async function readSharedStrings(stream: Readable, place: XmlPlace): Promise<string[]> {
  const strings: string[] = [];
  let text = '';
  let inText = false;
  let phonetic = 0;
  let characters = 0;
  const tooMany = (count: number | string) =>
    limitError(
      'shared_strings',
      `The workbook has ${count} shared strings; ${limits.sharedStrings} are read.`,
      place.file,
    );
  await readXml(stream, place, {
    open(name, attributes) {
      if (name === 't') inText = phonetic === 0;
      else if (name === 'rPh') phonetic += 1;
      else if (name === 'si') text = '';
      else if (name === 'sst') {
        const declared = Number(attributes['uniqueCount'] ?? 0);
        if (declared > limits.sharedStrings) throw tooMany(declared);
      }
    },
    text(value) {
      if (inText) text += value;
    },
    close(name) {
      if (name === 't') inText = false;
      else if (name === 'rPh') phonetic -= 1;
      else if (name === 'si') {
        strings.push(decodeEscapes(text));
        characters += text.length;
        if (strings.length > limits.sharedStrings) throw tooMany(`more than ${limits.sharedStrings}`);
        if (characters > limits.sharedStringCharacters) {
          throw limitError(
            'shared_string_size',
            'The shared strings of this workbook are larger than 256 MB.',
            place.file,
          );
        }
      }
    },
  });
  return strings;
}
