import type { JobRow } from '../../../import/correction/job-rows.ts';
import type { FillDownOffer } from '../../../import/stage/fill-down.ts';
import { ACCEPTABLE } from '../../../mapping/template/change.ts';
import type { JobRecord } from '../../../ledger/ledger.ts';
import type { IssueReason } from '../../../mapping/issue-reasons.ts';
import { isWordField, WORD_FIELDS } from '../../../mapping/word-lists.ts';
import { OF_KEYS } from '../../../import/results/undecided.ts';
import { foreign, html, type Html, shownText } from '../../html.ts';
import { fillDownView } from '../../jobs/fill-down.ts';
import { isChoice } from '../../jobs/mend.ts';
import { plannedLinks, stepLine } from '../../jobs/steps.ts';
import { errorText, problemName, speaking } from '../../engine/engine-text.ts';
import { formToken } from '../../layout.ts';
import type { Visitor } from '../../ui.ts';
import { fieldName, fieldValue } from '../../words.ts';
import { type MendTexts, TEXTS } from './texts.ts';

export interface MendColumn {
  header: string;
  letter: string;
  /** Place among a row's cells. */
  index: number;
  /** Whether the column is used. */
  used: boolean;
  /** How a correction names the column. */
  name: string;
}

/** Data that is the same for all rows of the screen. */
export interface MendStanding {
  job: JobRecord;
  /** False for a job whose rows cannot be checked again. */
  usable: boolean;
  columns: MendColumn[];
  reasons: IssueReason[];
  /** `all` also shows the rows without a problem. */
  chosen: IssueReason | 'all' | undefined;
  /** Numbers of rows to send and to mend, out of all rows. */
  planned: number;
  invalid: number;
  all: number;
  /** The newest corrections, newest first. */
  steps: string[];
  stepCount: number;
  refusal: Error | undefined;
}

export interface MendData extends MendStanding {
  upload: string | undefined;
  offers: FillDownOffer[];
  rows: JobRow[];
  next: number | undefined;
  /** Whether rows can be sent now. */
  ready: boolean;
  /** Only rows with this text in the cell of the reason; '' shows all. */
  word: string;
  /** Only rows that contain this text; '' shows all. */
  text: string;
  /** After a workbook was returned: the number of corrections, and of rows that differ but were sent before. */
  returned: { corrected: number; sent: number } | undefined;
  /** The row after which this page begins. */
  after: number;
  isFirst: boolean;
}

/** Names a reason in addresses and forms. */
export function reasonKey(reason: IssueReason | 'all'): string {
  if (reason === 'all') return reason;
  const { code, column, field } = reason;
  return [code, column ?? '', column === undefined ? (field ?? '') : ''].join(':');
}

export function mendView(visitor: Visitor, data: MendData): Html {
  const { job, invalid, chosen, usable, reasons } = data;
  const t = TEXTS[visitor.language];
  return html`${stepLine(visitor, 'mend', plannedLinks(job.id, data.upload))}
${head(visitor, t, data)}
<p class="hidden" id="mend-told" aria-live="polite"></p>
${usable ? '' : html`<p class="message warn">${t.cannot}</p>`}
${data.returned === undefined ? '' : html`<p class="message" role="status">${t.returned(visitor.words.count(data.returned.corrected))}${data.returned.sent === 0 ? '' : ` ${t.returnedSent(visitor.words.count(data.returned.sent))}`}</p>`}
${fillDownView(visitor, job, data.offers, 'mend')}
<div class="mend">${rail(visitor, t, data)}<div class="mend-main">${usable && chosen !== undefined && chosen !== 'all' ? fixes(visitor, t, job, chosen) : ''}${chosen === undefined ? '' : grid(visitor, t, data, chosen)}</div></div>
${steps(visitor, t, data)}
${usable && invalid > 0 && job.source.format === 'xlsx' ? ownWorkbook(visitor, t, job) : ''}
<div class="actions bar-actions">${goOn(visitor, t, data)}
${invalid === 0 && reasons.length === 0 ? '' : html`<a class="button plain" href="/job/${job.id}/files/rejects" download>${t.rejects}</a>`}</div>`;
}

/** Mending in a spreadsheet program: download the marked file, and return it. */
function ownWorkbook(visitor: Visitor, t: MendTexts, job: JobRecord): Html {
  return html`<details class="card" id="own-workbook"><summary>${t.inWorkbook}</summary><p>${t.inWorkbookHow}</p>
<p><a class="button" href="/job/${job.id}/marked" download>${t.marked}</a></p>
<form method="post" action="/file" enctype="multipart/form-data" class="fields">${formToken(visitor)}<input type="hidden" name="job" value="${job.id}">
<label for="returned">${t.bringBack}</label><input id="returned" type="file" name="file" required>
<p class="actions"><button>${t.takeBack}</button></p></form></details>`;
}

/**
 * The button to continue: it leaves out rows that look like totals. If nothing can be sent, it leads to the start page.
 */
function goOn(visitor: Visitor, t: MendTexts, { job, chosen, usable, ready }: MendData): Html {
  const link = (href: string, text: string) =>
    html`<a class="button primary" href="${href}" data-primary>${text}</a>`;
  if (usable && chosen !== undefined && chosen !== 'all' && chosen.code === ACCEPTABLE) {
    const reason = html`<input type="hidden" name="reason" value="${reasonKey(chosen)}"><input type="hidden" name="then" value="next">`;
    return html`<form method="post" action="/job/${job.id}/fix">${formToken(visitor)}${reason}<button class="primary" name="fix" value="omit" data-primary>${t.omitAndGoOn(visitor.words.count(chosen.rows))}</button></form>${ready ? html`<a class="button" href="/job/${job.id}/plan">${t.goOn}</a>` : ''}`;
  }
  return ready || chosen === undefined ? link(`/job/${job.id}/plan`, t.goOn) : link('/', t.laterHome);
}

/** The answer to a correction: each part replaces the element with its id. */
export function mendPart(visitor: Visitor, data: MendStanding, rows: readonly JobRow[]): Html {
  const t = TEXTS[visitor.language];
  return html`${head(visitor, t, data, true)}${rail(visitor, t, data, true)}${steps(visitor, t, data, true)}
<p class="hidden" id="mend-told" aria-live="polite" hx-swap-oob="innerHTML">${data.refusal === undefined ? t.toMend(visitor.words.count(data.invalid)) : t.refused}</p>
<template>${rows.map((row) => gridRow(visitor, t, data, row, true))}</template>`;
}

const OUT_OF_BAND = html`hx-swap-oob="true"`;

function head(visitor: Visitor, t: MendTexts, { invalid, all, refusal }: MendStanding, isPart = false): Html {
  const n = (value: number) => visitor.words.count(value);
  return html`<div id="mend-head" ${isPart ? OUT_OF_BAND : ''}><h1>${invalid === 0 ? t.none : t.title}</h1>
${invalid === 0 ? html`<p class="lead">${t.noneLead}</p>` : ''}
${refusal === undefined ? '' : html`<div class="message bad" role="alert"><p><strong>${t.refused}</strong></p>${errorText(refusal, visitor, 800)}</div>`}
<div class="meter"><p role="status"><strong>${t.toMend(n(invalid))}</strong> <span class="soft">${t.ready(n(all - invalid), n(all))}</span></p>
<progress value="${all - invalid}" max="${Math.max(1, all)}" aria-label="${t.toMend(n(invalid))}"></progress></div></div>`;
}

function rail(
  visitor: Visitor,
  t: MendTexts,
  { reasons, chosen, all, usable }: MendStanding,
  isPart = false,
): Html {
  const entry = (reason: IssueReason | 'all', rows: number, text: Html) =>
    html`<li><a href="?reason=${encodeURIComponent(reasonKey(reason))}" ${reason === chosen ? html`aria-current="true"` : ''}><span class="number">${visitor.words.count(rows)}</span><span>${text}</span></a></li>`;
  return html`<aside id="mend-rail" ${isPart ? OUT_OF_BAND : ''}><nav class="rail" aria-label="${t.reasons}"><h2>${t.reasons}</h2><ul>${reasons.map(
    (reason) => {
      const { code, header, field = '', rows } = reason;
      const where =
        header === undefined || header === '' ? (field === '' ? '' : fieldName(field, visitor)) : header;
      return entry(
        reason,
        rows,
        html`${where === '' ? '' : html`<strong>${foreign(where, 40)}</strong> `}${problemName(code, visitor)}`,
      );
    },
  )}${usable ? entry('all', all, html`${t.allRows}`) : ''}</ul></nav></aside>`;
}

/** Buttons that correct all rows of a reason at once. */
function fixes(visitor: Visitor, t: MendTexts, job: JobRecord, reason: IssueReason): Html {
  const { code, column, field } = reason;
  const button = (fix: string, text: string) =>
    html`<button class="small" name="fix" value="${fix}">${text}</button>`;
  const hidden = html`${formToken(visitor)}<input type="hidden" name="reason" value="${reasonKey(reason)}">`;
  const isNeeded = field === 'name' || code === 'required';
  return html`<section class="card fixes"><h2>${t.forAll}</h2><div class="fix-row">
${
  column === undefined
    ? ''
    : html`<form method="post" action="/job/${job.id}/fix" class="inline">${hidden}<label>${t.set} ${
        field !== undefined && isWordField(field)
          ? html`<select name="text" required><option value=""></option>${WORD_FIELDS[field].map((value) => html`<option value="${value}">${fieldValue(field, value, visitor)}</option>`)}</select>`
          : html`<input name="text" autocomplete="off" required>`
      }</label>${button('set', t.apply)}</form>`
}
<form method="post" action="/job/${job.id}/fix">${hidden}
${column === undefined || isNeeded ? '' : html`${button('blank', t.blank)}${button('keep', t.keep)}${button('ignore', t.ignore)}`}
${code === ACCEPTABLE ? button('accept', t.accept) : ''}${button('omit', t.omit)}</form>
${OF_KEYS.has(code) ? html`<a class="button small" href="/job/${job.id}/plan#choose">${t.chooseItems}</a>` : ''}${isChoice(code) ? html`<a class="button small" href="/job/${job.id}/words">${t.words}</a>` : ''}</div></section>`;
}

function grid(visitor: Visitor, t: MendTexts, data: MendData, reason: IssueReason | 'all'): Html {
  const { job, rows, next, isFirst, usable, after, word, text } = data;
  const key = reasonKey(reason);
  const more = (at: number, label: string) =>
    html`<a class="button small" href="?${new URLSearchParams({ reason: key, ...(word === '' ? {} : { word }), ...(text === '' ? {} : { text }), ...(at > 0 ? { after: String(at) } : {}) }).toString()}">${label}</a> `;
  const title = reason === 'all' ? t.allRows : t.rows;
  return html`<div class="grid-head"><h2 id="grid-title">${title}</h2>${
    usable
      ? html`<form method="get" action="/job/${job.id}/mend" hx-get="/job/${job.id}/mend" hx-target="#mend-rows" hx-select="#mend-rows" hx-swap="outerHTML" hx-replace-url="true" class="inline jump"><input type="hidden" name="reason" value="${key}"><label>${t.goTo} <input name="row" inputmode="numeric" pattern="[0-9]+" required autocomplete="off"></label><button class="small">${t.go}</button></form><form method="get" action="/job/${job.id}/mend" class="inline jump" role="search"><input type="hidden" name="reason" value="${key}"><label>${t.search} <input name="text" type="search" value="${shownText(text, 100)}" autocomplete="off"></label><button class="small">${t.find}</button></form>`
      : ''
  }</div><div id="mend-rows">${usable ? html`<p class="soft" id="grid-how">${t.how}</p>` : ''}
${onlyWords(visitor, t, reason, word)}${
  rows.length === 0
    ? html`<p class="soft">${t.noRows}</p>`
    : html`<div class="scroll tall"><table class="grid" role="grid" aria-labelledby="grid-title" aria-describedby="grid-how" data-cells="/job/${job.id}/cells" data-undo="/job/${job.id}/undo-step" data-reason="${key}" data-after="${after}" hx-sync="this:queue all">
<thead><tr><th scope="col" class="number">${t.row}</th>${inOrder(data).map(({ header, letter }) => html`<th scope="col" class="${isAbout(reason, letter) ? 'bad' : ''}">${header === '' ? letter : foreign(header, 40)}</th>`)}<td></td></tr></thead>
<tbody>${rows.map((row, at) => gridRow(visitor, t, data, row, false, at === 0))}</tbody></table></div>`
}
<p>${isFirst ? '' : more(0, t.first)}${next === undefined ? '' : more(next, t.more)}</p></div>`;
}

/** For a reason with several words: shows the rows of one word. */
function onlyWords(visitor: Visitor, t: MendTexts, reason: IssueReason | 'all', word: string): Html {
  if (reason === 'all' || reason.kinds < 2) return html``;
  const key = reasonKey(reason);
  const link = (value: string, label: Html) =>
    html`<a class="sample" href="?${new URLSearchParams({ reason: key, ...(value === '' ? {} : { word: value }) }).toString()}" ${value === word ? html`aria-current="true"` : ''}>${label}</a> `;
  return html`<p class="soft">${t.onlyWords} ${link('', html`${t.allWords}`)}${reason.values
    .slice(0, WORDS_SHOWN)
    .map(({ text, rows }) =>
      link(text, html`${foreign(text, 40)} <span class="soft">(${visitor.words.count(rows)})</span>`),
    )}</p>`;
}

const WORDS_SHOWN = 12;

function isAbout(reason: MendStanding['chosen'], letter: string): boolean {
  return reason !== undefined && reason !== 'all' && reason.column === letter;
}

/**
 * Order of columns: the column with the problem first, then used columns, then the rest; if all rows are shown, as in
 * the file.
 */
function inOrder({ columns, chosen }: MendStanding): MendColumn[] {
  if (chosen === 'all') return columns;
  const rank = ({ letter, used }: MendColumn) => (isAbout(chosen, letter) ? 0 : used ? 1 : 2);
  return [...columns].sort((a, b) => rank(a) - rank(b) || a.index - b.index);
}

/** @param isEntry the row where Tab enters the grid */
function gridRow(
  visitor: Visitor,
  t: MendTexts,
  data: MendStanding,
  { ordinal, row, sheet, cells, corrected, issues, mendable, state }: JobRow,
  isPart: boolean,
  isEntry = false,
): Html {
  const n = (value: number) => visitor.words.count(value);
  const { job, usable, chosen } = data;
  const wrong = new Set(issues.map(({ letter }) => letter));
  const canMend = mendable && usable;
  const tool = (what: 'accept' | 'omit', text: string, label: string) =>
    html`<form method="post" action="/job/${job.id}/${what}" hx-post="/job/${job.id}/${what}" hx-swap="none">${formToken(visitor)}${kept(chosen)}<input type="hidden" name="row" value="${row}"><input type="hidden" name="sheet" value="${sheet ?? ''}"><button class="small plain" aria-label="${label}">${text}</button></form>`;
  const standing =
    state === 'planned'
      ? html` <span class="ready" title="${t.isReady}">✓<span class="hidden">${t.isReady}</span></span>`
      : state === 'skipped'
        ? html` <span class="hidden">${t.isLeftOut}</span>`
        : '';
  return html`<tr id="row-${ordinal}" class="${state}" ${isPart ? OUT_OF_BAND : ''} data-row="${row}" data-sheet="${shownText(sheet ?? '', 100)}"><th scope="row" class="number">${n(row)}${standing}</th>${inOrder(
    data,
  ).map(({ letter, index, name, header }, column) => {
    const text = corrected[letter] ?? cells[index] ?? '';
    const isWrong = wrong.has(letter);
    const about = issues
      .filter((issue) => issue.letter === letter)
      .map(({ code, said }) => (said === undefined ? problemName(code, visitor) : speaking(visitor)(said)));
    return html`<td data-column="${shownText(name, 200)}" data-text="${shownText(text, 32_767)}" class="${isWrong ? 'bad' : ''}${corrected[letter] === undefined ? '' : ' corrected'}" ${isWrong ? html`aria-invalid="true"` : ''} ${canMend ? html`tabindex="${isEntry && column === 0 ? '0' : '-1'}"` : html`aria-readonly="true"`} ${about.length === 0 ? '' : html`title="${shownText(about.join('; '), 400)}"`} data-label="${shownText(t.cell(header === '' ? letter : header, n(row)), 120)}">${foreign(text, 120)}</td>`;
  })}<td class="tools">${canMend && state === 'invalid' && issues.some(({ code }) => code === ACCEPTABLE) ? tool('accept', t.acceptRow, t.acceptRowOf(n(row))) : ''}${canMend && state !== 'skipped' ? tool('omit', t.omitRow, t.omitRowOf(n(row))) : ''}</td></tr>`;
}

function kept(chosen: MendStanding['chosen']): Html {
  return chosen === undefined
    ? html``
    : html`<input type="hidden" name="reason" value="${reasonKey(chosen)}">`;
}

function steps(
  visitor: Visitor,
  t: MendTexts,
  { job, steps: texts, stepCount, chosen }: MendStanding,
  isPart = false,
): Html {
  const body = html`<form method="post" action="/job/${job.id}/undo-step" hx-post="/job/${job.id}/undo-step" hx-swap="none">${formToken(visitor)}${kept(chosen)}<input type="hidden" name="steps" value="${stepCount}"><button class="small">${t.undo}</button></form>
<details><summary>${stepCount === 1 ? t.oneStep : t.steps(visitor.words.count(stepCount))}</summary><ol reversed>${texts.map((text) => html`<li>${foreign(text, 160)}</li>`)}</ol></details>`;
  return html`<div class="undo" id="mend-steps" ${isPart ? OUT_OF_BAND : ''}>${stepCount === 0 ? '' : body}</div>`;
}
