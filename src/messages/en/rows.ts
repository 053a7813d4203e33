import type { ROWS } from '../params/rows.ts';
import type { TextsOf } from '../texts.ts';

export const EN_ROWS: TextsOf<typeof ROWS> = {};
