/** Lists names that somebody may have meant. */
import { nearestOf } from '../../base/nearest.ts';
import { message } from '../../messages/message.ts';
import type { Message } from '../../messages/params.ts';

/** Up to this number, all names are listed. */
const FEW = 10;
const NEAREST = 3;

/** `a, b, c`; if there are many, only those most similar to the given name: `s1, s10, s100 and 9,997 others`. */
export function namesInWords(names: readonly string[], written: string): Message {
  const near = names.length <= FEW ? names : nearestOf(written, names, NEAREST);
  return message('names_and_others', { names: near, others: names.length - near.length });
}
