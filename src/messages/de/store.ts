import type { STORE } from '../params/store.ts';
import type { TextsOf } from '../texts.ts';

export const DE_STORE: TextsOf<typeof STORE> = {
  stored_unreadable: ({ what }) =>
    `Der Speicher enthält Daten (${what}), die diese Version nicht lesen kann.`,
  restore_store: () => 'Stelle eine Kopie des Speichers wieder her.',
  to_check_store: () => 'Zum Prüfen',
};
