/** Spoils what was good, the same way each time. */

/** Whole numbers below what is asked for (mulberry32): the same ones again from the same seed. */
export function numbersOf(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** Changes a few bytes, or repeats, moves and removes some; or adds words that mean something to the parser. */
export function spoil(
  seed: Buffer,
  words: readonly (string | Uint8Array)[],
  random: (below: number) => number,
): Buffer {
  let bytes = Buffer.from(seed);
  for (let times = 1 + random(6); times > 0 && bytes.length > 0; times -= 1) {
    const at = random(bytes.length);
    const to = Math.min(bytes.length, at + 1 + random(40));
    const before = bytes.subarray(0, at);
    const after = bytes.subarray(at);
    switch (random(7)) {
      case 0:
        bytes[at] = random(256);
        break;
      case 1:
        bytes = Buffer.concat([before, bytes.subarray(to)]);
        break;
      case 2:
        bytes = Buffer.concat([before, Buffer.from((words[random(words.length)] ?? '') as string), after]);
        break;
      case 3:
        bytes = Buffer.concat([
          before,
          ...Array.from({ length: 1 + random(50) }, () => bytes.subarray(at, to)),
          after,
        ]);
        break;
      case 4:
        bytes = Buffer.from(before);
        break;
      case 5:
        bytes = Buffer.concat([after, before]);
        break;
      default:
        bytes = Buffer.concat([
          before,
          Buffer.from(Array.from({ length: random(30) }, () => random(256))),
          after,
        ]);
    }
  }
  return bytes;
}

/** A tree with other values in one to three places, or an entry under another name. */
export function withOtherValues(
  root: unknown,
  values: readonly unknown[],
  random: (below: number) => number,
): unknown {
  for (let times = 1 + random(3); times > 0; times -= 1) {
    let at = root as Record<string, unknown>;
    for (;;) {
      const keys = Object.keys(at);
      const key = keys[random(keys.length)];
      if (key === undefined) break;
      const inside = at[key];
      if (typeof inside === 'object' && inside !== null && !Object.isFrozen(inside) && random(3) > 0) {
        at = inside as Record<string, unknown>;
        continue;
      }
      if (random(4) === 0) at[['name', 'x', '__proto_', 'from', 'object', '0'][random(6)] as string] = inside;
      else at[key] = copied(values[random(values.length)]);
      break;
    }
  }
  return root;
}

/** Raw numbers (exact-json.ts) are frozen, and are themselves. */
function copied(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  if (Array.isArray(value)) return value.map(copied);
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, copied(each)]));
}
