/** Ids of items and collections: UUIDs (contract §4), any version, either case. */
import { message } from '../../messages/message.ts';
import { CastProblem, cut } from './cast.ts';

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** A UUID in either case; anything else is the problem `not_an_id`. */
export function castId(text: string): string | CastProblem {
  if (UUID.test(text)) return text;
  return new CastProblem('not_an_id', message('no_id', { text: cut(text) }), message('want_id', {}));
}
