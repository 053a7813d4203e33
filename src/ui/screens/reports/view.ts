import { foreign, html, type Html } from '../../html.ts';
import { progressView } from '../../jobs/progress.ts';
import type { Run } from '../../jobs/run.ts';
import { formToken } from '../../layout.ts';
import type { Visitor } from '../../ui.ts';
import { TEXTS } from './texts.ts';

export const READERS = ['insurer', 'accountant', 'marketplace', 'yourself'] as const;
export type Reader = (typeof READERS)[number];

export function makingView(visitor: Visitor, run: Run): Html {
  const t = TEXTS[visitor.language];
  return html`<h1>${t.making}</h1><section class="card"><p class="soft">${t.makingLead}</p>${progressView(visitor, run, '/reports-events')}<p class="actions"><a class="button" href="/" data-primary>${t.home}</a></p></section>`;
}

export function reportsView(
  visitor: Visitor,
  files: { name: string; at: number; bytes: number }[],
  failure: string | undefined,
): Html {
  const t = TEXTS[visitor.language];
  const readerOf = (name: string) => READERS.find((reader) => name.startsWith(`${reader}-`));
  return html`<h1>${t.title}</h1><p class="lead">${t.lead}</p>
${failure === undefined ? '' : html`<p class="message bad" role="alert" lang="en">${foreign(failure, 600)}</p>`}
<form method="post" action="/reports" class="fields">${formToken(visitor)}<div class="columns readers">${READERS.map(
    (reader, index) =>
      html`<label class="card reader"><input type="radio" name="for" value="${reader}" ${index === 0 ? html`checked` : ''}><span><strong>${t[reader]}</strong><br><span class="soft">${t[`${reader}Lead`]}</span></span></label>`,
  )}</div>
<label class="short">${t.currency}<input name="currency" maxlength="3" autocomplete="off" aria-describedby="currency-hint"></label><p class="hint" id="currency-hint">${t.currencyHint}</p>
<p class="actions"><button class="primary" data-primary>${t.make}</button></p></form>
<section aria-labelledby="files"><h2 id="files">${t.files}</h2>${
    files.length === 0
      ? html`<p class="soft">${t.none}</p>`
      : html`<ul class="tasks">${files.map(({ name, at, bytes }) => {
          const reader = readerOf(name);
          return html`<li><div><p class="name">${reader === undefined ? name : t[reader]}</p><p class="soft">${visitor.words.dateTime(at)} · ${visitor.words.bytes(bytes)}</p></div><div class="inline">
${name.endsWith('.html') ? html`<a class="button small" href="/reports/${name}/view">${t.open}</a> ` : ''}<a class="button small" href="/reports/${name}" download>${t.download}</a>
<form method="post" action="/reports/${name}/remove" class="inline">${formToken(visitor)}<button class="small plain">${t.remove}</button></form></div></li>`;
        })}</ul>`
  }</section>`;
}
