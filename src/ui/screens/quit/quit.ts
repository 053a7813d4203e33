/** Ends shelflift from the page: a person who has started it by a double click has no terminal to end it in. */
import { html } from '../../html.ts';
import { formToken, render } from '../../layout.ts';
import type { Workspace } from '../../jobs/workspace.ts';
import type { Ui, UiApp } from '../../ui.ts';
import { TEXTS } from './texts.ts';

export function quitScreen(app: UiApp, ui: Ui): void {
  app.get('/quit', (c) => {
    const { visitor } = c.var;
    const t = TEXTS[visitor.language];
    // Without an account, nothing runs.
    const workspace: Workspace | undefined = c.var.workspace;
    const running = workspace?.running ?? 0;
    const body = html`<section class="card narrow"><h1>${t.title}</h1><p>${t.lead}</p>
${running === 0 ? '' : html`<p class="message warn">${t.running(visitor.words.count(running))}</p>`}
<p class="soft">${t.schedules}</p>
<div class="actions"><form method="post" action="/quit">${formToken(visitor)}<button class="primary" data-primary>${t.quit}</button></form><a class="button plain" href="/">${t.stay}</a></div></section>`;
    return render(c, { title: t.title, body });
  });
  app.post('/quit', async (c) => {
    const t = TEXTS[c.var.visitor.language];
    const body = html`<section class="card narrow"><h1>${t.ended}</h1><p>${t.endedLead}</p></section>`;
    const last = await render(c, { title: t.ended, body, isLast: true });
    ui.quit();
    return last;
  });
}
