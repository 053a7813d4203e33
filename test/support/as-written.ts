import { message } from '../../src/messages/message.ts';
import type { Message } from '../../src/messages/params.ts';

/** What an error of a test says. */
export function asWritten(text: string): Message {
  return message('verbatim', { text });
}
