import type { Collection } from '../../../api/schemas.ts';
import type { Recipe } from '../../../import/stage/recipes.ts';
import type { JobRecord } from '../../../ledger/ledger.ts';
import type { IssueReason } from '../../../mapping/issue-reasons.ts';
import { isWordField, WORD_FIELDS } from '../../../mapping/word-lists.ts';
import { message } from '../../../messages/message.ts';
import { foreign, html, type Html, shownText } from '../../html.ts';
import { plannedLinks, stepLine } from '../../jobs/steps.ts';
import { errorText, noteText, problemName } from '../../engine/engine-text.ts';
import { formToken } from '../../layout.ts';
import type { Visitor } from '../../ui.ts';
import { fieldName, fieldValue } from '../../words.ts';
import {
  type AnswerId,
  answerName,
  answersTo,
  collectionsAsked,
  isAboutMoney,
  likelyMeaning,
  offeredMeaning,
  rateName,
  takesRest,
} from './answers.ts';
import type { Waiting } from './ready.ts';
import { TEXTS, type WordsTexts } from './texts.ts';

export interface WordsData {
  job: JobRecord;
  upload: string | undefined;
  reasons: IssueReason[];
  /** Rows that are ready, of all. */
  ready: number;
  all: number;
  /** The answers that the other rows wait for; undefined if there are too many rows. */
  waiting: Waiting[] | undefined;
  refusal: Error | undefined;
  /** The collections of the team; undefined if no answer needs them, or if they cannot be read now. */
  collections: readonly Collection[] | undefined;
  /** Why the answers were not taken. */
  problem?: string;
  /** The recipe that was saved just now, or why it could not be. */
  saving: { name?: string | undefined; replaced?: Pick<Recipe, 'file' | 'at'>; problem?: string };
}

export function wordsView(visitor: Visitor, data: WordsData): Html {
  const { job, upload, reasons, refusal, saving, problem } = data;
  const t = TEXTS[visitor.language];
  return html`${stepLine(visitor, 'words', plannedLinks(job.id, upload))}
<h1>${t.title}</h1><p class="lead">${reasons.length === 0 ? t.none : t.lead}</p>
${refusal === undefined ? '' : html`<div class="message bad" role="alert"><p><strong>${t.refused}</strong></p>${errorText(refusal, visitor, 800)}</div>`}
${problem === undefined ? '' : html`<p class="message bad" role="alert">${problem}</p>`}
<form method="post" action="/job/${job.id}/words" class="answers">${formToken(visitor)}
${reasons.map((reason) => card(visitor, t, reason, data.collections))}
<div class="bar-actions">${readyLine(visitor, t, data)}<p class="actions"><button class="primary" data-primary>${reasons.length === 0 ? t.next : t.goOn}</button></p></div></form>
${saveForm(visitor, t, job, saving)}`;
}

/** Counted again by the script whenever an answer changes. */
function readyLine({ words, language }: Visitor, t: WordsTexts, { ready, all, waiting }: WordsData): Html {
  if (waiting === undefined || waiting.length === 0) return html``;
  const text = t.ready('{n}', words.count(all));
  return html`<p class="soft ready-line" role="status" data-ready="${ready}" data-waiting="${JSON.stringify(waiting)}" data-text="${text}" data-language="${language}">${text.replace('{n}', words.count(ready))}</p>`;
}

function saveForm(
  visitor: Visitor,
  t: WordsTexts,
  job: JobRecord,
  { name, replaced, problem }: WordsData['saving'],
): Html {
  return html`<section class="card"><h2>${t.save}</h2><p class="soft" id="save-hint">${t.saveHint}</p>
${problem === undefined ? '' : html`<p class="message bad" role="alert">${foreign(problem, 300)}</p>`}
${name === undefined || name === '' ? '' : html`<div class="message good" role="status"><p>${t.saved(shownText(name, 60))}</p></div>`}
${name === undefined || replaced === undefined ? '' : html`<p class="message warn" role="status">${noteText(message('recipe_replaced', { name, file: replaced.file, at: Date.parse(replaced.at) }), visitor)}</p>`}
<form method="post" action="/job/${job.id}/recipe" class="inline">${formToken(visitor)}<label class="inline">${t.saveName} <input name="name" maxlength="60" required autocomplete="off" aria-describedby="save-hint" value="${shownText(name ?? '', 60)}"></label><button>${t.saveButton}</button></form></section>`;
}

function card(
  visitor: Visitor,
  t: WordsTexts,
  reason: IssueReason,
  collections: WordsData['collections'],
): Html {
  const { field = '', header, rows, code } = reason;
  const name = header === undefined || header === '' ? fieldName(field, visitor) : header;
  return html`<section class="card"><h2>${foreign(name, 60)} <span class="soft">${t.count(rows, visitor.words.count(rows))}</span></h2>
<p class="soft">${problemName(code, visitor)}</p>
${code === 'unknown_collection' ? names(visitor, t, reason, collections) : isWordField(field) ? words(visitor, t, reason, field) : answers(visitor, t, reason)}</section>`;
}

function words(visitor: Visitor, t: WordsTexts, reason: IssueReason, field: keyof typeof WORD_FIELDS): Html {
  const { values, kinds } = reason;
  const option = (value: string, text: string, chosen: string) =>
    html`<option value="${value}" ${value === chosen ? html`selected` : ''}>${text}</option>`;
  const more = kinds - values.length;
  return html`<table class="word-table"><thead><tr><th scope="col">${t.word}</th><th scope="col" class="number">${t.rows}</th><th scope="col">${t.means}</th></tr></thead><tbody>${values.map(
    ({ text, rows, offers }) => {
      const offered = offeredMeaning(text, offers);
      const likely = likelyMeaning(text, offers);
      const word = shownText(text, 60);
      return html`<tr><th scope="row">${foreign(text, 60)}</th><td class="number">${visitor.words.count(rows)}</td>
<td><select name="${answerName(reason, { word: text })}" aria-label="${t.meaningOf(word)}">
${offered === undefined ? '' : option('offer', shownText(meaningText(visitor, t, offered), 120), likely)}
${option('as-note', t.keepWord(word), likely)}
${WORD_FIELDS[field].map((value) => option(value, fieldValue(field, value, visitor), likely))}
${option('nothing', t.nothing, likely)}${option('', t.open, likely)}</select></td></tr>`;
    },
  )}</tbody></table>${more <= 0 ? '' : html`<p class="soft">${takesRest(reason) ? html`<input type="hidden" name="${answerName(reason, 'rest')}" value="take">${t.moreWords(visitor.words.count(more))}` : t.moreUnknown(visitor.words.count(more))}</p>`}`;
}

/** A collection for each name that the team has no collection of. */
function names(
  visitor: Visitor,
  t: WordsTexts,
  reason: IssueReason,
  collections: WordsData['collections'],
): Html {
  const asked = reason.values.slice(0, collectionsAsked(reason).length);
  const more = reason.kinds - asked.length;
  return html`<table class="word-table"><thead><tr><th scope="col">${t.word}</th><th scope="col" class="number">${t.rows}</th><th scope="col">${t.into}</th></tr></thead><tbody>${asked.map(
    ({ text, rows }) => {
      const field = html`name="${answerName(reason, { word: text })}" aria-label="${t.intoOf(shownText(text, 60))}"`;
      return html`<tr><th scope="row">${foreign(text, 60)}</th><td class="number">${visitor.words.count(rows)}</td><td>${
        collections === undefined
          ? html`<input ${field}>`
          : html`<select ${field}><option value="">${t.open}</option>${collections.map(({ id, name }) => html`<option value="${collections.filter((each) => each.name === name).length === 1 ? name : id}">${shownText(name, 60)}</option>`)}</select>`
      }</td></tr>`;
    },
  )}</tbody></table>${more <= 0 ? '' : html`<p class="soft">${t.moreUnknown(visitor.words.count(more))}</p>`}`;
}

function answers(visitor: Visitor, t: WordsTexts, reason: IssueReason): Html {
  const isMoney = isAboutMoney(reason.code);
  const all = answersTo(reason);
  const radio = (value: string, text: string, isOn: boolean) =>
    html`<label class="option"><input type="radio" name="${answerName(reason, 'all')}" value="${value}" ${isMoney ? html`required` : ''} ${isOn ? html`checked` : ''}>${text}</label>`;
  const examples = reason.values
    .slice(0, 6)
    .map(({ text }) => html`<span class="sample">${foreign(text, 40)}</span> `);
  const codes = [...new Set((reason.rates ?? []).flatMap(({ from, to }) => [from, to]))].sort();
  return html`<p><span class="soft">${t.examples}</span> ${examples}</p>${isMoney && codes.length > 1 ? html`<p>${t.oneCurrency(codes.join(', '))}</p>` : ''}<div class="fields">${all.map(
    (id, index) =>
      html`${radio(id, answerText(visitor, t, reason, id), index === 0 && !isMoney)}${rateFields(t, reason, id)}`,
  )}${radio('', t.later, all.length === 0)}</div>`;
}

function rateFields(t: WordsTexts, reason: IssueReason, id: AnswerId): Html {
  const [kind, to] = id.split(':');
  if (kind !== 'rate') return html``;
  return html`<p class="rates">${(reason.rates ?? [])
    .filter((rate) => rate.to === to)
    .map(
      ({ from }) =>
        html`<label>${t.rate(from, to ?? '')} <input name="${rateName(reason, from)}" inputmode="decimal" autocomplete="off"></label>`,
    )}</p>`;
}

function answerText(visitor: Visitor, t: WordsTexts, reason: IssueReason, id: AnswerId): string {
  const [kind, code = ''] = id.split(':');
  switch (kind) {
    case 'in':
      return t.areIn(code);
    case 'rate':
      return t.convertTo(code);
    case 'keepColumn':
      return t.keepAmounts;
    case 'omit':
      return t.omit;
    case 'keepYear':
      return t.keepYear;
    case 'blankYear':
      return t.blankYear;
    default: {
      const [example] = reason.values;
      const { field = '' } = reason;
      const value = example?.offers?.[0]?.set[field];
      return example === undefined || value === undefined || value === null
        ? t.readPlain
        : t.read(shownText(example.text, 40), fieldValue(field, value, visitor));
    }
  }
}

/** `Loose, good; keeps “gut” as a note`. */
function meaningText(visitor: Visitor, t: WordsTexts, meaning: Record<string, string>): string {
  const fields = Object.entries(meaning);
  const says = fields.flatMap(([field, value]) =>
    isWordField(field) ? [fieldValue(field, value, visitor)] : [],
  );
  const kept = fields.find(([field]) => !isWordField(field));
  const text = says.join(' + ');
  return kept === undefined ? text : t.kept(text, kept[1]);
}
