/** The pass over a job's rows that judges all of them again that were never sent. Memory does not grow with them. */
import type { JobRecord, Lease, LedgerRow, NewRow } from '../../ledger/ledger.ts';
import type { JobDeps } from '../job/deps.ts';
import type { Judging } from '../job/judging.ts';
import { rowPages } from '../job/row-pages.ts';
import { isJudgedAgain, type Judge, type Verdict } from './judge.ts';

/** Rows per transaction. */
const BATCH = 5000;

/** Judges the rows again, in batches that each are committed: after a kill, it starts over. */
export async function judgeAgain(
  job: JobRecord,
  judging: Judging,
  judge: Judge,
  deps: JobDeps,
  lease: Lease,
): Promise<void> {
  const pass = new Pass(job, judging, judge, deps, lease);
  await pass.run();
  // The whole file may make ambiguous numbers clear.
  if (judge.resolveDecimals() && pass.sawAmbiguous) await new Pass(job, judging, judge, deps, lease).run();
}

/** A row of the file, with all rows that it has in the ledger. */
interface Group {
  first: LedgerRow;
  verdict: Verdict;
  /** Rows so far; also the next copy's number. */
  copies: number;
}

class Pass {
  sawAmbiguous = false;
  readonly #job: JobRecord;
  readonly #judging: Judging;
  readonly #judge: Judge;
  readonly #deps: JobDeps;
  readonly #lease: Lease;
  #batch: NewRow[] = [];
  /** Rows of the job. */
  #last = 0;

  constructor(job: JobRecord, judging: Judging, judge: Judge, deps: JobDeps, lease: Lease) {
    this.#job = job;
    this.#judging = judging;
    this.#judge = judge;
    this.#deps = deps;
    this.#lease = lease;
  }

  async run(): Promise<void> {
    const { ledger, signal, emit } = this.#deps;
    this.#last = await rowsOf(this.#job.id, this.#deps);
    const total = this.#judging.rows;
    const added = await this.#addedCopies();
    this.#judge.begin();
    let group: Group | undefined;
    let done = 0;
    for await (const page of rowPages(ledger, this.#job.id)) {
      signal.throwIfAborted();
      for (const row of page) {
        // Copies that were added later are judged with their first row.
        if (row.ordinal > total) break;
        if (row.copy === 0 || group === undefined) {
          if (group !== undefined) this.#end(group, added);
          const verdict = this.#judge.judge(row);
          this.sawAmbiguous ||= verdict.isAmbiguous;
          group = { first: row, verdict, copies: 0 };
        }
        if (isJudgedAgain(row)) this.#put(row, group);
        group.copies += 1;
        done += 1;
      }
      if (this.#batch.length >= BATCH) await this.#commit();
      emit({ type: 'judging', done, total });
      if ((page.at(-1)?.ordinal ?? 0) >= total) break;
    }
    if (group !== undefined) this.#end(group, added);
    await this.#commit();
  }

  /** Judges the copies that were added before, and adds those that are missing. */
  #end(group: Group, added: Map<string, LedgerRow[]>): void {
    for (const row of added.get(keyOf(group.first)) ?? []) {
      if (isJudgedAgain(row)) this.#put(row, group);
      group.copies += 1;
    }
    const { first, verdict } = group;
    for (let copy = group.copies; copy < verdict.copies; copy += 1) {
      this.#last += 1;
      const { sheetRow, sheet, source, kinds } = first;
      this.#batch.push({
        ordinal: this.#last,
        sheetRow,
        copy,
        itemId: null,
        source,
        ...(sheet === undefined ? {} : { sheet }),
        ...(kinds === undefined ? {} : { kinds }),
        ...verdict.row,
      });
    }
  }

  #put(row: LedgerRow, { verdict }: Group): void {
    const judged = replacement(row, verdict);
    if (isSame(row, judged)) return;
    const { ordinal, sheetRow, sheet, copy, source, kinds } = row;
    this.#batch.push({
      ordinal,
      sheetRow,
      copy,
      source,
      ...(sheet === undefined ? {} : { sheet }),
      ...(kinds === undefined ? {} : { kinds }),
      ...judged,
      itemId: null,
    });
  }

  async #commit(): Promise<void> {
    if (this.#batch.length > 0) await this.#deps.ledger.rows.rejudge(this.#job.id, this.#batch, this.#lease);
    this.#batch = [];
  }

  /** Copies that a later quantity added; few, as most quantities are known when the file is read. */
  async #addedCopies(): Promise<Map<string, LedgerRow[]>> {
    const added = new Map<string, LedgerRow[]>();
    if (this.#last === this.#judging.rows) return added;
    for await (const page of rowPages(this.#deps.ledger, this.#job.id, { after: this.#judging.rows })) {
      for (const row of page) {
        const key = keyOf(row);
        const light = { ...row, source: null };
        const same = added.get(key);
        if (same === undefined) added.set(key, [light]);
        else same.push(light);
      }
    }
    return added;
  }
}

function keyOf({ sheet, sheetRow }: LedgerRow): string {
  return `${sheetRow} ${sheet ?? ''}`;
}

async function rowsOf(jobId: string, { ledger }: JobDeps): Promise<number> {
  const { created: _, updated: __, plannedUpdates: ___, ...states } = await ledger.rows.counts(jobId);
  return Object.values(states).reduce((sum, count) => sum + count, 0);
}

/** What a row of the ledger becomes, one of the copies of its row in the file. */
export function replacement(row: LedgerRow, verdict: Verdict): Verdict['row'] {
  return row.copy < verdict.copies || verdict.row.state !== 'planned' ? verdict.row : surplus(verdict);
}

/** A copy beyond a quantity that was reduced: the row stays in the ledger, and is not sent. */
function surplus({ row, copies }: Verdict): Verdict['row'] {
  const message = `left out: the quantity is ${copies}`;
  return { ...row, state: 'skipped', input: null, issues: [{ code: 'skipped_by_rule', message }] };
}

/** A row that stays as it is costs no write. */
export function isSame(row: LedgerRow, judged: Verdict['row']): boolean {
  return (
    row.state === judged.state &&
    row.action === judged.action &&
    row.input === judged.input &&
    row.collection === judged.collection &&
    row.itemId === null &&
    JSON.stringify(row.issues) === JSON.stringify(judged.issues) &&
    JSON.stringify(row.notes ?? []) === JSON.stringify(judged.notes ?? [])
  );
}
