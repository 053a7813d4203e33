import type { JobRow } from '../../../import/mend/look.ts';
import type { JobRecord } from '../../../ledger/ledger.ts';
import type { IssueReason } from '../../../mapping/issue-reasons.ts';
import { foreign, html, type Html, shownText } from '../../html.ts';
import { isChoice } from '../../jobs/mend.ts';
import { plannedLinks, stepLine } from '../../jobs/steps.ts';
import { formToken } from '../../layout.ts';
import { problemName } from '../../row-problems.ts';
import type { Visitor } from '../../ui.ts';
import { fieldName } from '../../words.ts';
import { optionsOf } from '../words/view.ts';
import { type MendTexts, TEXTS } from './texts.ts';

export interface MendColumn {
  header: string;
  letter: string;
  /** Place among a row's cells. */
  index: number;
  /** Whether anything is made of it. */
  used: boolean;
  /** How a correction names it. */
  name: string;
}

export interface MendData {
  job: JobRecord;
  upload: string | undefined;
  /** False for a job whose rows cannot be judged again. */
  usable: boolean;
  columns: MendColumn[];
  reasons: IssueReason[];
  chosen: IssueReason | undefined;
  rows: JobRow[];
  next: number | undefined;
  isFirst: boolean;
  /** Rows to mend, of all rows. */
  invalid: number;
  all: number;
  /** The newest corrections, newest first, in English. */
  steps: string[];
  stepCount: number;
  refusal: string | undefined;
}

/** Names a reason in addresses and forms. */
export function reasonKey({ code, column, field }: IssueReason): string {
  return [code, column ?? '', column === undefined ? (field ?? '') : ''].join(':');
}

export function mendView(visitor: Visitor, data: MendData): Html {
  const { job, invalid, all, chosen, usable, refusal } = data;
  const t = TEXTS[visitor.language];
  const n = (value: number) => visitor.words.count(value);
  return html`${stepLine(visitor, 'mend', plannedLinks(job.id, data.upload))}
<h1>${invalid === 0 ? t.none : t.title}</h1>
${invalid === 0 ? html`<p class="lead">${t.noneLead}</p>` : ''}
${usable ? '' : html`<p class="message warn">${t.cannot}</p>`}
${refusal === undefined ? '' : html`<div class="message bad" role="alert"><p><strong>${t.refused}</strong></p><p lang="en">${foreign(refusal, 800)}</p></div>`}
<div class="meter"><p role="status"><strong>${t.toMend(n(invalid))}</strong> <span class="soft">${t.ready(n(all - invalid), n(all))}</span></p>
<progress value="${all - invalid}" max="${Math.max(1, all)}" aria-label="${t.toMend(n(invalid))}"></progress></div>
${chosen === undefined ? '' : html`<div class="mend"><aside>${rail(visitor, t, data)}</aside><div class="mend-main">${usable ? fixes(visitor, t, job, chosen) : ''}${grid(visitor, t, data, chosen)}</div></div>`}
${steps(visitor, t, data)}
<p class="actions bar-actions"><a class="button primary" href="/job/${job.id}/plan" data-primary>${t.goOn}</a>
${job.files['rejects'] === undefined ? '' : html`<a class="button plain" href="/job/${job.id}/files/rejects" download>${t.rejects}</a>`}</p>`;
}

function rail(visitor: Visitor, t: MendTexts, { reasons, chosen }: MendData): Html {
  return html`<nav class="rail" aria-label="${t.reasons}"><h2>${t.reasons}</h2><ul>${reasons.map((reason) => {
    const { code, header, field = '', rows, message } = reason;
    const where =
      header === undefined || header === '' ? (field === '' ? '' : fieldName(field, visitor)) : header;
    return html`<li><a href="?reason=${encodeURIComponent(reasonKey(reason))}" ${reason === chosen ? html`aria-current="true"` : ''}><span class="number">${visitor.words.count(rows)}</span><span>${where === '' ? '' : html`<strong>${foreign(where, 40)}</strong> `}${problemName(code, visitor) ?? html`<span lang="en">${foreign(message, 160)}</span>`}</span></a></li>`;
  })}</ul></nav>`;
}

/** What can be done to all rows of a reason at once. */
function fixes(visitor: Visitor, t: MendTexts, job: JobRecord, reason: IssueReason): Html {
  const { code, column, field } = reason;
  const options = optionsOf(reason);
  const button = (fix: string, text: string) =>
    html`<button class="small" name="fix" value="${fix}">${text}</button>`;
  const hidden = html`${formToken(visitor)}<input type="hidden" name="reason" value="${reasonKey(reason)}">`;
  const isNeeded = field === 'name' || code === 'required';
  return html`<section class="card fixes"><h2>${t.forAll}</h2><div class="fix-row">
${
  column === undefined
    ? ''
    : html`<form method="post" action="/job/${job.id}/fix" class="inline">${hidden}<label>${t.set} <input name="text" autocomplete="off" required></label>${button('set', t.apply)}</form>`
}
<form method="post" action="/job/${job.id}/fix">${hidden}
${options.some(({ id }) => id === 'read') ? button('read', t.read) : ''}
${options.some(({ id }) => id === 'keep') ? button('keepYear', t.keepYear) : ''}
${column === undefined || isNeeded ? '' : html`${button('blank', t.blank)}${button('keep', t.keep)}${button('ignore', t.ignore)}`}
${button('omit', t.omit)}</form>
${isChoice(code) ? html`<a class="button small" href="/job/${job.id}/words">${t.words}</a>` : ''}</div></section>`;
}

function grid(
  visitor: Visitor,
  t: MendTexts,
  { job, columns, rows, next, isFirst, usable }: MendData,
  reason: IssueReason,
): Html {
  if (rows.length === 0) return html``;
  const n = (value: number) => visitor.words.count(value);
  const key = reasonKey(reason);
  // The column with the problem is seen first, then what is used, then the rest.
  const rank = ({ letter, used }: MendColumn) => (letter === reason.column ? 0 : used ? 1 : 2);
  const order = [...columns].sort((a, b) => rank(a) - rank(b) || a.index - b.index);
  const more = (after: number, text: string) =>
    html`<a class="button small" href="?reason=${encodeURIComponent(key)}${after > 0 ? html`&amp;after=${after}` : ''}">${text}</a> `;
  return html`<h2 id="grid-title">${t.rows}</h2>${usable ? html`<p class="soft" id="grid-how">${t.how}</p>` : ''}
<div class="scroll tall"><table class="grid" role="grid" aria-labelledby="grid-title" aria-describedby="grid-how" data-cells="/job/${job.id}/cells" data-undo="/job/${job.id}/undo-step" data-reason="${key}">
<thead><tr><th scope="col" class="number">${t.row}</th>${order.map(({ header, letter }) => html`<th scope="col" class="${letter === reason.column ? 'bad' : ''}">${header === '' ? letter : foreign(header, 40)}</th>`)}<td></td></tr></thead>
<tbody>${rows.map(({ row, sheet, cells, corrected, issues, mendable }, at) => {
    const wrong = new Set(issues.map(({ letter }) => letter));
    return html`<tr data-row="${row}" data-sheet="${shownText(sheet ?? '', 100)}"><th scope="row" class="number">${n(row)}</th>${order.map(
      ({ letter, index, name, header }, column) => {
        const text = corrected[letter] ?? cells[index] ?? '';
        const isWrong = wrong.has(letter);
        const about = issues.filter((issue) => issue.letter === letter).map(({ message }) => message);
        return html`<td data-column="${shownText(name, 200)}" data-text="${shownText(text, 32_767)}" class="${isWrong ? 'bad' : ''}${corrected[letter] === undefined ? '' : ' corrected'}" ${isWrong ? html`aria-invalid="true"` : ''} ${mendable && usable ? html`tabindex="${at === 0 && column === 0 ? '0' : '-1'}"` : html`aria-readonly="true"`} ${about.length === 0 ? '' : html`title="${shownText(about.join('; '), 400)}"`} data-label="${shownText(t.cell(header === '' ? letter : header, n(row)), 120)}">${foreign(text, 120)}</td>`;
      },
    )}<td class="tools">${
      mendable && usable
        ? html`<form method="post" action="/job/${job.id}/omit">${formToken(visitor)}<input type="hidden" name="reason" value="${key}"><input type="hidden" name="row" value="${row}"><input type="hidden" name="sheet" value="${sheet ?? ''}"><button class="small plain" aria-label="${t.omitRowOf(n(row))}">${t.omitRow}</button></form>`
        : ''
    }</td></tr>`;
  })}</tbody></table></div>
<p>${isFirst ? '' : more(0, t.first)}${next === undefined ? '' : more(next, t.more)}</p>`;
}

function steps(visitor: Visitor, t: MendTexts, { job, steps: texts, stepCount, chosen }: MendData): Html {
  if (stepCount === 0) return html``;
  return html`<div class="undo"><form method="post" action="/job/${job.id}/undo-step">${formToken(visitor)}${chosen === undefined ? '' : html`<input type="hidden" name="reason" value="${reasonKey(chosen)}">`}<button class="small">${t.undo}</button></form>
<details><summary>${t.steps(visitor.words.count(stepCount))}</summary><ol reversed lang="en">${texts.map((text) => html`<li>${foreign(text, 160)}</li>`)}</ol></details></div>`;
}
