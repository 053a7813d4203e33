/**
 * A set of ids of 16 bytes each: a million UUIDs take 23 MB here, where that many are expected, and 110 MB as texts in
 * a Set.
 *
 * UUIDs are numbers (RFC 9562 §4: the case of their digits says nothing), so they are kept whole and compared
 * whole. Anything that is no UUID goes into a Set beside them.
 */
const LENGTH = 36;
const DASHES = [8, 13, 18, 23];
const DASH = 0x2d;
/** Value of a hexadecimal digit by its UTF-16 code unit; NO_DIGIT for everything else. */
const DIGITS = new Uint8Array(0x10000);
const NO_DIGIT = 16;
DIGITS.fill(NO_DIGIT);
for (const digit of '0123456789abcdefABCDEF') DIGITS[digit.charCodeAt(0)] = Number.parseInt(digit, 16);
const WORDS = 4;
const FEWEST_SLOTS = 1024;
/** What a server says of its list may be anything: room for more ids is made only once they are there. */
const MOST_EXPECTED = 2_000_000;
/** Share of the slots that the expected ids fill, and the one at which there are more slots. */
const EXPECTED_LOAD = 0.7;
const LARGEST_LOAD = 0.8;
const GROWTH = 1.5;

export class UuidSet {
  /** Slots of four words; a slot of zeros is free, and the nil UUID is kept in `#others`. */
  #slots: Uint32Array<ArrayBuffer>;
  #count: number;
  #used = 0;
  readonly #others = new Set<string>();
  readonly #key = new Uint32Array(WORDS);

  /** @param expected how many ids there will be, about: while it grows, it takes the memory of two */
  constructor(expected = 0) {
    this.#count = Math.max(FEWEST_SLOTS, Math.ceil(Math.min(expected, MOST_EXPECTED) / EXPECTED_LOAD));
    this.#slots = new Uint32Array(this.#count * WORDS);
  }

  get size(): number {
    return this.#used + this.#others.size;
  }

  /** False where it was there before. */
  add(id: string): boolean {
    if (!this.#read(id)) {
      const { size } = this.#others;
      return this.#others.add(id).size > size;
    }
    const slot = this.#find();
    if (this.#isUsed(slot)) return false;
    this.#slots.set(this.#key, slot * WORDS);
    this.#used += 1;
    if (this.#used > this.#count * LARGEST_LOAD) this.#grow();
    return true;
  }

  has(id: string): boolean {
    return this.#read(id) ? this.#isUsed(this.#find()) : this.#others.has(id);
  }

  /** Reads the id's digits into `#key`; false where it has to go into `#others`. */
  #read(id: string): boolean {
    if (id.length !== LENGTH) return false;
    const key = this.#key;
    let seen = 0;
    let word = 0;
    let digits = 0;
    for (let at = 0; at < LENGTH; at += 1) {
      const code = id.charCodeAt(at);
      if (DASHES.includes(at)) {
        if (code !== DASH) return false;
        continue;
      }
      const digit = DIGITS[code] ?? NO_DIGIT;
      seen |= digit;
      word = (word << 4) | digit;
      digits += 1;
      if (digits % 8 === 0) key[digits / 8 - 1] = word;
    }
    if (seen >= NO_DIGIT) return false;
    return ((key[0] ?? 0) | (key[1] ?? 0) | (key[2] ?? 0) | (key[3] ?? 0)) !== 0;
  }

  /** The slot of `#key`, or the free one where it belongs. */
  #find(): number {
    const [a = 0, b = 0, c = 0, d = 0] = this.#key;
    const slots = this.#slots;
    const count = this.#count;
    // Version 7 begins with the time: the random end has to tell where it goes.
    const hash = (Math.imul(a ^ b, 0x9e37_79b1) ^ Math.imul(c ^ d, 0x85eb_ca6b)) >>> 0;
    for (let slot = Math.floor((hash / 2 ** 32) * count); ; slot = slot + 1 === count ? 0 : slot + 1) {
      const at = slot * WORDS;
      if (slots[at] === a && slots[at + 1] === b && slots[at + 2] === c && slots[at + 3] === d) return slot;
      if (!this.#isUsed(slot)) return slot;
    }
  }

  #isUsed(slot: number): boolean {
    const at = slot * WORDS;
    const slots = this.#slots;
    return ((slots[at] ?? 0) | (slots[at + 1] ?? 0) | (slots[at + 2] ?? 0) | (slots[at + 3] ?? 0)) !== 0;
  }

  #grow(): void {
    const old = this.#slots;
    this.#count = Math.ceil(this.#count * GROWTH);
    this.#slots = new Uint32Array(this.#count * WORDS);
    for (let at = 0; at < old.length; at += WORDS) {
      this.#key.set(old.subarray(at, at + WORDS));
      if (this.#key.some((word) => word !== 0)) this.#slots.set(this.#key, this.#find() * WORDS);
    }
  }
}
