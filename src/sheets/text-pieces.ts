/**
 * Converts text to bytes in short pieces. A long piece falls out of the processor's cache (256 K characters took a third
 * more time), and from 64 K on it is a large object to V8, freed only by a full collection: a workbook of 300,000 rows
 * took 17 MB more.
 */

const PIECE_CHARACTERS = 16 * 1024;
/** UTF-8 of one UTF-16 code unit, at most. */
const MAX_BYTES = 3;

/** UTF-8 of the text that was added since the last call. */
export class TextPieces {
  readonly #size: number;
  /** Buffer, reserved before the number of a text's bytes is known: counting them took as long as writing them. */
  #bytes: Buffer;
  #used = 0;
  #text = '';

  /** @param fill approximate number of bytes at each `take` */
  constructor(fill: number) {
    this.#size = fill + 2 * MAX_BYTES * PIECE_CHARACTERS;
    this.#bytes = Buffer.allocUnsafe(this.#size);
  }

  /** Number of bytes that `take` would give; the last 16 K characters may be missing from it. */
  get bytes(): number {
    return this.#used;
  }

  /** @param text a complete text: a surrogate pair is not joined across two calls */
  add(text: string): void {
    this.#text += text;
    if (this.#text.length >= PIECE_CHARACTERS) this.#encode();
  }

  /** Returns all bytes, and starts again with none. */
  take(): Buffer {
    this.#encode();
    const taken = this.#bytes.subarray(0, this.#used);
    this.#bytes = Buffer.allocUnsafe(this.#size);
    this.#used = 0;
    return taken;
  }

  #encode(): void {
    const most = this.#used + this.#text.length * MAX_BYTES;
    if (most > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(2 * most);
      this.#bytes.copy(larger, 0, 0, this.#used);
      this.#bytes = larger;
    }
    this.#used += this.#bytes.write(this.#text, this.#used);
    this.#text = '';
  }
}
