import { byHand, message } from '../messages/message.ts';
import type { Action } from '../messages/params.ts';

/** The possible actions if something with that name already exists. */
export const REPLACE: readonly Action[] = [
  byHand('choose_other_name', {}),
  { do: 'setOption', option: 'yes', label: message('to_replace_it', {}) },
];
