/** The parsers of what anybody may have written, each with spoiled input for it. */
import { ShelfliftError } from '../../src/base/errors.ts';
import type { Adversary } from './adversary.ts';
import { answers } from './answers.ts';
import { cells } from './cells.ts';
import { forms } from './forms.ts';
import { headers } from './headers.ts';
import { names } from './names.ts';
import { sheets } from './sheets.ts';
import { SHEETS, type SheetKind } from './spoiled-sheets.ts';
import { yaml } from './yaml.ts';

export const KINDS = [...SHEETS, 'yaml', 'headers', 'answers', 'names', 'forms', 'cells'] as const;
export type Kind = (typeof KINDS)[number];

/** @param folder an empty one, to write in */
export function openAdversary(kind: Kind, folder: string): Adversary | Promise<Adversary> {
  switch (kind) {
    case 'yaml':
      return yaml(folder);
    case 'headers':
      return headers();
    case 'answers':
      return answers();
    case 'names':
      return names(folder);
    case 'forms':
      return forms(folder);
    case 'cells':
      return cells();
    default:
      return sheets(kind satisfies SheetKind, folder);
  }
}

/** What reaches a person must say what to do, and neither move a terminal's cursor nor show what is inside. */
const SHOWS_INSIDE = /\[object \w+\]|\bundefined\b|\n\s+at .*:\d+:\d+|node:internal/;

/**
 * Returns what became of the input of this number: a word, or the code by which it was refused.
 *
 * @throws Error that names the input, where the parser fails in any other way than by an error for people
 */
export async function outcomeOf(kind: Kind, adversary: Adversary, number: number): Promise<string> {
  try {
    return await adversary.play(number);
  } catch (error) {
    if (error instanceof ShelfliftError && error.message !== '' && !SHOWS_INSIDE.test(error.message))
      return error.code;
    throw new Error(`${kind} ${number}: not an error for people`, { cause: error });
  }
}
