/**
 * A set of ids at 16 bytes each. A million UUIDs take 23 MB here if that many are expected, and 110 MB as strings
 * in a Set.
 *
 * UUIDs are numbers (RFC 9562 §4: case does not matter), so they are kept and compared whole. Anything that is not
 * a UUID goes into a Set beside them.
 */
const LENGTH = 36;
const DASH = 0x2d;
/** Value of a hexadecimal digit by its UTF-16 code unit; NO_DIGIT for everything else. */
const DIGITS = new Uint8Array(0x10000);
const NO_DIGIT = 16;
DIGITS.fill(NO_DIGIT);
for (const digit of '0123456789abcdefABCDEF') DIGITS[digit.charCodeAt(0)] = Number.parseInt(digit, 16);
/** More than 16 bits: returned for four characters that are not all digits. */
const NO_NUMBER = 0x1_0000;
const WORDS = 4;
const FEWEST_SLOTS = 1024;
/** A server may report any count: room for more ids is made only once they arrive. */
const MAX_EXPECTED = 2_000_000;
/** Share of the slots that the expected ids fill, and the share at which the table grows. */
const EXPECTED_LOAD = 0.7;
const LARGEST_LOAD = 0.8;
const GROWTH = 1.5;

export class UuidSet {
  /** Slots of four words. A slot of zeros is free, so the nil UUID is kept in `#others`. */
  #slots: Int32Array<ArrayBuffer>;
  #count: number;
  #used = 0;
  readonly #others = new Set<string>();
  // The words of the id read last, as plain numbers: a typed array of four took twice as long.
  #a = 0;
  #b = 0;
  #c = 0;
  #d = 0;

  /** @param expected about how many ids there will be: while the set grows, it takes the memory of two */
  constructor(expected = 0) {
    this.#count = Math.max(FEWEST_SLOTS, Math.ceil(Math.min(expected, MAX_EXPECTED) / EXPECTED_LOAD));
    this.#slots = new Int32Array(this.#count * WORDS);
  }

  get size(): number {
    return this.#used + this.#others.size;
  }

  /** Returns false if the id was there before. */
  add(id: string): boolean {
    if (!this.#read(id)) {
      const { size } = this.#others;
      return this.#others.add(id).size > size;
    }
    const at = this.#find();
    if (this.#isUsed(at)) return false;
    this.#put(at);
    this.#used += 1;
    if (this.#used > this.#count * LARGEST_LOAD) this.#grow();
    return true;
  }

  /** Parses the id into the four words; false if it belongs in `#others`. */
  #read(id: string): boolean {
    if (id.length !== LENGTH || !hasDashes(id)) return false;
    const first = four(id, 0);
    const second = four(id, 4);
    const third = four(id, 9);
    const fourth = four(id, 14);
    const fifth = four(id, 19);
    const sixth = four(id, 24);
    const seventh = four(id, 28);
    const eighth = four(id, 32);
    const all = first | second | third | fourth | fifth | sixth | seventh | eighth;
    if (all === 0 || all >= NO_NUMBER) return false;
    this.#a = (first << 16) | second;
    this.#b = (third << 16) | fourth;
    this.#c = (fifth << 16) | sixth;
    this.#d = (seventh << 16) | eighth;
    return true;
  }

  /** Index of the slot that holds the words, or of the free slot where they belong. */
  #find(): number {
    const slots = this.#slots;
    const count = this.#count;
    const a = this.#a;
    const b = this.#b;
    const c = this.#c;
    const d = this.#d;
    // Version 7 begins with the time: only the random end spreads the ids.
    const hash = (Math.imul(a ^ b, 0x9e37_79b1) ^ Math.imul(c ^ d, 0x85eb_ca6b)) >>> 0;
    for (let slot = Math.floor((hash / 2 ** 32) * count); ; slot = slot + 1 === count ? 0 : slot + 1) {
      const at = slot * WORDS;
      if (slots[at] === a && slots[at + 1] === b && slots[at + 2] === c && slots[at + 3] === d) return at;
      if (!this.#isUsed(at)) return at;
    }
  }

  #isUsed(at: number): boolean {
    const slots = this.#slots;
    return ((slots[at] ?? 0) | (slots[at + 1] ?? 0) | (slots[at + 2] ?? 0) | (slots[at + 3] ?? 0)) !== 0;
  }

  #put(at: number): void {
    const slots = this.#slots;
    slots[at] = this.#a;
    slots[at + 1] = this.#b;
    slots[at + 2] = this.#c;
    slots[at + 3] = this.#d;
  }

  #grow(): void {
    const old = this.#slots;
    this.#count = Math.ceil(this.#count * GROWTH);
    this.#slots = new Int32Array(this.#count * WORDS);
    for (let at = 0; at < old.length; at += WORDS) {
      this.#a = old[at] ?? 0;
      this.#b = old[at + 1] ?? 0;
      this.#c = old[at + 2] ?? 0;
      this.#d = old[at + 3] ?? 0;
      if ((this.#a | this.#b | this.#c | this.#d) !== 0) this.#put(this.#find());
    }
  }
}

function hasDashes(id: string): boolean {
  return (
    id.charCodeAt(8) === DASH &&
    id.charCodeAt(13) === DASH &&
    id.charCodeAt(18) === DASH &&
    id.charCodeAt(23) === DASH
  );
}

/** Four digits as a number. */
function four(id: string, at: number): number {
  const a = DIGITS[id.charCodeAt(at)] ?? NO_DIGIT;
  const b = DIGITS[id.charCodeAt(at + 1)] ?? NO_DIGIT;
  const c = DIGITS[id.charCodeAt(at + 2)] ?? NO_DIGIT;
  const d = DIGITS[id.charCodeAt(at + 3)] ?? NO_DIGIT;
  return (a | b | c | d) >= NO_DIGIT ? NO_NUMBER : (a << 12) | (b << 8) | (c << 4) | d;
}
