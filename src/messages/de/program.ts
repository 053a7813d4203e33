import type { PROGRAM } from '../params/program.ts';
import type { TextsOf } from '../texts.ts';

export const DE_PROGRAM: TextsOf<typeof PROGRAM> = {};
