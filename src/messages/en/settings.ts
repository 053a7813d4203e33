import type { SETTINGS } from '../params/settings.ts';
import type { TextsOf } from '../texts.ts';

export const EN_SETTINGS: TextsOf<typeof SETTINGS> = {};
