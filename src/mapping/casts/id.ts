import { message } from '../../messages/message.ts';
import { isUuid } from '../../base/uuid.ts';
import { CastProblem, cut } from './cast.ts';

/** A UUID in either case; anything else is the problem `not_an_id`. */
export function castId(text: string): string | CastProblem {
  if (isUuid(text)) return text;
  return new CastProblem('not_an_id', message('no_id', { text: cut(text) }), message('want_id', {}));
}
