import type { PAGE } from '../params/page.ts';
import type { TextsOf } from '../texts.ts';

export const EN_PAGE: TextsOf<typeof PAGE> = {};
