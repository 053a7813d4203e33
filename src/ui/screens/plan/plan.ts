/** Screen 6: the rows to send, in numbers and one by one. Its primary button sends them. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { agree } from '../../../import/gates/gates.ts';
import type { JobDeps } from '../../../import/job/deps.ts';
import { applyJob } from '../../../import/run.ts';
import { planReport } from '../../../import/review/plan-report.ts';
import { writePlanFile } from '../../../import/review/write-plan.ts';
import { toChangeRow } from '../../../import/review/change-rows.ts';
import { firstOfKind, PLAN_KINDS, type PlanKind, planCounts } from '../../../import/review/plan-view.ts';
import { UsageError } from '../../../base/errors.ts';
import { jobColumns } from '../../../import/correction/job-rows.ts';
import type { Consents } from '../../../ledger/job-parts.ts';
import type { JobRecord, Ledger } from '../../../ledger/ledger.ts';
import { cellsOf } from '../../../ledger/stored-row.ts';
import { waitingRows } from '../../decide/decide.ts';
import { offersOf } from '../../jobs/fill-down.ts';
import { discardPlan } from '../../jobs/discard.ts';
import { mendAndGo, refusalOf } from '../../jobs/mend.ts';
import { collectionsOf } from '../file/collection.ts';
import { outdatedPlan, pageInstead, versionOf } from '../../jobs/old-form.ts';
import { consentOf, isAsked } from '../../jobs/run.ts';
import { attachment } from '../../jobs/send-file.ts';
import type { Workspace } from '../../jobs/workspace.ts';
import { similarPairs } from './similar.ts';
import { compareWithItems } from '../../../import/similar/check-similar.ts';
import { render } from '../../layout.ts';
import type { Upload } from '../../spool.ts';
import type { Ui, UiApp, UiContext } from '../../ui.ts';
import { TEXTS } from './texts.ts';
import { type PlanData, planView } from './view.ts';
import { JOB_KINDS } from '../../../import/job/job-kinds.ts';

const ROWS_A_PAGE = 50;
/** Number of rows that the button `Send the first 20` sends. */
export const CANARY_ROWS = 20;

export function planScreen(app: UiApp, ui: Ui): void {
  app.get('/job/:id/plan', async (c) =>
    showPlan(c, await c.var.workspace.ledger.jobs.find(c.req.param('id')), ui),
  );
  app.post('/job/:id/send', async (c) => {
    const { workspace, form } = c.var;
    const { id } = await workspace.ledger.jobs.find(c.req.param('id'));
    const first = form.get('how') === 'first' ? CANARY_ROWS : undefined;
    const similar = (['skip', 'create'] as const).find((each) => each === form.get('similar'));
    const run = {
      ...workspace.waits,
      skipInvalid: true,
      ...(first === undefined ? {} : { first }),
      ...(similar === undefined ? {} : { similar }),
    };
    const sure = form.get('sure');
    let consent: Consents = {};
    const work = async (deps: JobDeps) => {
      if (sure !== null) await agree(id, consent, deps);
      return applyJob(id, deps, run);
    };
    const sent = await workspace.send(id, work, {
      first,
      asked: { similar, sure },
      unless: async () => {
        const job = await workspace.ledger.jobs.find(id);
        const instead = await pageInstead(job, form, workspace.ledger);
        if (instead !== undefined) return instead;
        const asked = consentOf(workspace.run(id), job);
        if (sure !== null && sure !== asked?.name) return outdatedPlan(job);
        if (asked !== undefined) ({ consent } = asked);
        return undefined;
      },
    });
    return c.redirect(typeof sent === 'string' ? sent : `/job/${id}/sending`, 303);
  });
  app.post('/job/:id/compare', async (c) => {
    const { workspace } = c.var;
    const { id } = await workspace.ledger.jobs.find(c.req.param('id'));
    await workspace.start(id, 'comparing', async (deps) => {
      await compareWithItems(await deps.ledger.jobs.find(id), deps);
      return undefined;
    });
    return c.redirect(`/job/${id}/sending`, 303);
  });
  app.post('/job/:id/collection', async (c) => {
    const { workspace, form } = c.var;
    const job = await workspace.ledger.jobs.find(c.req.param('id'));
    const value = form.get('collection') ?? '';
    const next = `/job/${job.id}/plan`;
    if (value === '') return c.redirect(next, 303);
    return mendAndGo(c, job, { changes: [{ type: 'default', field: 'collection', value }] }, next);
  });
  app.post('/job/:id/discard', async (c) => {
    const { id } = await c.var.workspace.ledger.jobs.find(c.req.param('id'));
    const upload = await uploadOf(id, ui);
    // The job was sent from another tab: shows the screen for its state.
    if (!(await discardPlan(id, c.var.workspace))) return c.redirect(`/job/${id}`, 303);
    if (upload !== undefined) await ui.spool.forgetJob(upload);
    return c.redirect('/', 303);
  });
  app.get('/job/:id/plan.xlsx', async (c) => {
    const { ledger, client } = c.var.workspace;
    const job = await ledger.jobs.find(c.req.param('id'));
    const name = `${basename(job.source.file)}.plan.xlsx`;
    // Not beside the source, where a reviewer may keep an earlier one.
    const folder = await mkdtemp(join(ui.folder, 'plan-'));
    try {
      const path = join(folder, 'plan.xlsx');
      await writePlanFile(job, { ledger, client }, path, {});
      const plan = await readFile(path);
      return c.body(new Uint8Array(plan), 200, attachment(name, plan.length));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
}

/** The file that a job was read from, if it still exists. */
export async function uploadOf(job: string, { spool }: Pick<Ui, 'spool'>): Promise<Upload | undefined> {
  return (await spool.list()).find((upload) => upload.job === job);
}

async function showPlan(c: UiContext, job: JobRecord, ui: Ui): Promise<Response> {
  const { visitor, workspace } = c.var;
  const run = workspace.run(job.id);
  if (run !== undefined && !run.isOver) return c.redirect(`/job/${job.id}/sending`, 303);
  const { ledger, client } = workspace;
  const { created, updated } = await ledger.rows.counts(job.id);
  const counts = await planCounts(job, ledger);
  const kind =
    PLAN_KINDS.find((each) => each === c.req.query('show')) ??
    PLAN_KINDS.find((each) => counts[each] > 0) ??
    'create';
  const after = Number(c.req.query('after') ?? '0');
  const question = isAsked(run, job) ? run?.outcome?.summary.error : undefined;
  const data: PlanData = {
    job,
    upload: (await uploadOf(job.id, ui))?.id,
    counts,
    kind,
    ...(await rowsOf(job, kind, Number.isSafeInteger(after) && after > 0 ? after : 0, workspace)),
    offers: await offersOf(job, ledger),
    nameAt: await namesAt(job, ledger),
    sent: created + updated,
    report: await planReport(job, ledger, client.limiter.knownRate, {}),
    earlier: await earlierOf(job, workspace),
    pairs: await similarPairs(job, workspace),
    waiting: await waitingRows(c, job),
    compared: run?.kind === 'comparing' && run.error === undefined,
    question: question ?? (run?.kind === 'sending' ? run.error : undefined) ?? refusalOf(workspace, job.id),
    sure: consentOf(run, job)?.name,
    first: run?.first,
    version: await versionOf(job, ledger),
    isOutdated: c.req.query('outdated') !== undefined,
    collections: canMove(job) ? await collectionsOf(workspace) : undefined,
  };
  const t = TEXTS[visitor.language];
  return render(c, {
    title: JOB_KINDS[job.kind].takesBack ? t.undoTitle : t.title,
    body: planView(visitor, data),
    wide: true,
  });
}

/** Place of the column of names among the stored cells, which have the order of the first table. */
async function namesAt(job: JobRecord, ledger: Ledger): Promise<number> {
  const columns = await jobColumns(job.id, ledger).catch((error: unknown) => {
    // A job of another kind has no table.
    if (error instanceof UsageError) return [];
    throw error;
  });
  const letter = columns.find(({ target }) => target === 'name')?.letter;
  return letter === undefined ? -1 : job.source.letters.indexOf(letter);
}

/** Whether new items can go to another collection: not once rows were sent. */
function canMove(job: JobRecord): boolean {
  return JOB_KINDS[job.kind].bringsTable && job.mode !== 'update' && job.firstSentAt === undefined;
}

async function rowsOf(
  job: JobRecord,
  kind: PlanKind,
  after: number,
  { ledger }: Workspace,
): Promise<Pick<PlanData, 'rows' | 'next'>> {
  const found = await firstOfKind(job, ledger, kind, ROWS_A_PAGE + 1, after);
  const shown = found.slice(0, ROWS_A_PAGE);
  const last = shown.at(-1)?.ordinal;
  return {
    rows: shown.map((row) => ({ ...toChangeRow(row), source: cellsOf(row) })),
    next: found.length > ROWS_A_PAGE ? last : undefined,
  };
}

/** The job that has already sent this file. */
async function earlierOf(job: JobRecord, { ledger }: Workspace): Promise<PlanData['earlier']> {
  if (job.fingerprint === undefined || job.mode !== 'create' || job.request.force) return undefined;
  const id = await ledger.jobs.claimant(job.fingerprint);
  if (id === undefined || id === job.id) return undefined;
  const earlier = await ledger.jobs.find(id);
  return { id, at: earlier.firstSentAt ?? earlier.createdAt };
}
