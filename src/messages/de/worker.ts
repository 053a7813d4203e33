import type { WORKER } from '../params/worker.ts';
import type { TextsOf } from '../texts.ts';

export const DE_WORKER: TextsOf<typeof WORKER> = {};
