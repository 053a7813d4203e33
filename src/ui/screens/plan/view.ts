import { basename } from 'node:path';
import type { ChangeRow } from '../../../import/review/change-rows.ts';
import type { PlanReport } from '../../../import/review/plan-report.ts';
import { PLAN_KINDS, type PlanCounts, type PlanKind } from '../../../import/review/plan-view.ts';
import type { FillDownOffer } from '../../../import/stage/fill-down.ts';
import type { JobRecord } from '../../../ledger/ledger.ts';
import { changeList } from '../../change-list.ts';
import { foreign, html, type Html, shownText } from '../../html.ts';
import type { Waiting } from '../../decide/decide.ts';
import { waitingView } from '../../decide/view.ts';
import { fillDownView } from '../../jobs/fill-down.ts';
import { knownState } from '../../jobs/old-form.ts';
import { plannedLinks, stepLine } from '../../jobs/steps.ts';
import { errorText, type ErrorSummary, problemText } from '../../engine/engine-text.ts';
import { formToken } from '../../layout.ts';
import type { Visitor } from '../../ui.ts';
import { blankText, fieldName, fieldValue, numberClass } from '../../words.ts';
import type { SimilarPair } from './similar.ts';
import { type PlanTexts, TEXTS } from './texts.ts';
import { JOB_KINDS } from '../../../import/job/job-kinds.ts';

export interface PlanData {
  job: JobRecord;
  upload: string | undefined;
  counts: PlanCounts;
  kind: PlanKind;
  rows: (ChangeRow & { source: string[] })[];
  /** Place of the cell that holds the name. */
  nameAt: number;
  /** Rows of the job that the service has. */
  sent: number;
  /** Ordinal after which the next page begins. */
  next: number | undefined;
  offers: FillDownOffer[];
  report: PlanReport;
  /** The job that has already sent this file. */
  earlier: { id: string; at: number } | undefined;
  /** The first likely duplicates. */
  pairs: SimilarPair[];
  /** Rows that a person has to decide about. */
  waiting: Waiting;
  /** Whether duplicates were just looked for. */
  compared: boolean;
  /** Why nothing was sent: a question that has to be answered, or an error. */
  question: ErrorSummary | undefined;
  /** What its form sends back if a person says yes; undefined if no answer helps. */
  sure: string | undefined;
  /** The most rows that the run was asked to send whose question it is. */
  first: number | undefined;
  /** Sent back by its forms: another plan than the one that was shown is not sent. */
  version: string;
  /** Whether a form of an older plan was just sent. */
  isOutdated: boolean;
  /** Other collections that new items could go to; undefined once rows were sent. */
  collections: { id: string; name: string }[] | undefined;
}

const CANARY_FROM = 40;

export function planView(visitor: Visitor, data: PlanData): Html {
  const { job, counts } = data;
  const t = TEXTS[visitor.language];
  const isUndo = JOB_KINDS[job.kind].takesBack;
  const name = basename(job.source.file).replace(isUndo ? /\.undo\.csv$/ : /^$/, '');
  return html`${isUndo ? '' : stepLine(visitor, 'plan', plannedLinks(job.id, data.upload))}
<h1>${isUndo ? t.undoTitle : t.title}</h1>
<p class="lead">${t.from(shownText(name, 100))} ${job.firstSentAt === undefined ? t.unsent : t.sentRows(data.sent, visitor.words.count(data.sent))}${data.report.estimatedMs === null || toSend(counts) === 0 ? '' : ` ${t.time(visitor.words.span(data.report.estimatedMs))}`}</p>
${data.isOutdated ? html`<section class="message warn" role="alert"><h2>${t.notSent}</h2><p>${t.outdated}</p></section>` : ''}${question(visitor, t, data)}
${into(visitor, t, data)}
${fillDownView(visitor, job, data.offers, 'plan')}
<ul class="figures">${PLAN_KINDS.filter((kind) => counts[kind] > 0 || kind === 'create').map(
    (kind) =>
      html`<li><a href="?show=${kind}#rows" class="${kind}" ${kind === data.kind ? html`aria-current="true"` : ''}><span class="value">${visitor.words.count(counts[kind])}</span><span>${t[kind]}</span></a></li>`,
  )}</ul>
${values(visitor, t, data.report)}
${archives(visitor, t, job)}
${changedFields(visitor, t, data.report)}
${waitingView(visitor, job, data.waiting, counts.held, 'plan')}${similar(visitor, t, data)}
${send(visitor, t, data)}
<section><h2 id="rows">${t[data.kind]}</h2>${rowTable(visitor, t, data)}</section>`;
}

function toSend({ create, update, archive }: PlanCounts): number {
  return create + update + archive;
}

function question(visitor: Visitor, t: PlanTexts, data: PlanData): Html {
  const { question: asked, sure, first, earlier, job } = data;
  if (asked !== undefined)
    return html`<section class="message warn" role="alert"><h2>${sure !== undefined ? t.sure : job.firstSentAt === undefined ? t.notSent : t.restNotSent}</h2>${errorText(asked, visitor, 1500)}
${sure !== undefined ? html`<form method="post" action="/job/${job.id}/send" class="actions">${formToken(visitor)}${knownState(job, data.version)}${first === undefined ? '' : html`<input type="hidden" name="how" value="first">`}<button class="primary" data-primary name="sure" value="${sure}">${t.yes}</button><a class="button plain" href="/">${t.no}</a></form>` : ''}</section>`;
  if (earlier === undefined) return html``;
  return html`<section class="message"><p>${t.known(visitor.words.date(earlier.at))}</p><p class="actions"><a class="button" href="/job/${earlier.id}/result">${t.seeEarlier}</a></p></section>`;
}

/** The collection that new items go to. It can still be changed; all other choices stay. */
function into(visitor: Visitor, t: PlanTexts, { job, collections }: PlanData): Html {
  const used = new Set(Object.values(job.collections));
  const names = collections?.filter(({ id }) => used.has(id)).map(({ name }) => name) ?? [];
  if (collections === undefined || names.length === 0) return html``;
  const label = names.map((name) => shownText(name, 60)).join(', ');
  return html`<details class="into"><summary>${t.into(label)} <span class="soft">${t.change}</span></summary><form method="post" action="/job/${job.id}/collection" class="inline">${formToken(visitor)}<label>${t.intoOther} <select name="collection">${collections.map(
    ({ id, name }) =>
      html`<option value="${id}" ${used.has(id) ? html`selected` : ''}>${shownText(name, 60)}</option>`,
  )}</select></label><button class="small">${t.change}</button></form></details>`;
}

function values(visitor: Visitor, t: PlanTexts, { values: effects }: PlanReport): Html {
  if (effects.length === 0) return html``;
  const amount = (text: string) => visitor.words.amount(Number(text));
  return html`<ul class="figures plain">${effects.map(({ currency, before, after }) =>
    currency === null
      ? html`<li><span class="value">${amount(after)}</span><span>${t.newValue}, <span class="soft">${t.newValueHint}</span></span></li>`
      : html`<li><span class="value">${amount(after)} ${currency.toUpperCase()}</span><span>${t.value} ${t.after} <span class="soft">(${t.before} ${amount(before)})</span></span></li>`,
  )}</ul>`;
}

/** The items that `--missing archive` found. */
function archives({ words }: Visitor, t: PlanTexts, { plan: { missing } }: JobRecord): Html {
  if (missing === undefined) return html``;
  return html`<p class="message">${t.archives(words.count(missing.items), words.count(missing.of))}</p>`;
}

function changedFields(visitor: Visitor, t: PlanTexts, { fields, transitions }: PlanReport): Html {
  if (fields.length === 0) return html``;
  return html`<details class="card"><summary>${t.fields}</summary><ul>${fields.map(
    ({ field, items, emptied }) =>
      html`<li><strong>${foreign(fieldName(field, visitor), 60)}</strong>: ${visitor.words.counted(items, t.item, t.items)}${emptied === 0 ? '' : `, ${t.emptied(visitor.words.count(emptied))}`}${transitions
        .filter((each) => each.field === field)
        .slice(0, 6)
        .map(
          ({ from, to, items: some }) =>
            html`<br><span class="soft">${foreign(fieldValue(field, from, visitor) || blankText(visitor), 40)} → ${foreign(fieldValue(field, to, visitor) || blankText(visitor), 40)}: ${visitor.words.count(some)}</span>`,
        )}</li>`,
  )}</ul></details>`;
}

function send(visitor: Visitor, t: PlanTexts, data: PlanData): Html {
  const { job, counts, earlier, sure } = data;
  // If a question is shown above, its buttons are the primary action.
  const isAsked = sure !== undefined;
  const main = isAsked ? html`` : html`data-primary`;
  const look = isAsked ? '' : 'primary';
  const all = toSend(counts);
  const n = visitor.words.count(all);
  const discard =
    job.firstSentAt !== undefined
      ? ''
      : html`<form method="post" action="/job/${job.id}/discard">${formToken(visitor)}<button class="plain">${t.discard}</button></form>`;
  if (all === 0 || earlier !== undefined) {
    const primary =
      counts.invalid > 0 && earlier === undefined
        ? html`<a class="button ${look}" href="/job/${job.id}/mend" ${main}>${t.mendNow}</a>`
        : html`<a class="button ${look}" href="/" ${main}>${t.home}</a>`;
    return html`<section>${earlier === undefined ? html`<p><strong>${t.nothing}</strong> ${t.nothingHelp}</p>` : ''}<div class="actions bar-actions">${primary}${discard}</div></section>`;
  }
  const label = JOB_KINDS[job.kind].takesBack
    ? t.takeBack(n)
    : counts.invalid > 0
      ? all === 1
        ? t.sendOneGood
        : t.sendGood(n)
      : all === 1 || job.plan.similar !== undefined
        ? t.sendOne
        : t.send(n);
  return html`<section>${counts.invalid === 0 ? '' : html`<p class="message warn">${t.invalidNote(visitor.words.count(counts.invalid))} <a href="/job/${job.id}/mend">${t.mend}</a></p>`}
<div class="actions bar-actions"><form method="post" action="/job/${job.id}/send" id="send">${formToken(visitor)}${knownState(job, data.version)}<button class="${look}" ${main} name="how" value="all">${label}</button></form>
${all < CANARY_FROM ? '' : html`<button name="how" value="first" form="send">${t.sendFirst('20')}</button>`}
<a class="button plain" href="/job/${job.id}/plan.xlsx" title="${t.downloadHint}">${t.download}</a>${discard}</div></section>`;
}

const MAIN_FIELDS = [
  'brand',
  'series',
  'release_year',
  'condition',
  'packaging',
  'status',
  'estimated_value',
];
/** Likely duplicates, side by side with the items that they look like, and the choices for them. */
function similar(visitor: Visitor, t: PlanTexts, { job, counts, pairs, compared }: PlanData): Html {
  if (job.mode !== 'create' || counts.create === 0) return html``;
  const found = job.plan.similar;
  if (found === undefined)
    return html`${compared ? html`<p class="message good" role="status">${t.noSimilar}</p>` : ''}
<form method="post" action="/job/${job.id}/compare" class="actions">${formToken(visitor)}<button class="small">${t.compare}</button></form>`;
  const choice = (value: string, text: string, isOn: boolean) =>
    html`<label class="option"><input type="radio" name="similar" value="${value}" form="send" ${isOn ? html`checked` : ''}>${text}</label>`;
  return html`<section aria-labelledby="similar"><h2 id="similar">${t.similar(visitor.words.count(found.rows))}</h2>
<fieldset class="inline"><legend>${t.similarWhat}</legend>${choice('skip', t.similarSkip, true)}${choice('create', t.similarCreate, false)}</fieldset>
<ul class="cards">${pairs.map((pair) => pairCard(visitor, t, pair))}</ul></section>`;
}

function pairCard(visitor: Visitor, t: PlanTexts, { row, fields, item }: SimilarPair): Html {
  const there = item as Record<string, unknown>;
  const used = ['name', ...MAIN_FIELDS]
    .map((field) => ({
      field,
      mine: fieldValue(field, fields[field], visitor),
      theirs: fieldValue(field, there[field], visitor),
    }))
    .filter(({ mine, theirs }) => mine !== '' || theirs !== '');
  const cell = (text: string, differs: boolean) =>
    html`<td>${differs ? html`<ins>${foreign(text || blankText(visitor), 80)}</ins>` : foreign(text, 80)}</td>`;
  return html`<li class="card"><table><thead><tr><td></td><th scope="col">${t.sheetRow(visitor.words.count(row))}</th><th scope="col">${t.isThere}</th></tr></thead><tbody>${used.map(
    ({ field, mine, theirs }) =>
      html`<tr><th scope="row">${foreign(fieldName(field, visitor), 40)}</th>${cell(mine, mine !== theirs)}${cell(theirs, mine !== theirs)}</tr>`,
  )}</tbody></table></li>`;
}

/** Maximum number of fields on the screen; the plan as a file has all of them. */
const FIELDS_SHOWN = 10;

function rowTable(visitor: Visitor, t: PlanTexts, { kind, rows, next, nameAt }: PlanData): Html {
  if (rows.length === 0) return html`<p class="soft">${t.empty}</p>`;
  const more =
    next === undefined
      ? ''
      : html`<p><a class="button" href="?show=${kind}&amp;after=${next}#rows">${t.more}</a></p>`;
  const fields = kind === 'create' ? fieldsOf(rows) : [];
  const head =
    kind === 'create'
      ? fields.map(
          (field) =>
            html`<th scope="col"${numberClass(field)}>${foreign(fieldName(field, visitor), 40)}</th>`,
        )
      : html`<th scope="col">${kind === 'update' || kind === 'archive' || kind === 'held' ? t.what : t.why}</th>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${t[kind]}"><table><thead><tr><th scope="col" class="number">${t.row}</th><th scope="col">${t.name}</th>${head}</tr></thead>
<tbody>${rows.map(
    (row) =>
      html`<tr><td class="number">${visitor.words.count(row.row)}</td><th scope="row">${foreign(nameOf(row, nameAt), 100)}${row.itemId === null ? '' : html`<details class="small"><summary>${t.details}</summary>${t.itemId}: <code>${row.itemId}</code></details>`}</th>${
        kind === 'create'
          ? fields.map(
              (field) =>
                html`<td${numberClass(field)}>${foreign(fieldValue(field, row.changes.find((each) => each.field === field)?.to, visitor), 80)}</td>`,
            )
          : html`<td>${kind === 'skipped' || kind === 'invalid' ? '' : changeList(visitor, row)}${row.issues.map((issue) => html`<p>${problemText(issue, visitor)}</p>`)}</td>`
      }</tr>`,
  )}</tbody></table></div>${more}`;
}

function fieldsOf(rows: PlanData['rows']): string[] {
  const used = new Set(rows.flatMap((row) => row.changes.map(({ field }) => field)));
  used.delete('name');
  const main = MAIN_FIELDS.filter((field) => used.has(field));
  return [...main, ...[...used].filter((field) => !main.includes(field))].slice(0, FIELDS_SHOWN);
}

/** The name of a row. An invalid row has no fields yet, so its cell in the name column is shown. */
function nameOf(row: PlanData['rows'][number], nameAt: number): string {
  return row.name || row.source[nameAt] || '';
}
