/**
 * The plan stage: resolves collections, compares updates with the current items, and gives the job its fingerprint.
 * Nothing is written to the API.
 */
import { createHash } from 'node:crypto';
import { JobCancelledError, type JobRecord } from '../../ledger/ledger.ts';
import type { Collection } from '../../api/schemas.ts';
import { checkCurrency } from './check-currency.ts';
import { loadCollections } from '../../api/load-collections.ts';
import { resolveCollections } from '../items/collections.ts';
import type { JobDeps } from '../job/deps.ts';
import { PLANNERS } from './planners.ts';
import { markSimilar } from '../similar/check-similar.ts';

/**
 * Plans a staged job; may be called again after a kill.
 *
 * @returns the job with its plan
 * @throws JobCancelledError if somebody has cancelled it meanwhile
 */
export async function planJob(job: JobRecord, deps: JobDeps): Promise<JobRecord> {
  const { client, ledger, signal, emit } = deps;
  const collections = deps.collections ?? (await loadCollections(client, signal));
  const resolved = await resolveCollections(job, ledger, collections, emit);
  job.collections =
    job.firstSentAt === undefined ? resolved : { ...job.collections, ...resolved, ...kept(job, collections) };
  if (job.plan.kept !== undefined)
    job.plan = { ...job.plan, intoPublic: isPublic(job.collections, collections) };
  // An interrupted plan has already left rows unchanged, based on readings that are no longer known.
  const isBegun = (await ledger.rows.counts(job.id)).unchanged > 0;
  const earlier = job.plan.accounted ?? (isBegun ? 0 : Number.POSITIVE_INFINITY);
  const facts = await PLANNERS[job.kind].plan(job, deps);
  const accounted = Math.min(earlier, deps.readings?.accounted ?? 0);
  job.plan = { ...job.plan, ...facts, ...(Number.isFinite(accounted) ? { accounted } : {}) };
  await checkCurrency(job, deps);
  if (job.request.checkSimilar === true) {
    job.plan = { ...job.plan, similar: await markSimilar(job, deps) };
  }
  // A job keeps its claim on the file, however its rows are mended.
  job.fingerprint ??= fingerprintOf(job);
  const { plan, fingerprint } = job;
  const state = await ledger.jobs.update(job.id, {
    state: 'planned',
    error: null,
    collections: job.collections,
    plan,
    fingerprint,
  });
  if (state === 'cancelled') throw new JobCancelledError(job.id);
  return ledger.jobs.find(job.id);
}

/** For a job that has sent rows: the collections that the rows went to, except removed ones. */
function kept({ collections: used }: JobRecord, collections: Collection[] | undefined): typeof used {
  if (collections === undefined) return used;
  const there = new Set(collections.map(({ id }) => id.toLowerCase()));
  return Object.fromEntries(Object.entries(used).filter(([, id]) => there.has(id.toLowerCase())));
}

/** True if unknown. */
function isPublic(used: JobRecord['collections'], collections: Collection[] | undefined): boolean {
  if (collections === undefined) return true;
  const ids = new Set(Object.values(used).map((id) => id.toLowerCase()));
  return collections.some((each) => each.is_public && ids.has(each.id.toLowerCase()));
}

/** Equal for imports with the same content, template, options, address and collections (design §2, Jobs). */
function fingerprintOf(job: JobRecord): string {
  const parts = [
    job.kind,
    job.mode,
    job.source.sha256,
    job.request.mappingHash,
    job.apiUrl,
    Object.entries(job.collections).sort(([a], [b]) => (a < b ? -1 : 1)),
  ];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
