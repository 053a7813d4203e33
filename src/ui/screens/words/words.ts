/** Screen 4: words and approximations that a person decides once for the whole file. */
import { mendedTemplate } from '../../../import/mend/look.ts';
import type { JobRecord } from '../../../ledger/ledger.ts';
import type { IssueReason } from '../../../mapping/issue-reasons.ts';
import type { MendChange } from '../../../mapping/template/change.ts';
import { isWordField } from '../../../mapping/word-lists.ts';
import { isChoice, mendAndGo, nextScreen, refusalOf } from '../../jobs/mend.ts';
import type { Workspace } from '../../jobs/workspace.ts';
import { render } from '../../layout.ts';
import type { Ui, UiApp } from '../../ui.ts';
import { uploadOf } from '../plan/plan.ts';
import { TEXTS } from './texts.ts';
import { offeredMeaning, optionsOf, wordsView } from './view.ts';

export function wordsScreen(app: UiApp, ui: Ui): void {
  app.get('/job/:id/words', async (c) => {
    const { visitor, workspace } = c.var;
    const job = await workspace.ledger.jobs.find(c.req.param('id'));
    const reasons = await choicesOf(job, workspace);
    const data = { job, upload: await uploadOf(job.id, ui), reasons, refusal: refusalOf(workspace, job.id) };
    return render(c, { title: TEXTS[visitor.language].title, body: wordsView(visitor, data) });
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
  app.get('/job/:id/template.yaml', async (c) => {
    const { ledger } = c.var.workspace;
    const job = await ledger.jobs.find(c.req.param('id'));
    return c.body(await mendedTemplate(job.id, ledger, 'my-template'), 200, {
      'Content-Type': 'application/yaml; charset=utf-8',
      'Content-Disposition': 'attachment; filename="my-template.yaml"',
    });
  });
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
function changesOf(reason: IssueReason, at: number, form: URLSearchParams): MendChange[] {
  const { field, values } = reason;
  if (field === undefined) return [];
  const all = form.get('accept') === 'all';
  if (isWordField(field)) {
    return values.flatMap(({ text, offers }, index): MendChange[] => {
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
