import type { PLAN } from '../params/plan.ts';
import type { TextsOf } from '../texts.ts';

export const DE_PLAN: TextsOf<typeof PLAN> = {};
