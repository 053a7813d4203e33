import type { JobSummary } from '../../../import/results/summary.ts';
import type { ChangeRow } from '../../../import/review/change-rows.ts';
import type { JobRecord } from '../../../ledger/ledger.ts';
import type { Message } from '../../../messages/params.ts';
import { changeList } from '../../change-list.ts';
import { foreign, html, type Html, shownText } from '../../html.ts';
import type { Waiting } from '../../decide/decide.ts';
import { waitingView } from '../../decide/view.ts';
import { knownState } from '../../jobs/old-form.ts';
import { stepLine } from '../../jobs/steps.ts';
import { errorText, noteText, type ErrorSummary, problemWithWords } from '../../engine/engine-text.ts';
import { formToken } from '../../layout.ts';
import type { Visitor } from '../../ui.ts';
import { type ResultTexts, TEXTS } from './texts.ts';
import { JOB_KINDS } from '../../../import/job/job-kinds.ts';

interface ShownRow extends ChangeRow {
  ordinal: number;
  source: string[];
}

/** Rows of a page of what was written. */
export const WRITTEN_SHOWN = 50;
export const DELETIONS_SHOWN = 200;

interface ResultData {
  job: JobRecord;
  /** Sent back by its forms: another plan than the one that was shown is not sent. */
  version: string;
  title: string;
  totals: JobSummary['rows'];
  /** Value of the added items. */
  worth: number | undefined;
  waiting: Waiting;
  /** Values that the server did not keep. */
  lost: Message[];
  /** The written rows; one more than is shown, if there are more. */
  written: ShownRow[];
  /** After an undo: items to delete by hand; one more than is shown, if there are more. */
  toDelete: { id: string; name: string }[];
  refused: ShownRow[];
  failure: ErrorSummary | undefined;
}

const REASONS: Readonly<Record<string, keyof ResultTexts>> = {
  parked_limit: 'error_limit',
  parked_unreachable: 'error_unreachable',
  parked_unauthorised: 'error_unauthorised',
  parked_refused: 'error_refused',
  parked_disk: 'error_disk',
  interrupted: 'error_interrupted',
  running: 'error_interrupted',
  paused: 'error_paused',
};

export function resultView(visitor: Visitor, data: ResultData): Html {
  const { job, totals, waiting, refused, failure, lost } = data;
  const t = TEXTS[visitor.language];
  const { words } = visitor;
  const isDone = job.state === 'done';
  const title = isDone
    ? JOB_KINDS[job.kind].takesBack
      ? t.doneUndo
      : totals.held + totals.invalid + totals.refused > 0
        ? t.doneBut
        : t.done
    : job.state === 'cancelled'
      ? t.cancelled
      : t.notDone;
  const reason = REASONS[job.state];
  return html`${JOB_KINDS[job.kind].bringsTable ? stepLine(visitor, 'result', {}) : ''}
<h1>${title}</h1>
<p class="lead">${foreign(t.lead(data.title, words.dateTime(job.firstSentAt ?? job.createdAt)), 200)}</p>
${reason === undefined ? '' : html`<p class="message warn">${t[reason]}</p>`}
${failure === undefined ? '' : html`<div class="message bad" role="alert">${errorText(failure, visitor)}</div>`}
${lost.map((each) => html`<p class="message warn">${noteText(each, visitor)}</p>`)}
${figures(visitor, t, data)}
${actions(visitor, t, data)}
${waitingView(visitor, job, waiting, totals.held, 'result')}
${refused.length === 0 ? '' : refusedRows(visitor, t, refused, totals.refused)}
${totals.invalid === 0 || isDone ? '' : html`<section class="card"><h2>${t.mendTitle(words.count(totals.invalid))}</h2><p class="actions"><a class="button" href="/job/${job.id}/mend">${t.mend}</a></p></section>`}
${deletions(t, data)}${writtenRows(visitor, t, data)}
<div class="columns">${files(t, job)}${undo(visitor, t, data)}</div>`;
}

function figures({ words }: Visitor, t: ResultTexts, { job, totals, worth }: ResultData): Html {
  const figure = (value: number, text: string, kind: string) =>
    value === 0
      ? ''
      : html`<li class="${kind}"><span class="value">${words.count(value)}</span><span>${text}</span></li>`;
  const { created, updated, unchanged, skipped, invalid, refused, held, pending } = totals;
  return html`<ul class="figures">${figure(created, worth === undefined ? t.created : t.createdWorth(words.amount(worth)), 'create')}${figure(updated, JOB_KINDS[job.kind].takesBack ? t.takenBack : t.updated, 'update')}${figure(pending, t.pending, 'held')}${figure(held, t.held, 'held')}${figure(invalid, t.invalid, 'invalid')}${figure(refused, t.refused, 'invalid')}${figure(unchanged, t.unchanged, 'unchanged')}${figure(skipped, t.skipped, 'skipped')}</ul>`;
}

function actions(visitor: Visitor, t: ResultTexts, { job, totals, version }: ResultData): Html {
  const isOpen = job.state !== 'done' && job.state !== 'cancelled';
  if (isOpen && job.state === 'parked_unauthorised')
    return html`<p class="actions"><a class="button primary" href="/connect" data-primary>${t.goOn}</a></p>`;
  const form = (text: string, primary: boolean) =>
    html`<form method="post" action="/job/${job.id}/resume">${formToken(visitor)}${knownState(job, version)}<button class="${primary ? 'primary' : ''}" ${primary ? html`data-primary` : ''}>${text}</button></form>`;
  const canGoOn = isOpen || totals.pending > 0;
  const goesOn = canGoOn && job.state !== 'cancelled';
  const mends = !goesOn && totals.invalid > 0 && job.state === 'done';
  const home = mends
    ? html`<a class="button primary" href="/job/${job.id}/mend" data-primary>${t.mendRest(visitor.words.count(totals.invalid))}</a><a class="button" href="/">${t.home}</a>`
    : html`<a class="button primary" href="/" data-primary>${t.home}</a>`;
  return html`<div class="actions">${goesOn ? form(t.goOn, true) : home}
${job.state === 'cancelled' && totals.pending > 0 ? form(t.goOnAnyway, false) : ''}</div>`;
}

/** The rows that the job has written; ticked rows can be undone alone. */
function writtenRows(visitor: Visitor, t: ResultTexts, { job, written }: ResultData): Html {
  if (written.length === 0 || job.firstSentAt === undefined) return html``;
  const { words } = visitor;
  const canUndo = !JOB_KINDS[job.kind].takesBack;
  const shown = written.slice(0, WRITTEN_SHOWN);
  const last = shown.at(-1)?.ordinal;
  const tick = (row: ShownRow) =>
    html`<td class="tick"><input type="checkbox" name="row" value="${row.row}" form="undo-rows" aria-label="${t.tick(shownText(titleOf(row), 80))}"></td>`;
  return html`<section><h2 id="changed">${t.changes}</h2><div class="scroll" tabindex="0" role="region" aria-labelledby="changed"><table><thead><tr>${canUndo ? html`<td></td>` : ''}<th scope="col" class="number">${t.rowTitle}</th><th scope="col">${t.name}</th><th scope="col">${t.what}</th></tr></thead><tbody>${shown.map(
    (row) =>
      html`<tr>${canUndo ? tick(row) : ''}<td class="number">${words.count(row.row)}</td><th scope="row">${row.itemId === null ? foreign(titleOf(row), 100) : html`<a href="/item/${row.itemId}">${foreign(titleOf(row) || row.itemId, 100)}</a>`}</th><td>${row.action === 'create' ? t.wasAdded : changeList(visitor, row)}</td></tr>`,
  )}</tbody></table></div>
<div class="actions">${canUndo ? html`<form method="post" action="/job/${job.id}/undo?ticked" id="undo-rows">${formToken(visitor)}<input type="hidden" name="some" value="yes"><button>${t.undoTicked}</button></form>` : ''}${written.length > WRITTEN_SHOWN && last !== undefined ? html`<a class="button plain" href="?after=${last}#changed">${t.moreRows}</a>` : ''}</div></section>`;
}

/** The ticks stay in this browser. */
function deletions(t: ResultTexts, { toDelete }: ResultData): Html {
  if (toDelete.length === 0) return html``;
  return html`<section class="card"><h2>${t.deleteTitle}</h2><p class="soft">${t.deleteLead}</p><ul class="plain-list">${toDelete
    .slice(0, DELETIONS_SHOWN)
    .map(
      ({ id, name }) =>
        html`<li><label class="option"><input type="checkbox" data-keep="deleted:${id}">${foreign(name, 100)} <code class="small">${id}</code></label></li>`,
    )}</ul>${toDelete.length > DELETIONS_SHOWN ? html`<p class="message warn">${t.moreDeletions}</p>` : ''}</section>`;
}

function refusedRows(visitor: Visitor, t: ResultTexts, rows: ShownRow[], all: number): Html {
  const { words } = visitor;
  return html`<section><h2 id="refused">${t.refusedTitle}</h2><div class="scroll" tabindex="0" role="region" aria-labelledby="refused"><table><tbody>${rows.map(
    (row) =>
      html`<tr><td class="number">${words.count(row.row)}</td><th scope="row">${foreign(titleOf(row), 100)}</th><td>${row.issues.map((issue) => html`<p>${problemWithWords(issue, visitor)}</p>`)}</td></tr>`,
  )}</tbody></table></div>${all > rows.length ? html`<p class="soft">${t.more(words.count(all - rows.length))}</p>` : ''}</section>`;
}

function titleOf(row: ShownRow): string {
  return row.name !== '' ? row.name : (row.source.find((cell) => cell !== '') ?? '');
}

function files(t: ResultTexts, job: JobRecord): Html {
  const known = (['results', 'rejects', 'to_delete', 'plan'] as const).filter(
    (kind) => job.files[kind] !== undefined,
  );
  if (known.length === 0) return html``;
  return html`<section class="card"><h2>${t.files}</h2><ul class="plain-list">${known.map(
    (kind) => html`<li><a href="/job/${job.id}/files/${kind}" download>${t[kind]}</a></li>`,
  )}</ul></section>`;
}

function undo(visitor: Visitor, t: ResultTexts, { job, totals }: ResultData): Html {
  if (job.firstSentAt === undefined || JOB_KINDS[job.kind].takesBack || totals.created + totals.updated === 0)
    return html``;
  return html`<section class="card"><h2>${t.undo}</h2><p class="soft">${t.undoLead}</p><form method="post" action="/job/${job.id}/undo" class="actions">${formToken(visitor)}<button>${t.undoButton}</button></form></section>`;
}
