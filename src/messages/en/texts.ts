/** What people read, in English. A text is a part of a line or whole sentences, as the place of its code asks. */
import { joined } from '../../base/joined.ts';
import type { Texts } from '../texts.ts';
import { EN_ACTIONS } from './actions.ts';
import { EN_API } from './api.ts';
import { EN_CELLS } from './cells.ts';
import { EN_CHANGES } from './changes.ts';
import { EN_CHECKS } from './checks.ts';
import { EN_CORRECTIONS } from './corrections.ts';
import { EN_STAGING } from './staging.ts';
import { EN_MATCHES } from './matches.ts';
import { EN_COLUMNS } from './columns.ts';
import { EN_COMMAND } from './command.ts';
import { EN_TERMINAL } from './terminal.ts';
import { EN_DIALOGUE } from './dialogue.ts';
import { EN_EXPORTS } from './exports.ts';
import { EN_FILES } from './files.ts';
import { EN_JOBS } from './jobs.ts';
import { EN_OUTPUTS } from './outputs.ts';
import { EN_PAGE } from './page.ts';
import { EN_LISTS } from './lists.ts';
import { EN_PLAN } from './plan.ts';
import { EN_PROGRAM } from './program.ts';
import { EN_REPORTS } from './reports.ts';
import { EN_ROWS } from './rows.ts';
import { EN_RUNS } from './runs.ts';
import { EN_SENDING } from './sending.ts';
import { EN_SETTINGS } from './settings.ts';
import { EN_STORY } from './story.ts';
import { EN_STORE } from './store.ts';
import { EN_TEMPLATES } from './templates.ts';
import { EN_WORKER } from './worker.ts';

export const EN: Texts = joined(
  EN_FILES,
  EN_COLUMNS,
  EN_CELLS,
  EN_CHANGES,
  EN_CHECKS,
  EN_CORRECTIONS,
  EN_STAGING,
  EN_MATCHES,
  EN_JOBS,
  EN_ACTIONS,
  EN_ROWS,
  EN_PLAN,
  EN_STORE,
  EN_API,
  EN_SENDING,
  EN_SETTINGS,
  EN_LISTS,
  EN_EXPORTS,
  EN_REPORTS,
  EN_TEMPLATES,
  EN_WORKER,
  EN_PROGRAM,
  EN_COMMAND,
  EN_TERMINAL,
  EN_OUTPUTS,
  EN_DIALOGUE,
  EN_RUNS,
  EN_STORY,
  EN_PAGE,
);
