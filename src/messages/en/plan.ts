import type { PLAN } from '../params/plan.ts';
import type { TextsOf } from '../texts.ts';

export const EN_PLAN: TextsOf<typeof PLAN> = {};
