/** Screen 8: what became of a job; rows to decide; its files; and the way to take it back. */
import { basename } from 'node:path';
import { parseResolution, resolveRow } from '../../../import/jobs/resolve-row.ts';
import { rowTotals } from '../../../import/results/row-totals.ts';
import { toChangeRow } from '../../../import/review/change-rows.ts';
import { writeResults } from '../../../import/results/results.ts';
import { undoJob } from '../../../import/run.ts';
import { RequestMeter } from '../../../api/meter.ts';
import type { JobRecord } from '../../../ledger/ledger.ts';
import { sendFile } from '../../jobs/send-file.ts';
import { render } from '../../layout.ts';
import { problem } from '../../problem.ts';
import type { Ui, UiApp, UiContext } from '../../ui.ts';
import { TEXTS } from './texts.ts';
import { resultView } from './view.ts';

const HELD_SHOWN = 25;
const REFUSED_SHOWN = 25;

export function resultScreen(app: UiApp, _ui: Ui): void {
  app.get('/job/:id/result', async (c) =>
    showResult(c, await c.var.workspace.ledger.jobs.find(c.req.param('id'))),
  );
  app.post('/job/:id/decide', async (c) => {
    const { workspace, form } = c.var;
    const { ledger, client } = workspace;
    const job = await ledger.jobs.find(c.req.param('id'));
    const sheet = form.get('sheet') ?? '';
    await resolveRow(
      job.id,
      Number(form.get('row')),
      parseResolution(form.get('as') ?? ''),
      { ledger, client, meter: new RequestMeter(), emit: () => undefined },
      ...(sheet === '' ? [] : [sheet]),
    );
    return c.redirect(`/job/${job.id}/result#held`, 303);
  });
  app.post('/job/:id/undo', async (c) => {
    const { workspace } = c.var;
    const job = await workspace.ledger.jobs.find(c.req.param('id'));
    workspace.start(job.id, 'undoing', (deps) => undoJob(job.id, deps, { dryRun: true }));
    return c.redirect(`/job/${job.id}/sending`, 303);
  });
  app.get('/job/:id/files/:kind', async (c) => {
    const job = await c.var.workspace.ledger.jobs.find(c.req.param('id'));
    const kind = c.req.param('kind');
    if (kind === 'rejects') await writeResults(job, c.var.workspace.ledger, () => undefined, 'rejects');
    const { files } = await c.var.workspace.ledger.jobs.find(job.id);
    const file = Object.hasOwn(files, kind) ? files[kind] : undefined;
    return file === undefined ? problem(c, 'notFound', 404) : sendFile(c, file.path, basename(file.path));
  });
}

async function showResult(c: UiContext, job: JobRecord): Promise<Response> {
  const { visitor, workspace } = c.var;
  const { ledger } = workspace;
  const run = workspace.run(job.id);
  if (run !== undefined && !run.isOver) return c.redirect(`/job/${job.id}/sending`, 303);
  const counts = await ledger.rows.counts(job.id);
  const rows = async (state: 'held' | 'refused', limit: number) =>
    (await ledger.rows.list(job.id, { states: [state], limit })).map((row) => ({
      ...toChangeRow(row),
      source: JSON.parse(row.source ?? '[]') as string[],
    }));
  const t = TEXTS[visitor.language];
  const body = resultView(visitor, {
    job,
    totals: rowTotals(counts),
    held: await rows('held', HELD_SHOWN),
    refused: await rows('refused', REFUSED_SHOWN),
    failure: run?.error?.message ?? run?.outcome?.unwritten?.message,
  });
  return render(c, { title: job.state === 'done' ? t.done : t.notDone, body, menu: 'history' });
}
