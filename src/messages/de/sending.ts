import type { SENDING } from '../params/sending.ts';
import type { TextsOf } from '../texts.ts';
import { quoted } from './format.ts';

export const DE_SENDING: TextsOf<typeof SENDING> = {
  key_was_rewritten: ({ key, sent, stored }) =>
    `${key} wurde als ${quoted(sent)} gesendet, und der Server ${stored === '' ? 'behält es nicht' : `macht daraus ${quoted(stored)}`}`,
  key_lost_on_server: ({ what }, say) =>
    `${say(what)}: Ein späterer Import fände das Stück damit nicht. Der Job ist angehalten.`,
};
