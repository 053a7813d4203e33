import type { STORE } from '../params/store.ts';
import type { TextsOf } from '../texts.ts';

export const EN_STORE: TextsOf<typeof STORE> = {
  stored_unreadable: ({ what }) => `The store has ${what} that this version cannot read.`,
  restore_store: () => 'Restore a copy of the store.',
  to_check_store: () => 'To look at it',
};
