/** What is left to mend of the jobs that were looked at last: counting it in a file of a million rows takes a while. */
import { findJudging } from '../../import/job/judging.ts';
import type { Mended } from '../../import/mend/remap.ts';
import { Standing } from '../../import/mend/standing.ts';
import type { JobRecord, Ledger } from '../../ledger/ledger.ts';

const MOST_KEPT = 4;

export class Standings {
  readonly #kept = new Map<string, { revision: number; standing: Standing }>();

  async of(job: JobRecord, ledger: Ledger): Promise<Standing> {
    const judging = await findJudging(job.id, ledger);
    const kept = this.#kept.get(job.id);
    // Rows that are sent change without being judged again.
    const isStill = job.state === 'planned' && job.firstSentAt === undefined && judging?.pending === false;
    if (kept !== undefined && isStill && kept.revision === judging.revision) return kept.standing;
    const standing = await Standing.read(job.id, ledger);
    this.#kept.delete(job.id);
    if (isStill) this.#kept.set(job.id, { revision: judging.revision, standing });
    for (const id of this.#kept.keys()) if (this.#kept.size > MOST_KEPT) this.#kept.delete(id);
    return standing;
  }

  /** After a correction in this process: what it has changed is known without reading all rows again. */
  replace(jobId: string, { revision, rows }: Mended): void {
    const kept = this.#kept.get(jobId);
    if (kept === undefined || rows === undefined || rows.length === 0) return;
    if (kept.revision !== revision - 1) return;
    kept.standing.replace(rows);
    kept.revision = revision;
  }
}
