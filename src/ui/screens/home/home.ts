/** Screen 1, `/`: possible actions, jobs that wait for a person, and recent jobs. */
import { type DescribedJob, describeJob } from '../../jobs/describe.ts';
import type { Workspace } from '../../jobs/workspace.ts';
import { render } from '../../layout.ts';
import type { Ui, UiApp, Visitor } from '../../ui.ts';
import { TEXTS } from './texts.ts';
import { homeView } from './view.ts';

/** Older jobs are in the history. */
const JOBS_LOOKED_AT = 60;
const RECENT_SHOWN = 6;
const WAITING_SHOWN = 8;

export function homeScreen(app: UiApp, ui: Ui): void {
  app.get('/', async (c) => {
    const { visitor, workspace } = c.var;
    const jobs = await describeJobs(workspace, visitor, JOBS_LOOKED_AT);
    const uploads = (await ui.spool.list()).filter(({ job }) => job === undefined);
    const open = jobs.filter(({ tone }) => tone === 'open' || tone === 'running');
    const waiting = open.filter(isNewest).slice(0, WAITING_SHOWN);
    const recent = jobs.filter((job) => !waiting.includes(job)).slice(0, RECENT_SHOWN);
    const { title } = TEXTS[visitor.language];
    return render(c, { title, body: homeView(visitor, { waiting, recent, uploads }), menu: 'home' });
  });
}

/** Of several unsent plans for one file, only the newest is shown as waiting; the others are in the history. */
function isNewest(job: DescribedJob, at: number, jobs: readonly DescribedJob[]): boolean {
  return !job.isPlan || jobs.findIndex(({ isPlan, title }) => isPlan && title === job.title) === at;
}

/** Newest first. */
export async function describeJobs(
  { ledger }: Workspace,
  visitor: Visitor,
  limit: number,
): Promise<DescribedJob[]> {
  const described: DescribedJob[] = [];
  for (const job of await ledger.jobs.list(limit)) {
    const isOpen = job.state !== 'done' && job.state !== 'cancelled';
    const running = isOpen && (await ledger.lanes.runner(job.id)) !== undefined;
    described.push(await describeJob(job, ledger, running, visitor));
  }
  return described;
}
