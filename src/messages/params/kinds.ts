/** A kind of parameter; `params.ts` has its type. */
export type Kind =
  | 'count'
  | 'number'
  | 'ms'
  | 'time'
  | 'text'
  | 'texts'
  | 'foreign'
  | 'field'
  | 'message'
  | 'messages'
  | 'yes';

/** Names of parameters that explain something, so that a plain text in them would be a sentence of one language. */
type Explains = 'what' | 'why' | 'reason' | 'reasons' | 'problem' | 'problems' | 'detail';
type Explained = 'message' | 'messages' | 'foreign';

/** Parameters of messages, by code and name. `text?` may be absent. */
export type Params = Record<
  string,
  Record<string, Kind | `${Kind}?`> & { readonly [Name in Explains]?: Explained | `${Explained}?` }
>;
