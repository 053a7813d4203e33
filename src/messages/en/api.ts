import type { API } from '../params/api.ts';
import type { TextsOf } from '../texts.ts';

export const EN_API: TextsOf<typeof API> = {};
