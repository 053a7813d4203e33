/**
 * The bytes of a text file as UTF-8 bytes, which is what the parser works on.
 *
 * UTF-8 passes untouched and is only checked: turning it into strings and back costs a quarter of the whole
 * reading. Everything else goes through iconv-lite, piece by piece.
 */
import { isAscii, isUtf8 } from 'node:buffer';
import iconv from 'iconv-lite';
import { incompleteTail, type Sniffed } from './sniff.ts';

interface Piece {
  bytes: Buffer;
  /** False where the bytes are no valid UTF-8: some characters will read as U+FFFD. */
  valid: boolean;
}

export interface Decoder {
  /** `notes` receives what a person should know. */
  next(chunk: Buffer, notes: string[]): Piece;
  /** What is left when the file has ended. */
  end(): Piece;
}

export function createDecoder(sniffed: Sniffed): Decoder {
  return sniffed.encoding === 'utf-8' ? new Utf8Check(sniffed.ascii) : converter(sniffed.encoding);
}

function converter(encoding: string): Decoder {
  const decoder = iconv.getDecoder(encoding, { stripBOM: false });
  const piece = (text: string): Piece => ({ bytes: Buffer.from(text, 'utf8'), valid: true });
  return {
    next: (chunk) => piece(decoder.write(chunk)),
    end: () => piece(decoder.end() ?? ''),
  };
}

/**
 * Where everything so far was ASCII, the first bytes beyond it decide between UTF-8 and Windows-1252: a file
 * whose first accent comes after the sniffed head loses nothing.
 */
class Utf8Check implements Decoder {
  private ascii: boolean;
  private legacy: Decoder | undefined;
  /** The beginning of a character whose other bytes come with the next chunk. */
  private carry = Buffer.alloc(0);

  constructor(ascii: boolean) {
    this.ascii = ascii;
  }

  next(chunk: Buffer, notes: string[]): Piece {
    if (this.ascii && !isAscii(chunk)) {
      this.ascii = false;
      if (!isUtf8(chunk.subarray(0, chunk.length - incompleteTail(chunk)))) {
        this.legacy = converter('windows-1252');
        notes.push(
          'the first accents come late in the file and are not UTF-8: they are read as Windows-1252',
        );
      }
    }
    if (this.legacy !== undefined) return this.legacy.next(chunk, notes);
    const bytes = this.carry.length === 0 ? chunk : Buffer.concat([this.carry, chunk]);
    const tail = incompleteTail(bytes);
    this.carry = Buffer.from(bytes.subarray(bytes.length - tail));
    const whole = bytes.subarray(0, bytes.length - tail);
    return { bytes: whole, valid: isUtf8(whole) };
  }

  end(): Piece {
    return { bytes: this.carry, valid: this.carry.length === 0 };
  }
}
