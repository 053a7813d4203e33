/**
 * Screen 12: schedules and watched folders of shelflift.yaml, created here or by hand; a worker runs
 * them.
 */
import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { ShelfliftError } from '../../../base/errors.ts';
import type { Ledger } from '../../../ledger/ledger.ts';
import { configText, type ReadConfig, readWorkerConfig } from '../../../worker/config/read-config.ts';
import { openQueue } from '../../../worker/queue/open-queue.ts';
import { fileOf, type Run } from '../../../worker/queue/run.ts';
import { Runs } from '../../../worker/queue/runs.ts';
import { hasWorker } from '../../../worker/queue/workers.ts';
import { reviveRun } from '../../../worker/revive.ts';
import { nextFire } from '../../../worker/schedule/fire-times.ts';
import { manualRun, Schedules } from '../../../worker/schedule/schedules.ts';
import { sendFile } from '../../jobs/send-file.ts';
import { render } from '../../layout.ts';
import { problem } from '../../problem.ts';
import type { Ui, UiApp, UiContext } from '../../ui.ts';
import { collectionsOf } from '../file/collection.ts';
import { addTask, checksOf, ownTimeZone } from './add-task.ts';
import { TEXTS } from './texts.ts';
import {
  type AutomaticData,
  automaticView,
  type ShownFolder,
  type ShownRun,
  type ShownSchedule,
} from './view.ts';

export function automaticScreen(app: UiApp, ui: Ui): void {
  app.get('/automatic', async (c) => {
    const isAsked = c.req.query('check') === 'yes' && existsSync(ui.configFile);
    return show(c, ui, isAsked ? { checks: await checksOf(ui) } : {});
  });
  app.post('/automatic/add', async (c) => {
    try {
      const missing = await addTask(c.var.form, c.var.workspace, ui);
      if (missing !== undefined) return await show(c, ui, { refusal: missing });
    } catch (error) {
      if (error instanceof ShelfliftError) return show(c, ui, { refusal: error });
      throw error;
    }
    return c.redirect('/automatic?check=yes#file', 303);
  });
  app.post('/automatic/schedules/:name/:what', async (c) => {
    const { ledger } = c.var.workspace;
    const { config } = configOf(ui);
    const name = c.req.param('name');
    const schedule =
      config !== undefined && Object.hasOwn(config.schedules, name) ? config.schedules[name] : undefined;
    const what = c.req.param('what');
    if (schedule !== undefined && (what === 'pause' || what === 'resume'))
      await new Schedules(ledger).setPaused(name, schedule, what === 'pause', Date.now());
    if (schedule !== undefined && what === 'run') {
      const run = manualRun(name, schedule, Date.now());
      await using queue = await openQueue(ledger);
      await queue.enqueue(run, new Runs(ledger));
    }
    return c.redirect('/automatic', 303);
  });
  app.post('/automatic/runs/:id/retry', async (c) => {
    const { ledger } = c.var.workspace;
    await using queue = await openQueue(ledger);
    try {
      await reviveRun(c.req.param('id'), { ledger, queue, now: Date.now() });
    } catch (error) {
      if (error instanceof ShelfliftError) return problem(c, error, 422);
      throw error;
    }
    return c.redirect('/automatic#runs', 303);
  });
  app.get('/automatic/runs/:id/files/:at', async (c) => {
    const run = await new Runs(c.var.workspace.ledger).get(c.req.param('id'));
    // The path comes from the store; the browser sends only the number of the file.
    const file = run?.files?.[Number(c.req.param('at'))];
    return file === undefined ? problem(c, 'notFound', 404) : sendFile(c, file, basename(file));
  });
}

async function show(
  c: UiContext,
  ui: Ui,
  more: Pick<AutomaticData, 'checks' | 'refusal'>,
): Promise<Response> {
  const { visitor, workspace } = c.var;
  const { ledger } = workspace;
  const { config, failure } = configOf(ui);
  const body = automaticView(visitor, {
    ...more,
    file: ui.configFile,
    yaml: existsSync(ui.configFile) ? configText(ui.configFile) : undefined,
    schedules: config === undefined ? [] : await schedulesOf(config, ledger),
    folders: config === undefined ? [] : foldersOf(config),
    runs: (await new Runs(ledger).list({ limit: RUNS_SHOWN })).map(shownRun),
    working: await hasWorker(ledger),
    failure,
    canAdd: workspace.keyPlace !== undefined,
    collections: (await collectionsOf(workspace)) ?? [],
    timeZone: ownTimeZone(),
  });
  return render(c, { title: TEXTS[visitor.language].title, body }, more.refusal === undefined ? 200 : 422);
}

const RUNS_SHOWN = 20;

function shownRun({ id, work, state, createdAt, endedAt, files = [], error }: Run): ShownRun {
  const isImport = work.kind === 'import';
  return {
    id,
    title: isImport ? basename(fileOf(work.source)) : work.schedule,
    state,
    at: endedAt ?? createdAt,
    files: files.map((file) => basename(file)),
    // An import has the id of its job.
    ...(isImport && state !== 'queued' ? { job: id } : {}),
    ...(error === undefined ? {} : { message: error.message }),
  };
}

/** Mistakes in the configuration are returned, not thrown, so that the page still opens. */
function configOf({ configFile }: Pick<Ui, 'configFile'>): { config?: ReadConfig; failure?: ShelfliftError } {
  if (!existsSync(configFile)) return {};
  try {
    return { config: readWorkerConfig(configFile) };
  } catch (error) {
    if (error instanceof ShelfliftError) return { failure: error };
    throw error;
  }
}

async function schedulesOf({ schedules }: ReadConfig, ledger: Ledger): Promise<ShownSchedule[]> {
  const names = Object.keys(schedules);
  const states = await new Schedules(ledger).states(names);
  const newest = await new Runs(ledger).newest(names);
  return Object.entries(schedules).map(([name, timetable]): ShownSchedule => {
    const last = newest.get(name);
    return {
      name,
      paused: states.get(name)?.paused === true,
      next: nextFire(timetable, Date.now()),
      last:
        last === undefined
          ? undefined
          : {
              at: last.createdAt,
              state: last.state,
            },
    };
  });
}

function foldersOf({ hotFolders, folder }: ReadConfig): ShownFolder[] {
  return hotFolders.map(({ path }) => ({ path: resolve(folder, path) }));
}
