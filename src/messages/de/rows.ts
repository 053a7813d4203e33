import type { ROWS } from '../params/rows.ts';
import type { TextsOf } from '../texts.ts';

export const DE_ROWS: TextsOf<typeof ROWS> = {};
