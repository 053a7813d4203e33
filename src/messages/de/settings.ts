import type { SETTINGS } from '../params/settings.ts';
import type { TextsOf } from '../texts.ts';

export const DE_SETTINGS: TextsOf<typeof SETTINGS> = {};
