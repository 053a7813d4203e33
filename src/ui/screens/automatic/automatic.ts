/** Screen 12: schedules and watched folders of shelflift.yaml; a worker runs them. */
import { join } from 'node:path';
import { ShelfliftError } from '../../../errors.ts';
import type { Ledger } from '../../../ledger/ledger.ts';
import { type ReadConfig, readWorkerConfig } from '../../../worker/config/read-config.ts';
import { Runs } from '../../../worker/queue/runs.ts';
import { nextFire } from '../../../worker/schedule/fire-times.ts';
import { Schedules } from '../../../worker/schedule/schedules.ts';
import { render } from '../../layout.ts';
import type { Ui, UiApp } from '../../ui.ts';
import { TEXTS } from './texts.ts';
import { automaticView, type ShownFolder, type ShownSchedule } from './view.ts';

export function automaticScreen(app: UiApp, ui: Ui): void {
  app.get('/automatic', async (c) => {
    const { visitor, workspace } = c.var;
    const { config, failure } = configOf(ui);
    const body = automaticView(visitor, {
      configFile: ui.configFile,
      schedules: config === undefined ? [] : await schedulesOf(config, workspace.ledger),
      folders: config === undefined ? [] : foldersOf(config),
      failure,
    });
    return render(c, { title: TEXTS[visitor.language].title, body });
  });
  app.post('/automatic/:name/:what', async (c) => {
    const { ledger } = c.var.workspace;
    const { config } = configOf(ui);
    const name = c.req.param('name');
    const schedule =
      config !== undefined && Object.hasOwn(config.schedules, name) ? config.schedules[name] : undefined;
    const what = c.req.param('what');
    if (schedule !== undefined && (what === 'pause' || what === 'resume'))
      await new Schedules(ledger).setPaused(name, schedule, what === 'pause', Date.now());
    return c.redirect('/automatic', 303);
  });
}

/** A configuration with mistakes is told, not thrown: the page still opens. */
function configOf({ configFile }: Pick<Ui, 'configFile'>): { config?: ReadConfig; failure?: string } {
  if (configFile === undefined) return {};
  try {
    return { config: readWorkerConfig(configFile) };
  } catch (error) {
    if (error instanceof ShelfliftError) return { failure: error.message };
    throw error;
  }
}

async function schedulesOf({ schedules }: ReadConfig, ledger: Ledger): Promise<ShownSchedule[]> {
  const states = new Schedules(ledger);
  const runs = new Runs(ledger);
  return Promise.all(
    Object.entries(schedules).map(async ([name, timetable]): Promise<ShownSchedule> => {
      const { value: last } = await runs.ofSchedule(name).next();
      return {
        name,
        paused: (await states.state(name))?.paused === true,
        next: nextFire(timetable, Date.now()),
        last:
          last === undefined
            ? undefined
            : {
                at: last.createdAt,
                state: last.state,
                files: last.files ?? [],
                ...(last.error === undefined ? {} : { message: last.error.message }),
              },
      };
    }),
  );
}

function foldersOf({ hotFolders, folder }: ReadConfig): ShownFolder[] {
  return hotFolders.map(({ path }) => ({ path: join(folder, path) }));
}
