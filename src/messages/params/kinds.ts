/** A kind of parameter; `params.ts` has its type. */
export type Kind =
  | 'count'
  | 'number'
  | 'ms'
  | 'time'
  | 'text'
  | 'texts'
  | 'field'
  | 'message'
  | 'messages'
  | 'yes';

/** Parameters of messages, by code and name. `text?` may be absent. */
export type Params = Record<string, Record<string, Kind | `${Kind}?`>>;
