/**
 * A set of ids of 16 bytes each: a million UUIDs take 32 MB here and 110 MB as texts in a Set.
 *
 * UUIDs are numbers (RFC 9562 §4: the case of their digits says nothing), so they are kept whole and compared
 * whole. Anything that is no UUID goes into a Set beside them.
 */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const WORDS = 4;
const FIRST_SLOTS = 1024;

export class UuidSet {
  /** Slots of four words; a slot of zeros is free, and the nil UUID is kept in `#others`. */
  #slots = new Uint32Array(FIRST_SLOTS * WORDS);
  #mask = FIRST_SLOTS - 1;
  #used = 0;
  readonly #others = new Set<string>();
  readonly #key = new Uint32Array(WORDS);

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
    if (this.#used * 3 > (this.#mask + 1) * 2) this.#grow();
    return true;
  }

  has(id: string): boolean {
    return this.#read(id) ? this.#isUsed(this.#find()) : this.#others.has(id);
  }

  /** Reads the id's digits into `#key`; false where it has to go into `#others`. */
  #read(id: string): boolean {
    if (!UUID.test(id)) return false;
    const key = this.#key;
    key[0] = Number.parseInt(id.slice(0, 8), 16);
    key[1] = Number.parseInt(id.slice(9, 13) + id.slice(14, 18), 16);
    key[2] = Number.parseInt(id.slice(19, 23) + id.slice(24, 28), 16);
    key[3] = Number.parseInt(id.slice(28), 16);
    return (key[0] | key[1] | key[2] | key[3]) !== 0;
  }

  /** The slot of `#key`, or the free one where it belongs. */
  #find(): number {
    const [a = 0, b = 0, c = 0, d = 0] = this.#key;
    const slots = this.#slots;
    // Version 7 begins with the time: the random end has to tell where it goes.
    let slot = (Math.imul(a ^ b, 0x9e37_79b1) ^ Math.imul(c ^ d, 0x85eb_ca6b)) >>> 0;
    for (slot &= this.#mask; ; slot = (slot + 1) & this.#mask) {
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
    this.#mask = this.#mask * 2 + 1;
    this.#slots = new Uint32Array((this.#mask + 1) * WORDS);
    for (let at = 0; at < old.length; at += WORDS) {
      this.#key.set(old.subarray(at, at + WORDS));
      if (this.#key.some((word) => word !== 0)) this.#slots.set(this.#key, this.#find() * WORDS);
    }
  }
}
