/** The languages of mails. */
import { german } from '../../messages/german.ts';
import { english } from '../../messages/message.ts';
import type { Say } from '../../messages/texts.ts';

export const MAIL_LANGUAGES = ['en', 'de'] as const;
export type MailLanguage = (typeof MAIL_LANGUAGES)[number];

const SAY: Readonly<Record<MailLanguage, Say>> = { en: english, de: german };

export function sayIn(language: MailLanguage = 'en'): Say {
  return SAY[language];
}
