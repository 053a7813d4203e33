import type { EXPORTS } from '../params/exports.ts';
import type { TextsOf } from '../texts.ts';

export const DE_EXPORTS: TextsOf<typeof EXPORTS> = {};
