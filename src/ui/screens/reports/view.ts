import { ITEM_STATUSES } from '../../../api/schemas.ts';
import type { FirstItems } from '../../../export/read/first-items.ts';
import type { SalesReading } from '../../../export/row.ts';
import { textForm } from '../../../mapping/text-form.ts';
import { foreign, html, type Html, shownText } from '../../html.ts';
import { progressView } from '../../jobs/progress.ts';
import type { Run } from '../../jobs/run.ts';
import { errorText } from '../../engine/engine-text.ts';
import { formToken } from '../../layout.ts';
import type { Visitor } from '../../ui.ts';
import { fieldName, fieldValue, numberClass } from '../../words.ts';
import type { Preview } from '../file/preview.ts';
import { TEXTS } from './texts.ts';

export const READERS = ['insurer', 'accountant', 'marketplace', 'yourself'] as const;
export type Reader = (typeof READERS)[number];

/** Formats of a file for oneself: a workbook, or text; with a locale, dates and money are written as in that locale. */
export const FORMS = ['xlsx', 'csv', 'csv:de-DE', 'csv:en-GB', 'csv:en-US'] as const;

/** The chosen options; texts are '' if nothing was chosen. */
export interface ReportChoices {
  reader: Reader;
  currency: string;
  /** Its id. */
  collection: string;
  status: string;
  /** Conditions in the form of `--where`. */
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
  /** The choices that were refused just now. */
  asked: ReportChoices | undefined;
  /** A preview of the requested file. */
  look: ReportPreview | undefined;
  failure: Error | undefined;
}

/** The first items, or the sales totals. */
export type ReportPreview = FirstItems | { sales: SalesReading };

const FIELDS = [
  'brand',
  'series',
  'release_year',
  'condition',
  'packaging',
  'status',
  'estimated_value',
  'currency',
] as const;

function lookView(visitor: Visitor, look: ReportPreview): Html {
  const t = TEXTS[visitor.language];
  if ('sales' in look) {
    const { object: _, reported_at: __, ...totals } = look.sales;
    return html`<section class="card"><h2 id="look">${t.look}</h2><p class="soft">${t.salesHint}</p><div class="scroll" tabindex="0" role="region" aria-labelledby="look"><table><tbody>${Object.entries(
      totals,
    ).map(
      ([field, value]) =>
        html`<tr><th scope="row">${salesName(field, t)}</th><td class="number">${typeof value === 'number' ? visitor.words.count(value) : foreign(textForm(field, value), 80)}</td></tr>`,
    )}</tbody></table></div></section>`;
  }
  const { items, seen, more } = look;
  const used = FIELDS.filter((field) => items.some((item) => fieldValue(field, item[field], visitor) !== ''));
  const n = visitor.words.count(seen);
  return html`<section class="card"><h2 id="look">${t.look}</h2>
${
  items.length === 0
    ? html`<p>${more ? t.noneOf(n) : t.noneAtAll}</p>`
    : html`<p class="soft">${more ? t.someMore : t.thatIsAll}</p><div class="scroll" tabindex="0" role="region" aria-labelledby="look"><table><thead><tr><th scope="col">${fieldName('name', visitor)}</th>${used.map((field) => html`<th scope="col"${numberClass(field)}>${fieldName(field, visitor)}</th>`)}</tr></thead><tbody>${items.map(
        (item) =>
          html`<tr><th scope="row">${foreign(item.name, 80)}</th>${used.map((field) => html`<td${numberClass(field)}>${foreign(field === 'currency' ? item.currency.toUpperCase() : fieldValue(field, item[field], visitor), 60)}</td>`)}</tr>`,
      )}</tbody></table></div>`
}</section>`;
}

function salesName(field: string, t: (typeof TEXTS)['en']): string {
  const names: Readonly<Record<string, unknown>> = t;
  const name = names[`sales_${field}`];
  return typeof name === 'string' ? name : field;
}

export function reportsView(
  visitor: Visitor,
  { files, collections, asked, look, failure }: ReportsData,
): Html {
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
${failure === undefined ? '' : html`<div class="message bad" role="alert">${errorText(failure, visitor, 600)}</div>`}
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
<p class="actions"><button class="primary" data-primary>${t.make}</button><button name="do" value="look">${t.showFirst}</button></p></form>
${look === undefined ? '' : lookView(visitor, look)}
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
