import type { SENDING } from '../params/sending.ts';
import type { TextsOf } from '../texts.ts';
import { quoted } from './format.ts';

export const EN_SENDING: TextsOf<typeof SENDING> = {
  key_was_rewritten: ({ key, sent, stored }) =>
    `${key} was sent as ${quoted(sent)}, and the server ${stored === '' ? 'does not keep it' : `keeps it as ${quoted(stored)}`}`,
  key_lost_on_server: ({ what }, say) =>
    `${say(what)}: a later import would not find the item by it. The job is parked.`,
};
