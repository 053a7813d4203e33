import type { STORE } from '../params/store.ts';
import type { TextsOf } from '../texts.ts';

export const EN_STORE: TextsOf<typeof STORE> = {};
