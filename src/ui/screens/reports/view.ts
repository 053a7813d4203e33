import { ITEM_STATUSES } from '../../../api/schemas.ts';
import { foreign, html, type Html, shownText } from '../../html.ts';
import { progressView } from '../../jobs/progress.ts';
import type { Run } from '../../jobs/run.ts';
import { formToken } from '../../layout.ts';
import type { Visitor } from '../../ui.ts';
import { fieldValue } from '../../words.ts';
import type { Preview } from '../file/preview.ts';
import { TEXTS } from './texts.ts';

export const READERS = ['insurer', 'accountant', 'marketplace', 'yourself'] as const;
export type Reader = (typeof READERS)[number];

/** Of a file for oneself: a workbook, or text; with a locale, dates and money as written there. */
export const FORMS = ['xlsx', 'csv', 'csv:de-DE', 'csv:en-GB', 'csv:en-US'] as const;

/** What is asked for: texts are '' where nothing is. */
export interface Asked {
  reader: Reader;
  currency: string;
  /** Its id. */
  collection: string;
  status: string;
  /** As `--where` takes them. */
  where: string[];
  form: (typeof FORMS)[number];
}

export function makingView(visitor: Visitor, run: Run): Html {
  const t = TEXTS[visitor.language];
  return html`<h1>${t.making}</h1><section class="card"><p class="soft">${t.makingLead}</p>${progressView(visitor, run, '/reports-events')}<p class="actions"><a class="button" href="/" data-primary>${t.home}</a></p></section>`;
}

export function previewView(visitor: Visitor, name: string, { rows, headerRow }: Preview): Html {
  const t = TEXTS[visitor.language];
  return html`<h1>${t.firstRows}</h1><p class="lead">${name}</p>
<div class="scroll sheet" tabindex="0" role="region" aria-label="${t.firstRows}"><table><tbody>${rows.map(
    ({ number, cells }) =>
      html`<tr class="${number === headerRow ? 'header-row' : ''}"><th scope="row">${visitor.words.count(number)}</th>${cells.map((cell) => html`<td>${foreign(cell, 80)}</td>`)}</tr>`,
  )}</tbody></table></div>
<p class="actions bar-actions"><a class="button primary" href="/reports/${name}" download data-primary>${t.download}</a><a class="button plain" href="/reports">${t.back}</a></p>`;
}

interface ReportsData {
  files: { name: string; at: number; bytes: number }[];
  collections: { id: string; name: string }[] | undefined;
  /** What was refused just now. */
  asked: Asked | undefined;
  failure: string | undefined;
}

export function reportsView(visitor: Visitor, { files, collections, asked, failure }: ReportsData): Html {
  const t = TEXTS[visitor.language];
  const readerOf = (name: string) => READERS.find((reader) => name.startsWith(`${reader}-`));
  const option = (value: string, text: string, chosen: string | undefined) =>
    html`<option value="${value}" ${value === chosen ? html`selected` : ''}>${text}</option>`;
  const chosen = asked?.reader ?? READERS[0];
  const formNames: Record<(typeof FORMS)[number], string> = {
    xlsx: t.workbook,
    csv: t.text,
    'csv:de-DE': t.textAs('12.03.2026 · 1.234,50'),
    'csv:en-GB': t.textAs('12/03/2026 · 1,234.50'),
    'csv:en-US': t.textAs('3/12/2026 · 1,234.50'),
  };
  return html`<h1>${t.title}</h1><p class="lead">${t.lead}</p>
${failure === undefined ? '' : html`<p class="message bad" role="alert" lang="en">${foreign(failure, 600)}</p>`}
<form method="post" action="/reports" class="fields">${formToken(visitor)}<div class="columns readers">${READERS.map(
    (reader) =>
      html`<label class="card reader"><input type="radio" name="for" value="${reader}" ${reader === chosen ? html`checked` : ''}><span><strong>${t[reader]}</strong><br><span class="soft">${t[`${reader}Lead`]}</span></span></label>`,
  )}</div>
<details class="card" ${asked === undefined ? '' : html`open`}><summary>${t.choose}</summary><div class="columns">
<div><label>${t.collection}<select name="collection">${option('', t.all, asked?.collection)}${(collections ?? []).map(({ id, name }) => option(id, shownText(name, 60), asked?.collection))}</select></label>
<label>${t.status}<select name="status">${option('', t.all, asked?.status)}${ITEM_STATUSES.map((status) => option(status, fieldValue('status', status, visitor), asked?.status))}</select></label></div>
<div><label>${t.where}<textarea name="where" rows="3" spellcheck="false" aria-describedby="where-hint">${asked?.where.join('\n') ?? ''}</textarea></label><p class="hint" id="where-hint">${t.whereHint} <code>brand=Hasbro</code> · <code>estimated_value&gt;=50</code></p></div>
<div><label>${t.form}<select name="form">${FORMS.map((form) => option(form, formNames[form], asked?.form))}</select></label>
<label class="short">${t.currency}<input name="currency" maxlength="3" autocomplete="off" value="${shownText(asked?.currency ?? '', 3)}" aria-describedby="currency-hint"></label><p class="hint" id="currency-hint">${t.currencyHint}</p></div></div></details>
<p class="actions"><button class="primary" data-primary>${t.make}</button></p></form>
<section aria-labelledby="files"><h2 id="files">${t.files}</h2>${
    files.length === 0
      ? html`<p class="soft">${t.none}</p>`
      : html`<ul class="tasks">${files.map(({ name, at, bytes }) => {
          const reader = readerOf(name);
          return html`<li><div><p class="name">${reader === undefined ? name : t[reader]}</p><p class="soft">${visitor.words.dateTime(at)} · ${visitor.words.bytes(bytes)}</p></div><div class="inline">
${name.endsWith('.html') ? html`<a class="button small" href="/reports/${name}/view">${t.open}</a> ` : html`<a class="button small" href="/reports/${name}/preview">${t.firstRows}</a> `}<a class="button small" href="/reports/${name}" download>${t.download}</a>
<form method="post" action="/reports/${name}/remove" class="inline">${formToken(visitor)}<button class="small plain">${t.remove}</button></form></div></li>`;
        })}</ul>`
  }</section>`;
}
