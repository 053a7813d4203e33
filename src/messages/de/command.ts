import type { COMMAND } from '../params/command.ts';
import type { TextsOf } from '../texts.ts';

export const DE_COMMAND: TextsOf<typeof COMMAND> = {};
