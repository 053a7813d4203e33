/** Screen 7: a job that is being sent, with its buttons. `/job/ID` leads to the screen for the state of the job. */
import { agreeToRewrittenKeys } from '../../../import/gates/gates.ts';
import type { JobDeps } from '../../../import/job/deps.ts';
import { cancelJob } from '../../../import/jobs/cancel-job.ts';
import { applyJob, resumeJob } from '../../../import/run.ts';
import type { JobRecord } from '../../../ledger/ledger.ts';
import { jobTitle } from '../../jobs/describe.ts';
import { hasGiven, pageInstead } from '../../jobs/old-form.ts';
import { progressEvents } from '../../jobs/progress.ts';
import { isAsked, type Run } from '../../jobs/run.ts';
import type { Workspace } from '../../jobs/workspace.ts';
import { render } from '../../layout.ts';
import type { Ui, UiApp } from '../../ui.ts';
import { RequestMeter } from '../../../api/meter.ts';
import { systemClock } from '../../../base/clock.ts';
import { TEXTS } from './texts.ts';
import { elsewhereView, sendingView } from './view.ts';

export function sendingScreen(app: UiApp, ui: Ui): void {
  app.get('/job/:id', async (c) => {
    const job = await c.var.workspace.ledger.jobs.find(c.req.param('id'));
    return c.redirect(await screenOf(job, c.var.workspace), 303);
  });
  app.get('/job/:id/sending', async (c) => {
    const { visitor, workspace } = c.var;
    const job = await workspace.ledger.jobs.find(c.req.param('id'));
    const t = TEXTS[visitor.language];
    const run = workspace.run(job.id);
    const title = t[
      run?.kind === 'undoing' || run?.kind === 'judging' || run?.kind === 'comparing' ? run.kind : 'sending'
    ](await jobTitle(job, workspace.ledger, visitor));
    if (run !== undefined && !run.isOver)
      return render(c, { title, body: sendingView(visitor, job, title, run) });
    if ((await workspace.ledger.lanes.runner(job.id)) !== undefined)
      return render(c, { title, body: elsewhereView(visitor, title) });
    return c.redirect(await screenOf(job, workspace), 303);
  });
  app.post('/job/:id/pause', async (c) => {
    const { workspace } = c.var;
    const job = await workspace.ledger.jobs.find(c.req.param('id'));
    const run = workspace.run(job.id);
    run?.stop();
    await run?.ended;
    return c.redirect(`/job/${job.id}/result`, 303);
  });
  app.post('/job/:id/stop', async (c) => {
    const { workspace } = c.var;
    const job = await workspace.ledger.jobs.find(c.req.param('id'));
    const run = workspace.run(job.id);
    run?.stop();
    await run?.ended;
    const { ledger } = workspace;
    await cancelJob(job.id, { ledger, meter: new RequestMeter(), clock: systemClock });
    return c.redirect(`/job/${job.id}/result`, 303);
  });
  app.post('/job/:id/resume', async (c) => {
    const { workspace, form } = c.var;
    const { ledger } = workspace;
    const job = await ledger.jobs.find(c.req.param('id'));
    const goOn = job.state === 'cancelled' || job.dryRun ? applyJob : resumeJob;
    const work = async (deps: JobDeps) => {
      // The button continues in spite of the reason.
      if (hasGiven('key_not_kept', job, form)) await agreeToRewrittenKeys(job, deps);
      return goOn(job.id, deps, { ...workspace.waits, skipInvalid: true });
    };
    const sent = await workspace.send(job.id, work, {
      asked: {},
      unless: async () => pageInstead(await ledger.jobs.find(job.id), form, ledger),
    });
    return c.redirect(typeof sent === 'string' ? sent : `/job/${job.id}/sending`, 303);
  });
  progressEvents(app, ui, '/job/:id/events', async (c, id, run) => {
    const { workspace } = c.var;
    return screenOf(await workspace.ledger.jobs.find(id), workspace, run);
  });
}

/** @param run that has just ended */
export async function screenOf(
  job: JobRecord,
  workspace: Workspace,
  run = workspace.run(job.id),
): Promise<string> {
  const to = (screen: string) => `/job/${job.id}/${screen}`;
  if (run !== undefined && !run.isOver) return to('sending');
  if ((await workspace.ledger.lanes.runner(job.id)) !== undefined) return to('sending');
  if (run !== undefined && run.kind === 'undoing') return undoScreen(run, to('result'));
  if (run?.kind === 'judging') return to('mend');
  if (run?.kind === 'comparing') return to('plan');
  if (
    isAsked(run, job) ||
    (job.firstSentAt === undefined && (job.state === 'planned' || job.state === 'paused'))
  )
    return to('plan');
  return to('result');
}

/** The plan of the undo, which is a job of its own. */
function undoScreen(run: Run, otherwise: string): string {
  const made = run.outcome?.summary.job;
  return made === undefined ? otherwise : `/job/${made}/plan`;
}
