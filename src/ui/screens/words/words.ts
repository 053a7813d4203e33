/** Screen 4: words, approximations and currencies that a person decides once for the whole file. */
import { UsageError } from '../../../base/errors.ts';
import { rowTotals } from '../../../import/job/row-totals.ts';
import { saveRecipe } from '../../../import/correction/save-reading.ts';
import type { JobRecord } from '../../../ledger/ledger.ts';
import type { IssueReason } from '../../../mapping/issue-reasons.ts';
import type { Correction } from '../../../mapping/template/change.ts';
import { columnOf, isChoice, mendAndGo, nextScreen, refusalOf } from '../../jobs/mend.ts';
import type { Workspace } from '../../jobs/workspace.ts';
import { plainError } from '../../engine/engine-text.ts';
import { render } from '../../layout.ts';
import type { Ui, UiApp, UiContext } from '../../ui.ts';
import { uploadOf } from '../plan/plan.ts';
import { collectionsOf } from '../file/collection.ts';
import { changesOf, NoRateError } from './answers.ts';
import { waitingFor } from './ready.ts';
import { TEXTS } from './texts.ts';
import { type WordsData, wordsView } from './view.ts';

export function wordsScreen(app: UiApp, ui: Ui): void {
  app.get('/job/:id/words', async (c) => {
    const job = await c.var.workspace.ledger.jobs.find(c.req.param('id'));
    return show(c, job, ui, { saving: { name: c.req.query('saved') } });
  });
  app.post('/job/:id/words', async (c) => {
    const { workspace, form, visitor } = c.var;
    const job = await workspace.ledger.jobs.find(c.req.param('id'));
    const reasons = await choicesOf(job, workspace);
    const changes: Correction[] = [];
    try {
      for (const reason of reasons)
        changes.push(...changesOf(reason, form, await columnOf(reason, job, workspace.ledger)));
    } catch (error) {
      if (!(error instanceof NoRateError)) throw error;
      return show(c, job, ui, { problem: TEXTS[visitor.language].noRate });
    }
    const asked = reasons.map(keyOf);
    if (changes.length === 0) return c.redirect(await afterWords(job, workspace, asked), 303);
    const query = new URLSearchParams(asked.map((key): [string, string] => ['asked', key]));
    return mendAndGo(c, job, { changes }, `/job/${job.id}/words/next?${query.toString()}`);
  });
  app.get('/job/:id/words/next', async (c) => {
    const { workspace } = c.var;
    const job = await workspace.ledger.jobs.find(c.req.param('id'));
    const refused = refusalOf(workspace, job.id) !== undefined;
    const asked = c.req.queries('asked') ?? [];
    return c.redirect(refused ? `/job/${job.id}/words` : await afterWords(job, workspace, asked), 303);
  });
  app.post('/job/:id/recipe', async (c) => {
    const { workspace, form, visitor } = c.var;
    const job = await workspace.ledger.jobs.find(c.req.param('id'));
    const name = (form.get('name') ?? '').trim();
    try {
      const replaced = await saveRecipe(name, job.id, workspace.ledger);
      if (replaced !== undefined) return await show(c, job, ui, { saving: { name, replaced } });
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      const problem =
        error.code === 'bad_recipe' ? TEXTS[visitor.language].badName : plainError(error, visitor);
      return show(c, job, ui, { saving: { problem } });
    }
    return c.redirect(`/job/${job.id}/words?saved=${encodeURIComponent(name)}`, 303);
  });
}

async function show(
  c: UiContext,
  job: JobRecord,
  ui: Ui,
  { saving = {}, ...answered }: Partial<Pick<WordsData, 'saving' | 'problem'>>,
): Promise<Response> {
  const { visitor, workspace } = c.var;
  const reasons = await choicesOf(job, workspace);
  const counts = rowTotals(await workspace.ledger.rows.counts(job.id));
  const data: WordsData = {
    job,
    upload: (await uploadOf(job.id, ui))?.id,
    reasons,
    ready: counts.read - counts.invalid,
    all: counts.read,
    waiting: await waitingFor(job, reasons, workspace.ledger),
    refusal: refusalOf(workspace, job.id),
    collections: reasons.some(({ code }) => code === 'unknown_collection')
      ? await collectionsOf(workspace)
      : undefined,
    saving,
    ...answered,
  };
  const isRefused = saving.problem !== undefined || answered.problem !== undefined;
  const body = wordsView(visitor, data);
  return render(c, { title: TEXTS[visitor.language].title, body }, isRefused ? 422 : 200);
}

/** The choices for whole columns. */
async function choicesOf(job: JobRecord, { openIssues, ledger }: Workspace): Promise<IssueReason[]> {
  return (await openIssues.of(job, ledger)).reasons().filter(({ code }) => isChoice(code));
}

function keyOf({ code, column = '' }: IssueReason): string {
  return `${code}:${column}`;
}

/** New questions, such as the currency of amounts that can be read now, come next; open problems are mended row by row. */
async function afterWords(job: JobRecord, workspace: Workspace, asked: readonly string[]): Promise<string> {
  const isNew = (await choicesOf(job, workspace)).some((reason) => !asked.includes(keyOf(reason)));
  const next = await nextScreen(job, workspace);
  return isNew ? next : next.replace(/words$/, 'mend');
}
