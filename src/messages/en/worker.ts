import type { WORKER } from '../params/worker.ts';
import type { TextsOf } from '../texts.ts';

export const EN_WORKER: TextsOf<typeof WORKER> = {};
