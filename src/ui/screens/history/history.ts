/** Screen 9: everything that was done, newest first. A job opens with its changes, and a button to undo them. */
import { html } from '../../html.ts';
import { render } from '../../layout.ts';
import { catalogue } from '../../texts.ts';
import type { Ui, UiApp } from '../../ui.ts';
import { describeJobs } from '../home/home.ts';
import { jobTable } from '../home/view.ts';

const TEXTS = catalogue(
  {
    title: 'History',
    lead: 'Everything that was brought in, changed or undone. Open an entry to see its changes or to undo them.',
    none: 'Nothing yet.',
    bringIn: 'Bring in a file',
    more: 'Show older ones',
  },
  {
    title: 'Verlauf',
    lead: 'Alles, was übernommen, geändert oder rückgängig gemacht wurde. Öffne einen Eintrag, um seine Änderungen zu sehen oder sie rückgängig zu machen.',
    none: 'Noch nichts.',
    bringIn: 'Datei übernehmen',
    more: 'Ältere zeigen',
  },
);

const SHOWN = 50;
const MAX_SHOWN = 2000;

export function historyScreen(app: UiApp, _ui: Ui): void {
  app.get('/history', async (c) => {
    const { visitor, workspace } = c.var;
    const t = TEXTS[visitor.language];
    const asked = Number(c.req.query('n') ?? SHOWN);
    const limit = Number.isSafeInteger(asked) ? Math.min(MAX_SHOWN, Math.max(SHOWN, asked)) : SHOWN;
    const jobs = await describeJobs(workspace, visitor, limit + 1);
    const body = html`<h1>${t.title}</h1><p class="lead">${t.lead}</p>
${jobs.length === 0 ? html`<p class="soft">${t.none}</p>` : jobTable(visitor, jobs.slice(0, limit))}
<p class="actions">${jobs.length > limit ? html`<a class="button" href="?n=${limit * 2}">${t.more}</a>` : ''}<a class="button primary" href="/file" data-primary>${t.bringIn}</a></p>`;
    return render(c, { title: t.title, body, menu: 'history' });
  });
}
