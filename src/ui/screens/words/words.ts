/** Screen 4: words and approximations that a person decides once for the whole file. */
import { UsageError } from '../../../errors.ts';
import { saveRecipe } from '../../../import/correction/save-reading.ts';
import type { JobRecord } from '../../../ledger/ledger.ts';
import type { IssueReason } from '../../../mapping/issue-reasons.ts';
import type { Correction } from '../../../mapping/template/change.ts';
import { isWordField } from '../../../mapping/word-lists.ts';
import { isChoice, mendAndGo, nextScreen, refusalOf } from '../../jobs/mend.ts';
import type { Workspace } from '../../jobs/workspace.ts';
import { render } from '../../layout.ts';
import type { Ui, UiApp, UiContext } from '../../ui.ts';
import { uploadOf } from '../plan/plan.ts';
import { TEXTS } from './texts.ts';
import { offeredMeaning, optionsOf, type WordsData, wordsView } from './view.ts';

export function wordsScreen(app: UiApp, ui: Ui): void {
  app.get('/job/:id/words', async (c) => {
    const job = await c.var.workspace.ledger.jobs.find(c.req.param('id'));
    return show(c, job, ui, { name: c.req.query('saved') });
  });
  app.post('/job/:id/words', async (c) => {
    const { workspace, form } = c.var;
    const job = await workspace.ledger.jobs.find(c.req.param('id'));
    const reasons = await choicesOf(job, workspace);
    const changes = reasons.flatMap((reason, at) => changesOf(reason, at, form));
    if (changes.length === 0) return c.redirect(await afterWords(job, c.var.workspace), 303);
    return mendAndGo(c, job, { changes }, `/job/${job.id}/words/next`);
  });
  app.get('/job/:id/words/next', async (c) => {
    const { workspace } = c.var;
    const job = await workspace.ledger.jobs.find(c.req.param('id'));
    const refused = refusalOf(workspace, job.id) !== undefined;
    return c.redirect(refused ? `/job/${job.id}/words` : await afterWords(job, workspace), 303);
  });
  app.post('/job/:id/recipe', async (c) => {
    const { workspace, form, visitor } = c.var;
    const job = await workspace.ledger.jobs.find(c.req.param('id'));
    const name = (form.get('name') ?? '').trim();
    try {
      await saveRecipe(name, job.id, workspace.ledger);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      const problem = error.code === 'bad_recipe' ? TEXTS[visitor.language].badName : error.message;
      return show(c, job, ui, { problem });
    }
    return c.redirect(`/job/${job.id}/words?saved=${encodeURIComponent(name)}`, 303);
  });
}

async function show(c: UiContext, job: JobRecord, ui: Ui, saving: WordsData['saving']): Promise<Response> {
  const { visitor, workspace } = c.var;
  const data: WordsData = {
    job,
    upload: (await uploadOf(job.id, ui))?.id,
    reasons: await choicesOf(job, workspace),
    refusal: refusalOf(workspace, job.id),
    saving,
  };
  const status = saving.problem === undefined ? 200 : 422;
  return render(c, { title: TEXTS[visitor.language].title, body: wordsView(visitor, data) }, status);
}

/** What is decided for a whole column at once. */
async function choicesOf(job: JobRecord, { standings, ledger }: Workspace): Promise<IssueReason[]> {
  return (await standings.of(job, ledger)).reasons().filter(({ code }) => isChoice(code));
}

/** What was left open here is mended row by row. */
async function afterWords(job: JobRecord, workspace: Workspace): Promise<string> {
  return (await nextScreen(job, workspace)).replace(/words$/, 'mend');
}

/** What a person chose for one reason: words one by one, or one answer for all of its values. */
function changesOf(reason: IssueReason, at: number, form: URLSearchParams): Correction[] {
  const { field, values } = reason;
  if (field === undefined) return [];
  const all = form.get('accept') === 'all';
  if (isWordField(field)) {
    return values.flatMap(({ text, offers }, index): Correction[] => {
      const chosen = form.get(`word-${at}-${index}`) ?? '';
      const offered = offeredMeaning(text, offers);
      if (chosen === 'offer' || (all && chosen === ''))
        return offered === undefined ? [] : [{ type: 'word', field, word: text, means: offered }];
      if (chosen === '') return [];
      return [{ type: 'word', field, word: text, means: chosen === 'nothing' ? '' : chosen }];
    });
  }
  const options = optionsOf(reason);
  const answer = form.get(`all-${at}`) ?? '';
  const chosen = options.find(({ id }) => id === answer) ?? (all ? options[0] : undefined);
  return chosen === undefined ? [] : [{ type: 'option', field, option: chosen.option, value: chosen.value }];
}
