import type { API } from '../params/api.ts';
import type { TextsOf } from '../texts.ts';

export const DE_API: TextsOf<typeof API> = {};
