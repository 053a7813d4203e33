/** The language of a terminal: from --language or the environment. Output for programs is English. */
import { english, message } from '../../messages/message.ts';
import type { Message } from '../../messages/params.ts';
import type { Say } from '../../messages/texts.ts';
import { plainLines } from './words.ts';

type Language = 'en' | 'de';

let speaking: Say = english;
let language: Language = 'en';

/** The text of a message in the language of this terminal. A file's or server's words cannot move its cursor. */
export function say(said: Message): string {
  return plainLines(speaking(said));
}

/** A warning after its label. */
export function warningText(warning: Message | string): string {
  return `${say(message('label_warning', {}))}: ${typeof warning === 'string' ? warning : say(warning)}`;
}

/** A line for each message, indented below the first. */
export function inLines(messages: readonly Message[]): string {
  return messages.map((each, index) => `${index === 0 ? '' : '  '}${say(each)}`).join('\n');
}

export async function speakIn(chosen: Language): Promise<void> {
  language = chosen;
  speaking = chosen === 'de' ? (await import('../../messages/german.ts')).german : english;
}

/** The language that this call speaks. */
export function spokenLanguage(): Language {
  return language;
}

/**
 * The language of a call.
 *
 * @param isTerminal whether the output goes to a terminal: pipes and logs are English, unless a language is given
 */
export function languageOf(
  given: Language | undefined,
  { LC_ALL, LC_MESSAGES, LANG }: Record<string, string | undefined>,
  isTerminal: boolean,
): Language {
  if (given !== undefined || !isTerminal) return given ?? 'en';
  const locale = [LC_ALL, LC_MESSAGES, LANG].find((each) => each !== undefined && each !== '') ?? '';
  return locale.toLowerCase().startsWith('de') ? 'de' : 'en';
}
