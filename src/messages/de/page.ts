import type { PAGE } from '../params/page.ts';
import type { TextsOf } from '../texts.ts';

export const DE_PAGE: TextsOf<typeof PAGE> = {};
