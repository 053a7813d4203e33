/** The result of a comparison, in numbers and in words. */
import { basename } from 'node:path';
import { count, counted } from '../../counted.ts';
import type { JobRecord } from '../../ledger/ledger.ts';
import type { Comparison } from '../history/compare.ts';

export interface SentBefore {
  /** What is counted: with a quantity column, items. */
  unit: 'row' | 'item';
  /** Rows to create, before anything is decided. */
  planned: number;
  /** Of these, rows that were sent before, in all and by job. */
  sent: number;
  byJob: Map<string, number>;
  /** Of `sent`, rows that an earlier job has not sent yet, by job. */
  waiting: Map<string, number>;
  /** Rows whose identifier was sent before, with other values. */
  changed: number;
}

export async function countFindings(
  comparison: Comparison,
  { planned, unit }: Pick<SentBefore, 'planned' | 'unit'>,
): Promise<SentBefore> {
  const counts: SentBefore = { unit, planned, sent: 0, byJob: new Map(), waiting: new Map(), changed: 0 };
  const add = (to: Map<string, number>, job: string) => to.set(job, (to.get(job) ?? 0) + 1);
  for await (const findings of comparison.findings()) {
    for (const { as, earlier } of findings) {
      if (as === 'changed') counts.changed += 1;
      else {
        counts.sent += 1;
        add(counts.byJob, earlier.jobId);
        if (earlier.state === 'planned') add(counts.waiting, earlier.jobId);
      }
    }
  }
  return counts;
}

/** True if the file continues an earlier one: it has the same name, or one job has sent at least half of its rows. */
export function continuesEarlier(
  job: JobRecord,
  { planned, byJob }: SentBefore,
  { earlier }: Pick<Comparison, 'earlier'>,
): boolean {
  const nameOf = ({ source }: JobRecord) => basename(source.file);
  return [...byJob].some(([id, rows]) => {
    const other = earlier.get(id);
    return 2 * rows >= planned || (other !== undefined && nameOf(other) === nameOf(job));
  });
}

/** `840 of 870 rows were sent before (by job … of toys.csv); 30 are new` */
export function sentBeforeText(counts: SentBefore, { earlier }: Pick<Comparison, 'earlier'>): string {
  const { unit, planned, sent, byJob, waiting, changed } = counts;
  const [first, ...others] = [...byJob].sort(([, a], [, b]) => b - a);
  const [id, most] = first ?? ['', 0];
  const file = basename(earlier.get(id)?.source.file ?? '');
  const by =
    others.length === 0
      ? `by job ${id} of ${file}`
      : `${counted(most, unit)} by job ${id} of ${file}, the others by ${counted(others.length, 'other job')}`;
  const some =
    sent === planned ? `All ${counted(planned, unit)}` : `${count(sent)} of ${counted(planned, unit)}`;
  const fresh = planned - sent - changed;
  const parts = [
    `${some} ${sent === 1 ? 'was' : 'were'} sent before (${by})`,
    ...[...waiting].map(
      ([job, rows]) => `job ${job} has not sent ${count(rows)} of them yet (shelflift jobs resume ${job})`,
    ),
    ...(changed === 0 ? [] : [counted(changed, `${unit} has changed since`, `${unit}s have changed since`)]),
    fresh === 0 ? 'none is new' : counted(fresh, 'is new', 'are new'),
  ];
  return parts.join('; ');
}
