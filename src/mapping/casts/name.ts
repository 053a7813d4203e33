/** name: text of 1 to 255 characters (contract §8). */
import { message } from '../../messages/message.ts';
import { NAME_MAX } from '../../api/schemas.ts';
import type { Cell } from '../../sheets/cell.ts';
import { CastProblem } from './cast.ts';
import { castExactText, castText } from './text.ts';

/** Names: 1 to 255 code points (contract §8; the unit is our reading, see api/schemas.ts). */
export function castName(text: string, cell: Cell): string | CastProblem {
  return checkLength(text) ?? castText(text, cell);
}

/** A name in our own exports. */
export function castExactName(text: string): string | CastProblem {
  return checkLength(text) ?? castExactText(text);
}

function checkLength(text: string): CastProblem | undefined {
  if (text.length <= NAME_MAX) return undefined;
  const length = [...text].length;
  if (length <= NAME_MAX) return undefined;
  return new CastProblem(
    'too_long',
    message('has_characters', { length }),
    message('want_length', { most: NAME_MAX }),
  );
}
