/** What people read, in German. */
import { joined } from '../../base/joined.ts';
import type { Texts } from '../texts.ts';
import { DE_ACTIONS } from './actions.ts';
import { DE_API } from './api.ts';
import { DE_CELLS } from './cells.ts';
import { DE_CHANGES } from './changes.ts';
import { DE_CHECKS } from './checks.ts';
import { DE_CORRECTIONS } from './corrections.ts';
import { DE_STAGING } from './staging.ts';
import { DE_MATCHES } from './matches.ts';
import { DE_COLUMNS } from './columns.ts';
import { DE_COMMAND } from './command.ts';
import { DE_TERMINAL } from './terminal.ts';
import { DE_DIALOGUE } from './dialogue.ts';
import { DE_EXPORTS } from './exports.ts';
import { DE_FILES } from './files.ts';
import { DE_JOBS } from './jobs.ts';
import { DE_OUTPUTS } from './outputs.ts';
import { DE_PAGE } from './page.ts';
import { DE_LISTS } from './lists.ts';
import { DE_PLAN } from './plan.ts';
import { DE_PROGRAM } from './program.ts';
import { DE_REPORTS } from './reports.ts';
import { DE_ROWS } from './rows.ts';
import { DE_RUNS } from './runs.ts';
import { DE_SENDING } from './sending.ts';
import { DE_SETTINGS } from './settings.ts';
import { DE_STORY } from './story.ts';
import { DE_STORE } from './store.ts';
import { DE_TEMPLATES } from './templates.ts';
import { DE_WORKER } from './worker.ts';

export const DE: Texts = joined(
  DE_FILES,
  DE_COLUMNS,
  DE_CELLS,
  DE_CHANGES,
  DE_CHECKS,
  DE_CORRECTIONS,
  DE_STAGING,
  DE_MATCHES,
  DE_JOBS,
  DE_ACTIONS,
  DE_ROWS,
  DE_PLAN,
  DE_STORE,
  DE_API,
  DE_SENDING,
  DE_SETTINGS,
  DE_LISTS,
  DE_EXPORTS,
  DE_REPORTS,
  DE_TEMPLATES,
  DE_WORKER,
  DE_PROGRAM,
  DE_COMMAND,
  DE_TERMINAL,
  DE_OUTPUTS,
  DE_DIALOGUE,
  DE_RUNS,
  DE_STORY,
  DE_PAGE,
);
