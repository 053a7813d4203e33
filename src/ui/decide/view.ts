import { fieldOf } from '../../import/engine/field-changes.ts';
import { threeWay } from '../../import/engine/three-way.ts';
import { sameField } from '../../import/engine/equality.ts';
import { isHeldByPlan } from '../../import/job/judging.ts';
import type { JobRecord, StoredCandidate } from '../../ledger/ledger.ts';
import { foreign, html, type Html, shownText } from '../html.ts';
import { formToken } from '../layout.ts';
import { problemText } from '../engine/engine-text.ts';
import type { Visitor } from '../ui.ts';
import { blankText, fieldName, fieldValue } from '../words.ts';
import {
  type ChoiceRow,
  type DecidedOn,
  type HeldRow,
  seenAs,
  type Waiting,
  type WaitingRow,
} from './decide.ts';
import { type DecideTexts, TEXTS } from './texts.ts';

/** @param held number of held rows */
export function waitingView(
  visitor: Visitor,
  job: JobRecord,
  waiting: Waiting,
  held: number,
  screen: DecidedOn,
): Html {
  return html`${heldView(visitor, job, waiting, held, screen)}${choiceView(visitor, job, waiting, screen)}`;
}

function heldView(
  visitor: Visitor,
  job: JobRecord,
  { held: rows, isOutdated }: Waiting,
  all: number,
  screen: DecidedOn,
): Html {
  if (rows.length === 0) return html``;
  const t = TEXTS[visitor.language];
  return html`<section aria-labelledby="held"><h2 id="held">${t.heldTitle}</h2>${isOutdated ? html`<p class="message warn" role="alert">${t.outdated}</p>` : ''}<p class="soft">${t.heldLead}</p>
<ul class="cards">${rows.map(
    (row) =>
      html`<li class="card">${rowTitle(visitor, t, row)}${row.issues.map((issue) => html`<p>${problemText(issue, visitor)}</p>`)}${comparison(visitor, t, row)}
<form method="post" action="/job/${job.id}/decide">${formToken(visitor)}${rowFields(row, screen)}${row.now === undefined ? '' : html`<input type="hidden" name="seen" value="${seenAs(row.now)}">`}${decisions(visitor, t, row)}</form></li>`,
  )}</ul>${all > rows.length ? html`<p class="soft">${t.more(visitor.words.count(all - rows.length))}</p>` : ''}</section>`;
}

function rowTitle({ words }: Visitor, t: DecideTexts, row: WaitingRow): Html {
  const name = row.name === '' ? (row.cells[0]?.text ?? '') : row.name;
  return html`<h3>${foreign(name, 100)} <span class="soft">${t.row(words.count(row.row))}</span></h3>`;
}

function rowFields({ row, sheet }: WaitingRow, screen: DecidedOn): Html {
  return html`<input type="hidden" name="row" value="${row}"><input type="hidden" name="sheet" value="${sheet ?? ''}"><input type="hidden" name="screen" value="${screen}">`;
}

/** The current values and the new ones side by side; for an update also the values when it was planned. */
function comparison(visitor: Visitor, t: DecideTexts, { action, now, changes }: HeldRow): Html {
  const isUpdate = action !== 'create';
  const shown =
    now === undefined || isUpdate
      ? changes
      : changes.filter(({ field, to }) => !sameField(field, fieldOf(now, field), to));
  if (shown.length === 0) return html``;
  const blank = blankText(visitor);
  const text = (field: string, value: unknown) => foreign(fieldValue(field, value, visitor) || blank, 120);
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${t.mine}"><table class="sides"><thead><tr><th scope="col">${t.field}</th>${isUpdate ? html`<th scope="col" class="planned">${t.planned}</th>` : ''}${now === undefined ? '' : html`<th scope="col">${t.now}</th>`}<th scope="col">${t.mine}</th></tr></thead><tbody>${shown.map(
    ({ field, from, to }) => {
      const there = now === undefined ? undefined : fieldOf(now, field);
      const isChanged = isUpdate && now !== undefined && !sameField(field, from, there);
      return html`<tr><th scope="row">${foreign(fieldName(field, visitor), 40)}</th>${isUpdate ? html`<td class="planned">${text(field, from)}</td>` : ''}${
        now === undefined
          ? ''
          : html`<td>${isChanged ? html`<mark>${text(field, there)}</mark>` : text(field, there)}</td>`
      }<td>${text(field, to)}</td></tr>`;
    },
  )}</tbody></table></div>`;
}

function decisions(visitor: Visitor, t: DecideTexts, row: HeldRow): Html {
  const button = (as: string, text: string) =>
    html`<button class="small" name="as" value="${as}">${text}</button>`;
  const candidates = row.issues.flatMap((issue) => issue.candidates ?? []);
  const known = row.issues.some(({ itemId }) => itemId !== undefined);
  const cards = (legend: string, canChoose: boolean) =>
    candidates.length === 0
      ? ''
      : html`<fieldset class="candidates"><legend>${legend}</legend><ul class="cards">${candidates.map(
          (each) =>
            html`<li class="card">${candidateText(visitor, t, each)}${canChoose ? html`<button class="small" name="as" value="created:${each.id}">${t.itIs}<span class="hidden">: ${foreign(each.name, 100)} ${each.id}</span></button>` : ''}</li>`,
        )}</ul></fieldset>`;
  const skip = button('skip', t.skip);
  if (isHeldByPlan(row.issues))
    return html`${cards(t.surplus, false)}<div class="actions">${button('retry', t.look)}${skip}</div>`;
  if (row.action !== 'create' || known)
    return html`<div class="actions">${button('theirs', leavesRest(row) ? t.keepTheirsRest : t.keepTheirs)}${button('mine', t.useMine)}${row.action === 'create' ? button('retry', t.another) : ''}${skip}</div>`;
  return html`${cards(t.candidates, true)}<div class="actions">${button('retry', candidates.length === 0 ? t.again : t.noneOfThem)}${skip}</div>`;
}

/** Whether a change has other fields that nobody else has changed. */
function leavesRest({ action, now, changes, issues }: HeldRow): boolean {
  return (
    action === 'update' &&
    now !== undefined &&
    issues.some(({ code }) => code === 'drifted') &&
    changes.some((change) => threeWay(change, now).is === 'open')
  );
}

/** Rows that several items match: one choice each, sent together. */
function choiceView(
  visitor: Visitor,
  job: JobRecord,
  { choices, toChoose }: Waiting,
  screen: DecidedOn,
): Html {
  if (choices.length === 0) return html``;
  const t = TEXTS[visitor.language];
  const { words } = visitor;
  return html`<section aria-labelledby="choose"><h2 id="choose">${t.chooseTitle(words.count(toChoose))}</h2><p class="soft">${t.chooseLead}</p>
<form method="post" action="/job/${job.id}/choose">${formToken(visitor)}<input type="hidden" name="screen" value="${screen}"><ul class="cards">${choices.map(
    (row) =>
      html`<li class="card">${rowTitle(visitor, t, row)}${rowCells(row)}${choiceCards(visitor, t, row)}</li>`,
  )}</ul>${toChoose > choices.length ? html`<p class="soft">${t.more(words.count(toChoose - choices.length))}</p>` : ''}
<p class="actions"><button>${t.choose}</button></p></form></section>`;
}

const CELLS_SHOWN = 8;

function rowCells({ cells }: WaitingRow): Html {
  return html`<p class="soft">${cells.slice(0, CELLS_SHOWN).map(({ header, text }, at) => html`${at === 0 ? '' : ' · '}${foreign(header, 40)}: ${foreign(text, 60)}`)}</p>`;
}

function choiceCards(visitor: Visitor, t: DecideTexts, { row, sheet = '', choices }: ChoiceRow): Html {
  return html`<fieldset class="candidates"><legend class="hidden">${t.which(visitor.words.count(row))}</legend><ul class="cards">${choices.map(
    (each) =>
      html`<li><label class="card reader"><input type="radio" name="item:${row}:${shownText(sheet, 100)}" value="${each.id}"><span>${candidateText(visitor, t, each)}</span></label></li>`,
  )}</ul></fieldset>`;
}

/** The values that tell one item from another. */
function candidateText(visitor: Visitor, t: DecideTexts, item: StoredCandidate): Html {
  const { words } = visitor;
  const { id, name, status, estimated_value: value, currency, created_at: at } = item;
  const price = value === null ? '' : ` · ${words.amount(value)} ${currency.toUpperCase()}`;
  return html`<strong class="name">${foreign(name, 100)}</strong><br><span class="soft">${fieldValue('status', status, visitor)}${price} · ${t.since(words.date(Date.parse(at)))}</span><br><code class="small">${id}</code>`;
}
