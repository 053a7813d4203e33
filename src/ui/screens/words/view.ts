import type { JobRecord } from '../../../ledger/ledger.ts';
import type { IssueReason } from '../../../mapping/issue-reasons.ts';
import type { Offer } from '../../../mapping/issue.ts';
import { isWordField, WORD_FIELDS } from '../../../mapping/word-lists.ts';
import { shellWord } from '../../../shell-word.ts';
import { foreign, html, type Html, shownText } from '../../html.ts';
import { plannedLinks, stepLine } from '../../jobs/steps.ts';
import { errorText } from '../../engine/told.ts';
import { formToken } from '../../layout.ts';
import { problemName } from '../../row-problems.ts';
import type { Visitor } from '../../ui.ts';
import { fieldName, fieldValue } from '../../words.ts';
import { TEXTS, type WordsTexts } from './texts.ts';

export interface WordsData {
  job: JobRecord;
  upload: string | undefined;
  reasons: IssueReason[];
  refusal: Error | undefined;
  /** The recipe that was saved just now, or why it could not be. */
  saving: { name?: string | undefined; problem?: string };
}

export function wordsView(visitor: Visitor, { job, upload, reasons, refusal, saving }: WordsData): Html {
  const t = TEXTS[visitor.language];
  const hasOffers = reasons.some(({ values }) => values.some(({ offers = [] }) => offers.length > 0));
  return html`${stepLine(visitor, 'words', plannedLinks(job.id, upload))}
<h1>${t.title}</h1><p class="lead">${reasons.length === 0 ? t.none : t.lead}</p>
${refusal === undefined ? '' : html`<div class="message bad" role="alert"><p><strong>${t.refused}</strong></p>${errorText(refusal, visitor, 800)}</div>`}
<form method="post" action="/job/${job.id}/words">${formToken(visitor)}
${reasons.map((reason, at) => card(visitor, t, reason, at))}
<p class="actions bar-actions"><button class="primary" data-primary>${t.goOn}</button>
${hasOffers ? html`<button name="accept" value="all">${t.acceptAll}</button>` : ''}</p></form>
${saveForm(visitor, t, job, saving)}`;
}

function saveForm(
  visitor: Visitor,
  t: WordsTexts,
  job: JobRecord,
  { name, problem }: WordsData['saving'],
): Html {
  return html`<section class="card"><h2>${t.save}</h2><p class="soft" id="save-hint">${t.saveHint}</p>
${problem === undefined ? '' : html`<p class="message bad" role="alert">${foreign(problem, 300)}</p>`}
${name === undefined || name === '' ? '' : html`<div class="message good" role="status"><p>${t.saved}</p><p><code class="command">shelflift import ${t.file} --recipe ${shellWord(shownText(name, 60))}</code></p></div>`}
<form method="post" action="/job/${job.id}/recipe" class="inline">${formToken(visitor)}<label class="inline">${t.saveName} <input name="name" maxlength="60" required autocomplete="off" aria-describedby="save-hint" value="${shownText(name ?? '', 60)}"></label><button>${t.saveButton}</button></form></section>`;
}

function card(visitor: Visitor, t: WordsTexts, reason: IssueReason, at: number): Html {
  const { field = '', header, rows, code } = reason;
  const name = header === undefined || header === '' ? fieldName(field, visitor) : header;
  return html`<section class="card"><h2>${foreign(name, 60)} <span class="soft">${t.count(visitor.words.count(rows))}</span></h2>
<p class="soft">${problemName(code, visitor) ?? html`<span lang="en">${foreign(reason.message, 300)}</span>`}</p>
${isWordField(field) ? words(visitor, t, reason, field, at) : answers(visitor, t, reason, at)}</section>`;
}

function words(
  visitor: Visitor,
  t: WordsTexts,
  { values, kinds }: IssueReason,
  field: keyof typeof WORD_FIELDS,
  at: number,
): Html {
  return html`<table class="word-table"><thead><tr><th scope="col">${t.word}</th><th scope="col" class="number">${t.rows}</th><th scope="col">${t.means}</th></tr></thead><tbody>${values.map(
    ({ text, rows, offers }, index) => {
      const offered = offeredMeaning(text, offers);
      return html`<tr><th scope="row">${foreign(text, 60)}</th><td class="number">${visitor.words.count(rows)}</td>
<td><select name="word-${at}-${index}" aria-label="${t.meaningOf(shownText(text, 60))}"><option value="">${t.open}</option>
${offered === undefined ? '' : html`<option value="offer">${t.suggested(shownText(meaningText(visitor, offered), 80))}</option>`}
${WORD_FIELDS[field].map((value) => html`<option value="${value}">${fieldValue(field, value, visitor)}</option>`)}
<option value="nothing">${t.nothing}</option></select></td></tr>`;
    },
  )}</tbody></table>${kinds > values.length ? html`<p class="soft">${t.moreWords(visitor.words.count(kinds - values.length))}</p>` : ''}`;
}

function answers(visitor: Visitor, t: WordsTexts, reason: IssueReason, at: number): Html {
  const radio = (value: string, text: string, isOn: boolean) =>
    html`<label class="option"><input type="radio" name="all-${at}" value="${value}" ${isOn ? html`checked` : ''}>${text}</label>`;
  const [example] = reason.values;
  const set = example?.offers?.[0]?.set ?? {};
  const value = reason.field === undefined ? undefined : set[reason.field];
  const label = (id: string) => {
    if (id === 'keep') return t.keepYear;
    if (id === 'blank') return t.blankYear;
    return example === undefined || value === undefined || value === null
      ? t.readPlain
      : t.read(shownText(example.text, 40), fieldValue(reason.field ?? '', value, visitor));
  };
  const examples = reason.values
    .slice(0, 6)
    .map(({ text }) => html`<span class="sample">${foreign(text, 40)}</span> `);
  return html`<p><span class="soft">${t.examples}</span> ${examples}</p><div class="fields">${optionsOf(reason).map(({ id }) => radio(id, label(id), false))}${radio('', t.later, true)}</div>`;
}

/** What the engine proposes for a word: fields with words. */
export function offeredMeaning(
  word: string,
  offers: readonly Offer[] | undefined,
): Record<string, string> | undefined {
  const words = offers?.[0]?.accept.words;
  return words === undefined ? undefined : (words[word] ?? Object.values(words)[0]);
}

function meaningText(visitor: Visitor, meaning: Record<string, string>): string {
  return Object.entries(meaning)
    .map(([field, value]) =>
      isWordField(field) ? fieldValue(field, value, visitor) : `${fieldName(field, visitor)}: ${value}`,
    )
    .join(' + ');
}

/** The answers for all values of a reason that are no words, the best first. */
export function optionsOf({ code, values }: IssueReason): { id: string; option: string; value: string }[] {
  const accepts = values.flatMap(({ offers = [] }) => offers.map(({ accept }) => accept));
  const options: { id: string; option: string; value: string }[] = [];
  if (accepts.some(({ approximate }) => approximate === 'read'))
    options.push({ id: 'read', option: 'approximate', value: 'read' });
  if (code === 'out_of_range' || accepts.some(({ outOfRange }) => outOfRange !== undefined))
    options.push(
      { id: 'keep', option: 'outOfRange', value: 'keep' },
      { id: 'blank', option: 'outOfRange', value: 'blank' },
    );
  return options;
}
