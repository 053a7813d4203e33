/**
 * The bytes of a text file as UTF-8 bytes, the input of the parser.
 *
 * UTF-8 passes untouched and is only checked: turning it into strings and back costs a quarter of the whole
 * reading. Everything else goes through iconv-lite, piece by piece.
 */
import { isAscii, isUtf8 } from 'node:buffer';
import iconv from 'iconv-lite';
import { message } from '../../messages/message.ts';
import type { Action, Message } from '../../messages/params.ts';
import { type Encoding, encodingName, incompleteTail, sniffOld, utf8Damage } from './sniff-encoding.ts';
import type { Sniffed } from './sniff.ts';

export interface Piece {
  /** UTF-8. */
  bytes: Buffer;
  /** False if some bytes are not valid in the encoding: they are read as U+FFFD. */
  valid: boolean;
  /** Byte of the file from which the piece comes. */
  fileByte: number;
  /** The encoding that the piece was converted from; undefined if its bytes are those of the file. */
  encoding: Encoding | undefined;
}

export interface Decoder {
  /** `notes` receives messages for a person. */
  next(chunk: Buffer, notes: Message[]): Piece;
  /** The rest, at the end of the file. */
  end(): Piece;
}

export function createDecoder(sniffed: Sniffed): Decoder {
  const { encoding, bomBytes } = sniffed;
  return encoding === 'utf-8'
    ? new Utf8Check(sniffed.ascii, bomBytes)
    : new Converter(sniffed.encoding, bomBytes);
}

class Converter implements Decoder {
  readonly encoding: Encoding;
  private readonly decoder: iconv.DecoderStream;
  /** Bytes of the file that were decoded. */
  private offset: number;

  constructor(encoding: Encoding, offset: number) {
    this.encoding = encoding;
    this.offset = offset;
    this.decoder = iconv.getDecoder(encoding, { stripBOM: false });
  }

  next(chunk: Buffer): Piece {
    const piece = this.piece(this.decoder.write(chunk));
    this.offset += chunk.length;
    return piece;
  }

  end(): Piece {
    return this.piece(this.decoder.end() ?? '');
  }

  private piece(text: string): Piece {
    const bytes = Buffer.from(text, 'utf8');
    return { bytes, valid: !text.includes('\uFFFD'), fileByte: this.offset, encoding: this.encoding };
  }
}

/**
 * While everything so far was ASCII, the first other bytes decide between UTF-8 and an old encoding, so a file whose
 * first accent comes after the sniffed head is still read correctly.
 */
class Utf8Check implements Decoder {
  private ascii: boolean;
  private old: Converter | undefined;
  private offset: number;
  /** The beginning of a character whose other bytes come with the next chunk. */
  private carry = Buffer.alloc(0);

  constructor(ascii: boolean, offset: number) {
    this.ascii = ascii;
    this.offset = offset;
  }

  next(chunk: Buffer, notes: Message[]): Piece {
    if (this.ascii && !isAscii(chunk)) {
      this.ascii = false;
      this.decide(chunk, notes);
    }
    if (this.old !== undefined) return this.old.next(chunk);
    const bytes = this.carry.length === 0 ? chunk : Buffer.concat([this.carry, chunk]);
    const fileByte = this.offset - this.carry.length;
    this.offset += chunk.length;
    const tail = incompleteTail(bytes);
    this.carry = Buffer.from(bytes.subarray(bytes.length - tail));
    const whole = bytes.subarray(0, bytes.length - tail);
    return { bytes: whole, valid: isUtf8(whole), fileByte, encoding: undefined };
  }

  end(): Piece {
    if (this.old !== undefined) return this.old.end();
    const fileByte = this.offset - this.carry.length;
    return { bytes: this.carry, valid: this.carry.length === 0, fileByte, encoding: undefined };
  }

  private decide(chunk: Buffer, notes: Message[]): void {
    if (isUtf8(chunk.subarray(0, chunk.length - incompleteTail(chunk))) || utf8Damage(chunk).isUtf8) return;
    const { encoding, sure, other } = sniffOld(
      chunk,
      chunk.findIndex((byte) => byte >= 0x80),
    );
    this.old = new Converter(encoding, this.offset);
    const actions = sure || other === undefined ? [] : [readAs(other)];
    notes.push(message('late_accents', { encoding: encodingName(encoding) }, ...actions));
  }
}

/** The action for a file whose letters suggest another encoding. */
export function readAs(encoding: Encoding): Action {
  const label = message('to_read_as', { encoding: encodingName(encoding) });
  return { do: 'setOption', option: 'encoding', value: encoding, label };
}
