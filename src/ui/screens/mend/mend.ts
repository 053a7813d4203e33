/** Screen 5: the rows with a problem, by reason, to be mended in place or all at once. Each step can be taken back. */
import { z } from 'zod';
import { UsageError } from '../../../errors.ts';
import { jobColumns, jobIssues, jobRows, mendSteps } from '../../../import/mend/look.ts';
import { rowTotals } from '../../../import/results/summary.ts';
import type { JobRecord } from '../../../ledger/ledger.ts';
import type { IssueReason } from '../../../mapping/issue-reasons.ts';
import { describeChange, type MendChange } from '../../../mapping/template/change.ts';
import { mendAndGo, refusalOf } from '../../jobs/mend.ts';
import type { Workspace } from '../../jobs/workspace.ts';
import { render } from '../../layout.ts';
import type { Ui, UiApp, UiContext } from '../../ui.ts';
import { uploadOf } from '../plan/plan.ts';
import { TEXTS } from './texts.ts';
import { type MendColumn, type MendData, mendView, reasonKey } from './view.ts';

const ROWS_SHOWN = 50;
const STEPS_SHOWN = 20;
/** Cells of one step: the list of steps is kept with the job. */
export const MOST_CELLS = 5000;

/** Cells that the grid sends: those typed, or those pasted. */
const Cells = z
  .array(
    z.strictObject({
      row: z.int().min(1),
      sheet: z.string().optional(),
      column: z.string().min(1),
      text: z.string().max(32_767),
    }),
  )
  .min(1)
  .max(MOST_CELLS);

export function mendScreen(app: UiApp, ui: Ui): void {
  app.get('/job/:id/mend', async (c) => showMend(c, await jobOf(c), ui));
  app.post('/job/:id/cells', async (c) => {
    const job = await jobOf(c);
    const cells = Cells.safeParse(parsed(c.var.form.get('cells') ?? ''));
    if (!cells.success) return c.redirect(screenOf(c, job), 303);
    const changes = cells.data.map((cell): MendChange => ({ type: 'cell', ...cell }));
    return mendAndGo(c, job, { changes }, screenOf(c, job));
  });
  app.post('/job/:id/fix', async (c) => {
    const job = await jobOf(c);
    const { ledger } = c.var.workspace;
    const key = c.var.form.get('reason') ?? '';
    const reason = (await jobIssues(job.id, ledger)).find((each) => reasonKey(each) === key);
    const changes = reason === undefined ? [] : await fixOf(reason, job, c);
    if (changes.length === 0) return c.redirect(screenOf(c, job), 303);
    return mendAndGo(c, job, { changes }, screenOf(c, job));
  });
  app.post('/job/:id/omit', async (c) => {
    const job = await jobOf(c);
    const sheet = c.var.form.get('sheet') ?? '';
    const change: MendChange = {
      type: 'omit',
      row: Number(c.var.form.get('row')),
      ...(sheet === '' ? {} : { sheet }),
    };
    return mendAndGo(c, job, { changes: [change] }, screenOf(c, job));
  });
  app.post('/job/:id/undo-step', async (c) => {
    const job = await jobOf(c);
    const steps = await mendSteps(job.id, c.var.workspace.ledger);
    if (steps.length === 0) return c.redirect(screenOf(c, job), 303);
    return mendAndGo(c, job, { undo: 1 }, screenOf(c, job));
  });
}

function jobOf(c: UiContext): Promise<JobRecord> {
  return c.var.workspace.ledger.jobs.find(c.req.param('id') ?? '');
}

/** The same reason again. */
function screenOf(c: UiContext, job: JobRecord): string {
  const reason = c.var.form.get('reason');
  return `/job/${job.id}/mend${reason === null ? '' : `?reason=${encodeURIComponent(reason)}`}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What a button does to all rows of a reason. */
async function fixOf(reason: IssueReason, job: JobRecord, c: UiContext): Promise<MendChange[]> {
  const { form, workspace } = c.var;
  const { code, column, field } = reason;
  const { columns } = await columnsOf(job, workspace);
  const name = columns.find(({ letter }) => letter === column)?.name;
  switch (form.get('fix')) {
    case 'omit':
      return [{ type: 'omitReason', code, ...(column === undefined ? {} : { column }) }];
    case 'keep':
      return name === undefined ? [] : [{ type: 'keep', column: name }];
    case 'ignore':
      return name === undefined ? [] : [{ type: 'ignore', column: name }];
    case 'read':
      return field === undefined ? [] : [{ type: 'option', field, option: 'approximate', value: 'read' }];
    case 'keepYear':
      return field === undefined ? [] : [{ type: 'option', field, option: 'outOfRange', value: 'keep' }];
    case 'blank':
      return name === undefined ? [] : cellsOf(reason, job, name, '', workspace);
    case 'set': {
      const text = form.get('text') ?? '';
      return name === undefined || text === '' ? [] : cellsOf(reason, job, name, text, workspace);
    }
    default:
      return [];
  }
}

/** The same text for the cell of each row of a reason, up to the most that one step may hold. */
async function cellsOf(
  { code, column }: IssueReason,
  job: JobRecord,
  name: string,
  text: string,
  { ledger }: Workspace,
): Promise<MendChange[]> {
  const { rows } = await jobRows(job.id, ledger, {
    reason: { code, ...(column === undefined ? {} : { column }) },
    limit: MOST_CELLS,
  });
  return rows
    .filter(({ mendable, copy }) => mendable && copy === 0)
    .map(({ row, sheet }) => ({
      type: 'cell',
      row,
      ...(sheet === undefined ? {} : { sheet }),
      column: name,
      text,
    }));
}

async function columnsOf(
  job: JobRecord,
  { ledger }: Workspace,
): Promise<{ columns: MendColumn[]; usable: boolean }> {
  try {
    const all = await jobColumns(job.id, ledger);
    const first = all.filter(({ sheet }) => sheet === all[0]?.sheet);
    return {
      usable: true,
      columns: first.map(({ header, letter, target }, index) => ({
        header,
        letter,
        index,
        used: target !== undefined,
        name:
          header !== '' && first.filter((other) => other.header === header).length === 1 ? header : letter,
      })),
    };
  } catch (error) {
    if (error instanceof UsageError && error.code === 'cannot_mend') return { columns: [], usable: false };
    throw error;
  }
}

async function showMend(c: UiContext, job: JobRecord, ui: Ui): Promise<Response> {
  const { visitor, workspace } = c.var;
  const run = workspace.run(job.id);
  if (run !== undefined && !run.isOver) return c.redirect(`/job/${job.id}/sending`, 303);
  const { ledger } = workspace;
  const { columns, usable } = await columnsOf(job, workspace);
  const reasons = await jobIssues(job.id, ledger);
  const chosen = reasons.find((each) => reasonKey(each) === c.req.query('reason')) ?? reasons[0];
  const after = Number(c.req.query('after') ?? '0');
  const page =
    chosen === undefined
      ? { rows: [] }
      : await jobRows(job.id, ledger, {
          states: ['invalid'],
          reason: { code: chosen.code, ...(chosen.column === undefined ? {} : { column: chosen.column }) },
          after: Number.isSafeInteger(after) && after > 0 ? after : 0,
          limit: ROWS_SHOWN,
        });
  const totals = rowTotals(await ledger.rows.counts(job.id));
  const steps = await mendSteps(job.id, ledger);
  const data: MendData = {
    job,
    upload: await uploadOf(job.id, ui),
    usable,
    columns,
    reasons,
    chosen,
    rows: page.rows,
    next: 'next' in page ? page.next : undefined,
    isFirst: !(after > 0),
    invalid: totals.invalid,
    all: totals.read,
    steps: steps
      .slice(-STEPS_SHOWN)
      .reverse()
      .map(
        ({ changes }) =>
          `${changes[0] === undefined ? '' : describeChange(changes[0])}${changes.length > 1 ? ` (+${changes.length - 1})` : ''}`,
      ),
    stepCount: steps.length,
    refusal: refusalOf(workspace, job.id),
  };
  return render(c, { title: TEXTS[visitor.language].title, body: mendView(visitor, data), wide: true });
}
