import type { PROGRAM } from '../params/program.ts';
import type { TextsOf } from '../texts.ts';

export const EN_PROGRAM: TextsOf<typeof PROGRAM> = {};
