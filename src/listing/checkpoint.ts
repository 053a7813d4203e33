/** The data that an interrupted reading needs to continue, besides the stored pages (see completeness-counter.ts). */
import { z } from 'zod';
import type { Head } from './completeness-counter.ts';

export const Checkpoint = z.object({
  /** The head of the list just before the first count. */
  head: z.object({
    ids: z.array(z.string()),
    /** ms; null if no time could be read. */
    latest: z.number().nullable(),
    bounded: z.boolean(),
  }),
  /** The first count. */
  before: z.int(),
  /** Latest time seen before the first count, ms. */
  since: z.number().nullable(),
  anchored: z.boolean(),
  /** The first page of the list, in order, that is not among the kept pages. */
  nextPage: z.int(),
});
export type Checkpoint = z.infer<typeof Checkpoint>;

export function headFrom({ head }: Checkpoint): Head {
  return { ids: new Set(head.ids), latest: head.latest ?? undefined, bounded: head.bounded };
}
