import type { JobRecord } from '../../../ledger/ledger.ts';
import { foreign, html, type Html } from '../../html.ts';
import { noteText } from '../../engine/engine-text.ts';
import { progressView } from '../../jobs/progress.ts';
import type { Run } from '../../jobs/run.ts';
import { stepLine } from '../../jobs/steps.ts';
import { formToken } from '../../layout.ts';
import type { Visitor } from '../../ui.ts';
import { TEXTS } from './texts.ts';
import { JOB_KINDS } from '../../../import/job/job-kinds.ts';

export function sendingView(visitor: Visitor, job: JobRecord, title: string, run: Run): Html {
  const t = TEXTS[visitor.language];
  const notes = run.progress.notes.filter(({ kind }) => kind === 'warning');
  return html`${JOB_KINDS[job.kind].bringsTable ? stepLine(visitor, 'sending', {}) : ''}
<h1>${foreign(title, 120)}</h1>
<section class="card"><p class="soft">${t.lead}</p>
${progressView(visitor, run, `/job/${job.id}/events`)}
${notes.map(({ message, said }) => html`<p class="soft">${noteText(said ?? message, visitor)}</p>`)}
<div class="actions"><a class="button primary" href="/" data-primary>${t.home}</a><form method="post" action="/job/${job.id}/pause">${formToken(visitor)}<button ${run.isStopping ? html`disabled` : ''}>${t.pause}</button></form>
${run.kind === 'sending' ? html`<form method="post" action="/job/${job.id}/stop">${formToken(visitor)}<button class="plain" title="${t.stopHint}">${t.stop}</button></form>` : ''}</div></section>`;
}

export function elsewhereView(visitor: Visitor, title: string): Html {
  const t = TEXTS[visitor.language];
  return html`<h1>${foreign(title, 120)}</h1><section class="card"><p>${t.elsewhere}</p><p class="actions"><a class="button primary" href="" data-primary>${t.look}</a></p></section>`;
}
