/**
 * The bytes of a text file as UTF-8 bytes, which is what the parser works on.
 *
 * UTF-8 passes untouched and is only checked: turning it into strings and back costs a quarter of the whole
 * reading. Everything else goes through iconv-lite, piece by piece.
 */
import { isAscii, isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import iconv from 'iconv-lite';
import { incompleteTail, type Sniffed } from './sniff.ts';

export interface Piece {
  bytes: Buffer;
  /** False where the bytes are no valid UTF-8: some characters will read as U+FFFD. */
  valid: boolean;
}

/** 64 KB: larger pieces made the parser slower, not faster (4.7 s against 4.5 s a million rows). */
const PIECE_BYTES = 64 * 1024;

export async function* decode(
  file: string,
  sniffed: Sniffed,
  notes: string[],
  signal?: AbortSignal,
): AsyncGenerator<Piece, void, undefined> {
  const stream = createReadStream(file, {
    start: sniffed.bomBytes,
    highWaterMark: PIECE_BYTES,
    ...(signal === undefined ? {} : { signal }),
  }) as AsyncIterable<Buffer>;
  if (sniffed.encoding === 'utf-8') yield* checkUtf8(stream, sniffed, notes);
  else yield* convert(stream, sniffed.encoding);
}

async function* convert(stream: AsyncIterable<Buffer>, encoding: string): AsyncGenerator<Piece> {
  const decoder = iconv.getDecoder(encoding, { stripBOM: false });
  for await (const chunk of stream) {
    yield { bytes: Buffer.from(decoder.write(chunk), 'utf8'), valid: true };
  }
  const rest = decoder.end();
  if (rest !== undefined && rest !== '') yield { bytes: Buffer.from(rest, 'utf8'), valid: true };
}

/**
 * Where everything so far was ASCII, the first bytes beyond it decide between UTF-8 and Windows-1252: a file
 * whose first accent comes after the sniffed head loses nothing.
 */
async function* checkUtf8(
  stream: AsyncIterable<Buffer>,
  sniffed: Sniffed,
  notes: string[],
): AsyncGenerator<Piece> {
  let ascii = sniffed.ascii;
  let legacy = false;
  let carry = Buffer.alloc(0);
  for await (const chunk of stream) {
    if (ascii && !isAscii(chunk)) {
      ascii = false;
      legacy = !isUtf8(chunk.subarray(0, chunk.length - incompleteTail(chunk)));
      if (legacy)
        notes.push('the first accents come late in the file and are not UTF-8: read as Windows-1252');
    }
    if (legacy) {
      yield { bytes: Buffer.from(iconv.decode(chunk, 'windows-1252'), 'utf8'), valid: true };
      continue;
    }
    const bytes = carry.length === 0 ? chunk : Buffer.concat([carry, chunk]);
    const tail = incompleteTail(bytes);
    const whole = bytes.subarray(0, bytes.length - tail);
    carry = Buffer.from(bytes.subarray(bytes.length - tail));
    yield { bytes: whole, valid: isUtf8(whole) };
  }
  if (carry.length > 0) yield { bytes: carry, valid: false };
}
