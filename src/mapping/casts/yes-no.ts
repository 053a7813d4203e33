/** Cells that say yes or no, as in lists that people tick off. */
import { message } from '../../messages/message.ts';
import { fold } from '../fold.ts';
import cells from '../words/cells.json' with { type: 'json' };
import { BLANK, type Cast, CastProblem, cut } from './cast.ts';

/** Words that say yes, folded. */
export const YES_WORDS: readonly string[] = cells.yes.map(fold);
/** Words that say no, folded. */
export const NO_WORDS: readonly string[] = cells.no.map(fold);

const answers: ReadonlyMap<string, boolean> = new Map([
  ...YES_WORDS.map((word) => [word, true] as const),
  ...NO_WORDS.map((word) => [word, false] as const),
]);

/** True for yes, false for no, undefined for anything else. Spreadsheet booleans and 1 and 0 count by their text. */
export function yesOrNo(text: string): boolean | undefined {
  // −1 and 1.0 are numbers.
  return answers.get(/\d/u.test(text) ? text.trim() : fold(text));
}

/** Compiles the cast: `yes` and `no` are the resulting values. */
export function yesNoCast(yes: unknown, no: unknown, isBlankWord: (text: string) => boolean): Cast {
  return (text) => {
    const answer = yesOrNo(text);
    if (answer !== undefined) return answer ? yes : no;
    return isBlankWord(text) ? BLANK : notYesOrNo(text);
  };
}

export function notYesOrNo(text: string): CastProblem {
  return new CastProblem(
    'not_yes_or_no',
    message('no_yes_or_no', { text: cut(text) }),
    message('want_answer', {}),
  );
}
