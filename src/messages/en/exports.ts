import type { EXPORTS } from '../params/exports.ts';
import type { TextsOf } from '../texts.ts';

export const EN_EXPORTS: TextsOf<typeof EXPORTS> = {};
