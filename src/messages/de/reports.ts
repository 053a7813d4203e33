import type { REPORTS } from '../params/reports.ts';
import type { TextsOf } from '../texts.ts';

export const DE_REPORTS: TextsOf<typeof REPORTS> = {};
