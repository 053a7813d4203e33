/** Screen 5: the rows with a problem, by reason, to be mended in place or all at once. Each step can be undone. */
import { basename, extname } from 'node:path';
import { z } from 'zod';
import { UsageError } from '../../../base/errors.ts';
import { jsonOrNot } from '../../../base/json-or-not.ts';
import type { RowPlace } from '../../../import/correction/find-rows.ts';
import { jobColumns, jobRows, correctionSteps } from '../../../import/correction/job-rows.ts';
import type { Corrected } from '../../../import/correction/correct-job.ts';
import { markedWorkbook } from '../../../import/correction/marked-workbook.ts';
import { rowTotals } from '../../../import/job/row-totals.ts';
import type { JobRecord } from '../../../ledger/ledger.ts';
import type { IssueReason } from '../../../mapping/issue-reasons.ts';
import type { Correction } from '../../../mapping/template/change.ts';
import { offersOf } from '../../jobs/fill-down.ts';
import { goTo, mendAndGo, nextScreen, refusalOf } from '../../jobs/mend.ts';
import { attachment } from '../../jobs/send-file.ts';
import type { Workspace } from '../../jobs/workspace.ts';
import { speaking } from '../../engine/engine-text.ts';
import { render } from '../../layout.ts';
import type { Ui, UiApp, UiContext, Visitor } from '../../ui.ts';
import { changeText } from './change-text.ts';
import { uploadOf } from '../plan/plan.ts';
import { TEXTS } from './texts.ts';
import { type MendColumn, type MendData, mendPart, type MendStanding, mendView, reasonKey } from './view.ts';

const ROWS_SHOWN = 50;
const STEPS_SHOWN = 20;
/** Maximum number of cells in one step, because the list of steps is kept with the job. */
export const MAX_CELLS = 5000;

/** Cells that the grid sends, typed or pasted. */
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
  .max(MAX_CELLS);

export function mendScreen(app: UiApp, ui: Ui): void {
  app.get('/job/:id/mend', async (c) => showMend(c, await jobOf(c), ui));
  app.post('/job/:id/cells', async (c) => {
    const job = await jobOf(c);
    const cells = Cells.safeParse(jsonOrNot(c.var.form.get('cells') ?? ''));
    if (!cells.success) return c.redirect(screenOf(c, job), 303);
    const changes = cells.data.map((cell): Correction => ({ type: 'cell', ...cell }));
    return mendAndGo(c, job, { changes }, screenOf(c, job), (mended) => part(c, job, mended, cells.data));
  });
  app.post('/job/:id/fix', async (c) => {
    const job = await jobOf(c);
    const { ledger, openIssues } = c.var.workspace;
    const key = c.var.form.get('reason') ?? '';
    const reasons = (await openIssues.of(job, ledger)).reasons();
    const reason = reasons.find((each) => reasonKey(each) === key);
    const changes = reason === undefined ? [] : await fixOf(reason, job, c);
    if (changes.length === 0) return c.redirect(screenOf(c, job), 303);
    const goesOn = c.var.form.get('then') === 'next';
    return mendAndGo(c, job, { changes }, goesOn ? `/job/${job.id}/mend/next` : screenOf(c, job));
  });
  app.get('/job/:id/mend/next', async (c) => {
    const job = await jobOf(c);
    const next = await nextScreen(job, c.var.workspace);
    const { search } = new URL(c.req.url);
    return c.redirect(next.endsWith('/plan') ? next : `/job/${job.id}/mend${search}`, 303);
  });
  app.get('/job/:id/marked', async (c) => {
    const { visitor, workspace } = c.var;
    const job = await jobOf(c);
    const say = speaking(visitor);
    const book = await markedWorkbook(job, workspace.ledger, ({ said, message }) =>
      said === undefined ? message : say(said),
    );
    const name = TEXTS[visitor.language].markedName(basename(job.source.file, extname(job.source.file)));
    return c.body(new Uint8Array(book), 200, attachment(name, book.length));
  });
  for (const type of ['omit', 'accept'] as const) {
    app.post(`/job/:id/${type}`, async (c) => {
      const job = await jobOf(c);
      const sheet = c.var.form.get('sheet') ?? '';
      const place = { row: Number(c.var.form.get('row')), ...(sheet === '' ? {} : { sheet }) };
      const changes: Correction[] = [{ type, ...place }];
      return mendAndGo(c, job, { changes }, screenOf(c, job), (mended) => part(c, job, mended, [place]));
    });
  }
  app.post('/job/:id/undo-step', async (c) => {
    const job = await jobOf(c);
    const steps = await correctionSteps(job.id, c.var.workspace.ledger);
    const shown = c.var.form.get('steps');
    if (steps.length === 0) return c.redirect(screenOf(c, job), 303);
    // In another tab, or after the back button, the last step is another one.
    if (shown !== null && Number(shown) !== steps.length) return goTo(c, screenOf(c, job));
    return mendAndGo(c, job, { undo: 1 }, screenOf(c, job), (mended) => part(c, job, mended, []));
  });
}

/** The parts of the screen that a correction of single rows has changed: these rows, the counts and the steps. */
async function part(
  c: UiContext,
  { id }: JobRecord,
  mended: Corrected | undefined,
  asked: readonly RowPlace[],
): Promise<Response> {
  const { visitor, workspace, form } = c.var;
  const { ledger } = workspace;
  const job = await ledger.jobs.find(id);
  const places = [
    ...asked,
    ...(mended?.rows ?? []).map(({ before: { sheetRow, sheet } }) => ({ row: sheetRow, sheet })),
  ];
  const { rows } = await jobRows(id, ledger, { places: places.slice(0, ROWS_SHOWN) });
  return c.html(
    mendPart(visitor, await standingData(job, workspace, form.get('reason') ?? undefined, visitor), rows),
  );
}

function jobOf(c: UiContext): Promise<JobRecord> {
  return c.var.workspace.ledger.jobs.find(c.req.param('id') ?? '');
}

/** The address of the same reason, from the same row on. */
function screenOf(c: UiContext, job: JobRecord): string {
  const kept = ['reason', 'after'].flatMap((name): [string, string][] => {
    const value = c.var.form.get(name);
    return value === null || value === '' ? [] : [[name, value]];
  });
  return `/job/${job.id}/mend${kept.length === 0 ? '' : `?${new URLSearchParams(kept).toString()}`}`;
}

/** The corrections that a button makes in all rows of a reason. */
async function fixOf(reason: IssueReason, job: JobRecord, c: UiContext): Promise<Correction[]> {
  const { form, workspace } = c.var;
  const { code, column } = reason;
  const { columns } = await columnsOf(job, workspace);
  const name = columns.find(({ letter }) => letter === column)?.name;
  const fix = form.get('fix');
  switch (fix) {
    case 'omit':
      return [{ type: 'omitReason', code, ...(column === undefined ? {} : { column }) }];
    case 'accept':
      return [{ type: 'acceptReason', code }];
    case 'keep':
      return name === undefined ? [] : [{ type: 'keep', column: name }];
    case 'ignore':
      return name === undefined ? [] : [{ type: 'ignore', column: name }];
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

/** The same text for the cell of each row of a reason, up to the maximum of one step. */
async function cellsOf(
  reason: IssueReason,
  job: JobRecord,
  name: string,
  text: string,
  { ledger }: Workspace,
): Promise<Correction[]> {
  const { rows } = await jobRows(job.id, ledger, {
    reason: queryOf(reason),
    limit: MAX_CELLS,
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
  const standing = await standingData(job, workspace, c.req.query('reason'), visitor);
  const { chosen } = standing;
  const after = naturalOf(c.req.query('after'));
  const word = c.req.query('word') ?? '';
  const text = (c.req.query('text') ?? '').trim();
  const from = naturalOf(c.req.query('row'));
  const page =
    chosen === undefined
      ? { rows: [] }
      : await jobRows(job.id, ledger, {
          ...(chosen === 'all'
            ? {}
            : {
                states: ['invalid'],
                reason: { ...queryOf(chosen), ...(word === '' ? {} : { found: word }) },
              }),
          ...(text === '' ? {} : { text }),
          ...(from > 0 && standing.usable ? { from } : { after }),
          limit: ROWS_SHOWN,
        });
  const data: MendData = {
    ...standing,
    upload: (await uploadOf(job.id, ui))?.id,
    ready: standing.planned > 0,
    offers: await offersOf(job, ledger),
    rows: page.rows,
    word,
    text,
    returned: returnedOf(c),
    next: 'next' in page ? page.next : undefined,
    after: (page.rows[0]?.ordinal ?? 1) - 1,
    isFirst: after === 0 && from === 0,
  };
  return render(c, { title: TEXTS[visitor.language].title, body: mendView(visitor, data), wide: true });
}

/** The corrections from a returned workbook; undefined if none was returned. */
function returnedOf(c: UiContext): MendData['returned'] {
  const corrected = c.req.query('corrected');
  return corrected === undefined
    ? undefined
    : { corrected: naturalOf(corrected), sent: naturalOf(c.req.query('sent')) };
}

function naturalOf(text: string | undefined): number {
  const number = Number(text ?? '0');
  return Number.isSafeInteger(number) && number > 0 ? number : 0;
}

function queryOf({ code, column }: IssueReason): { code: string; column?: string } {
  return { code, ...(column === undefined ? {} : { column }) };
}

/** Data that is the same for all rows of the screen. */
async function standingData(
  job: JobRecord,
  workspace: Workspace,
  key: string | undefined,
  visitor: Visitor,
): Promise<MendStanding> {
  const { ledger } = workspace;
  const { columns, usable } = await columnsOf(job, workspace);
  const issues = await workspace.openIssues.of(job, ledger);
  const reasons = issues.reasons();
  const totals = rowTotals(issues.counts);
  const steps = await correctionSteps(job.id, ledger);
  return {
    job,
    usable,
    columns,
    reasons,
    chosen: key === 'all' ? key : (reasons.find((each) => reasonKey(each) === key) ?? reasons[0]),
    planned: issues.counts.planned,
    invalid: totals.invalid,
    all: totals.read,
    steps: steps
      .slice(-STEPS_SHOWN)
      .reverse()
      .map(
        ({ changes }) =>
          `${changes[0] === undefined ? '' : changeText(changes[0], visitor)}${changes.length > 1 ? ` (+${changes.length - 1})` : ''}`,
      ),
    stepCount: steps.length,
    refusal: refusalOf(workspace, job.id),
  };
}
