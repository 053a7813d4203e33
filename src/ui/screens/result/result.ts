/** Screen 8: the result of a job; rows to decide; its files; and its undo. */
import { basename } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { Big } from 'big.js';
import { fieldsOfCreate } from '../../../import/engine/input.ts';
import type { JobDeps } from '../../../import/job/deps.ts';
import { rowPages } from '../../../import/job/row-pages.ts';
import { rowTotals } from '../../../import/job/row-totals.ts';
import { toChangeRow } from '../../../import/review/change-rows.ts';
import { streamResults, writeAgain } from '../../../import/results/results.ts';
import { notKept } from '../../../import/results/summary.ts';
import { undoJob } from '../../../import/run.ts';
import { createdWith, updateOf } from '../../../import/engine/operation.ts';
import type { JobRecord, Ledger } from '../../../ledger/ledger.ts';
import { cellsOf } from '../../../ledger/stored-row.ts';
import { message } from '../../../messages/message.ts';
import { hashFile } from '../../../sheets/hash-file.ts';
import { waitingRows } from '../../decide/decide.ts';
import { jobTitle } from '../../jobs/describe.ts';
import { versionOf } from '../../jobs/old-form.ts';
import { attachment, sendFile } from '../../jobs/send-file.ts';
import { render } from '../../layout.ts';
import { problem } from '../../problem.ts';
import type { Ui, UiApp, UiContext } from '../../ui.ts';
import { TEXTS } from './texts.ts';
import { DELETIONS_SHOWN, resultView, WRITTEN_SHOWN } from './view.ts';
import { JOB_KINDS } from '../../../import/job/job-kinds.ts';

const REFUSED_SHOWN = 25;

export function resultScreen(app: UiApp, _ui: Ui): void {
  app.get('/job/:id/result', async (c) =>
    showResult(c, await c.var.workspace.ledger.jobs.find(c.req.param('id'))),
  );
  app.post('/job/:id/undo', async (c) => {
    const { workspace, form } = c.var;
    const job = await workspace.ledger.jobs.find(c.req.param('id'));
    const ticked = form
      .getAll('row')
      .map(Number)
      .filter((row) => Number.isSafeInteger(row) && row > 0);
    if (form.get('some') === 'yes' && ticked.length === 0)
      return c.redirect(`/job/${job.id}/result#changed`, 303);
    const rows = ticked.length === 0 ? {} : { rows: ticked.map((row) => ({ from: row, to: row })) };
    const undo = (deps: JobDeps) => undoJob(job.id, deps, { dryRun: true, run: workspace.waits, ...rows });
    await workspace.start(job.id, 'undoing', undo, { asked: ticked });
    return c.redirect(`/job/${job.id}/sending`, 303);
  });
  app.get('/job/:id/files/:kind', async (c) => {
    const job = await c.var.workspace.ledger.jobs.find(c.req.param('id'));
    const kind = c.req.param('kind');
    if (kind === 'rejects' && job.prunedAt === undefined)
      await writeAgain(job, c.var.workspace.ledger, () => undefined, { which: 'rejects' });
    const { files } = await c.var.workspace.ledger.jobs.find(job.id);
    const file = Object.hasOwn(files, kind) ? files[kind] : undefined;
    if (file === undefined) return problem(c, 'notFound', 404);
    const name = basename(file.path);
    // Beside one source there is one results file: by now it may be that of another job.
    if (kind === 'results' && job.prunedAt === undefined && (await hashOf(file.path)) !== file.sha256)
      return c.body(resultsOf(job, c.var.workspace.ledger), 200, attachment(name));
    return sendFile(c, file.path, name);
  });
}

async function hashOf(file: string): Promise<string | undefined> {
  return hashFile(file).catch(() => undefined);
}

function resultsOf(job: JobRecord, ledger: Ledger): ReadableStream {
  const stream = new PassThrough();
  streamResults(job, ledger, stream).then(
    () => stream.end(),
    (error: Error) => stream.destroy(error),
  );
  return Readable.toWeb(stream) as ReadableStream;
}

/**
 * Items that the undone job had added: archived now, and to be deleted by a person. One more than is shown, if there are
 * more.
 */
async function deletionsOf(job: string, ledger: Ledger): Promise<{ id: string; name: string }[]> {
  const found: { id: string; name: string }[] = [];
  for await (const rows of rowPages(ledger, job, { states: ['done', 'unchanged'] })) {
    for (const row of rows) {
      const { item, ...update } = updateOf(row);
      if (createdWith(update) === undefined || row.itemId === null) continue;
      found.push({ id: row.itemId, name: item?.name ?? '' });
      if (found.length > DELETIONS_SHOWN) return found;
    }
  }
  return found;
}

/** If a job added more items, the page does not show their value, because adding it up would take too long. */
const MAX_ADDED_UP = 50_000;

/** Value of the items that a job has added, in their own currency; undefined if none has one. */
async function worthOf(job: string, ledger: Ledger): Promise<number | undefined> {
  let sum = new Big(0);
  for await (const rows of rowPages(ledger, job, { states: ['done'], actions: ['create'] }))
    for (const row of rows) {
      const value = fieldsOfCreate(row)['estimated_value'];
      if (typeof value === 'number') sum = sum.plus(value);
    }
  return sum.eq(0) ? undefined : sum.toNumber();
}

async function showResult(c: UiContext, job: JobRecord): Promise<Response> {
  const { visitor, workspace } = c.var;
  const { ledger } = workspace;
  const run = workspace.run(job.id);
  if (run !== undefined && !run.isOver) return c.redirect(`/job/${job.id}/sending`, 303);
  const counts = await ledger.rows.counts(job.id);
  const rows = async (state: 'refused' | 'done', limit: number, from = 0) =>
    (await ledger.rows.list(job.id, { states: [state], limit, after: from })).map((row) => ({
      ...toChangeRow(row),
      ordinal: row.ordinal,
      source: cellsOf(row),
    }));
  const asked = Number(c.req.query('after') ?? '0');
  const after = Number.isSafeInteger(asked) && asked > 0 ? asked : 0;
  const t = TEXTS[visitor.language];
  const body = resultView(visitor, {
    job,
    version: await versionOf(job, ledger),
    totals: rowTotals(counts),
    title: await jobTitle(job, ledger, visitor),
    worth: counts.created === 0 || counts.created > MAX_ADDED_UP ? undefined : await worthOf(job.id, ledger),
    waiting: await waitingRows(c, job),
    lost: (await notKept(job, ledger)).map((lost) => message('values_not_kept', lost)),
    written: await rows('done', WRITTEN_SHOWN + 1, after),
    toDelete: JOB_KINDS[job.kind].takesBack ? await deletionsOf(job.id, ledger) : [],
    refused: await rows('refused', REFUSED_SHOWN),
    failure:
      run?.error ?? run?.outcome?.unwritten ?? (job.state === 'parked_refused' ? job.error : undefined),
  });
  return render(c, { title: job.state === 'done' ? t.done : t.notDone, body, menu: 'history' });
}
