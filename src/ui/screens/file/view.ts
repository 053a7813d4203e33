import { inOneLine } from '../../../messages/message.ts';
import type { Message } from '../../../messages/params.ts';
import { ShelfliftError } from '../../../base/errors.ts';
import { foreign, html, type Html, shownText } from '../../html.ts';
import { progressView } from '../../jobs/progress.ts';
import type { Run } from '../../jobs/run.ts';
import { stepLine } from '../../jobs/steps.ts';
import { errorText, noteText, plainError, speaking } from '../../engine/engine-text.ts';
import { formToken } from '../../layout.ts';
import type { Upload } from '../../spool.ts';
import { NO_TEMPLATE } from '../../../mapping/template/load-template.ts';
import { MAX_FORM_BYTES, type Visitor } from '../../ui.ts';
import type { OwnCollections } from './collection.ts';
import { type Preview, ROWS_SHOWN } from './preview.ts';
import { type FileTexts, TEXTS } from './texts.ts';

export function chooseView(visitor: Visitor, isChange: boolean, message?: string): Html {
  const t = TEXTS[visitor.language];
  return html`${stepLine(visitor, 'file', {})}
<h1>${isChange ? t.changeTitle : t.chooseTitle}</h1>
<p class="lead">${isChange ? t.changeLead : t.chooseLead}</p>
${message === undefined ? '' : html`<p class="message bad" role="alert">${message}</p>`}
<form method="post" action="/file" enctype="multipart/form-data" class="upload">${formToken(visitor)}
<input type="hidden" name="do" value="${isChange ? 'change' : 'add'}">
<div class="drop"><span class="icon i-in" aria-hidden="true"></span><label for="file"><strong>${t.drop}</strong></label>
<p class="soft" id="file-hint">${t.dropHint}</p>
<input id="file" type="file" name="file" required aria-describedby="file-hint"></div>
<p class="actions"><button class="primary" data-primary>${t.choose}</button><span class="soft when-busy" role="status">${t.uploading}</span></p>
</form>
<details class="card paste"><summary>${t.paste}</summary><form method="post" action="/file/paste" class="fields">${formToken(visitor)}<input type="hidden" name="do" value="${isChange ? 'change' : 'add'}">
<label for="table">${t.pasteHint}</label><textarea id="table" name="table" data-file="${t.pastedName}.csv" data-failed="${t.pasteFailed}" rows="8" required spellcheck="false" autocomplete="off"></textarea>
<noscript><p class="hint">${t.pasteLimit(visitor.words.bytes(MAX_FORM_BYTES))}</p></noscript><p class="bad-text" role="alert"></p>
<p class="actions"><button>${t.pasteRead}</button></p></form></details>`;
}

export function readingView(visitor: Visitor, upload: Upload, run: Run): Html {
  const t = TEXTS[visitor.language];
  return html`${stepLine(visitor, 'file', {})}<h1>${t.readingTitle(shownText(upload.name, 80))}</h1>
<section class="card"><p class="soft">${t.readingLead}</p>${progressView(visitor, run, `/file/${upload.id}/events`)}
<form method="post" action="/file/${upload.id}/stop" class="actions">${formToken(visitor)}<a class="button primary" href="/" data-primary>${t.home}</a><button>${t.stop}</button></form></section>`;
}

interface FileData {
  upload: Upload;
  preview: Preview;
  /** Names of the shipped templates. */
  templates: string[];
  /** Names of the recipes that people have saved. */
  recipes: string[];
  collections: { id: string; name: string }[] | undefined;
  /** Whether the rows name their collections themselves. */
  own: OwnCollections | undefined;
  /** Whose settings the rows are read with, for a results or rejects file. */
  readAs: Message | undefined;
  /** The collection that the last import went to. */
  last: string | undefined;
  failure: Error | undefined;
}

export function fileView(visitor: Visitor, data: FileData): Html {
  const { upload, preview } = data;
  const t = TEXTS[visitor.language];
  const problem = preview.problem ?? data.failure;
  const isAboutNames = problem instanceof ShelfliftError && problem.code === 'header_is_data';
  const question =
    preview.question ?? (isAboutNames && upload.choices.headerRow === undefined ? problem.said : undefined);
  // Answered since: the file was read before the answer.
  const failure = isAboutNames ? undefined : problem;
  if (preview.problem !== undefined && LOCKED.has(preview.problem.code))
    return lockedView(visitor, t, upload, preview.problem);
  return html`${stepLine(visitor, 'file', upload.job === undefined ? {} : { columns: `/job/${upload.job}/columns` })}
<h1>${t.title}</h1>
<p class="lead">${foreign(upload.name, 100)} · ${visitor.words.bytes(upload.bytes)}</p>
<form method="post" action="/file/${upload.id}/header" id="header-row" hx-post="/file/${upload.id}/header" hx-target="#preview" hx-select="#preview" hx-select-oob="#into,#preview-told" hx-swap="outerHTML">${formToken(visitor)}</form>
<p class="hidden" id="preview-told" aria-live="polite">${preview.headerRow === undefined ? '' : preview.headerRow === 0 ? t.noHeader : t.headerIs(visitor.words.count(preview.headerRow))}</p>
<form method="post" action="/file/${upload.id}/read" class="fields">${formToken(visitor)}
${changeQuestions(t, upload)}${into(t, data)}
${chips(t, data)}
<div id="preview">
${question === undefined ? (failure === undefined ? '' : failureView(visitor, t, failure)) : firstRowQuestion(visitor, t, question, preview)}
${upload.choices.currency === undefined ? '' : html`<p class="message">${t.currencyEffect(upload.choices.currency)}</p>`}
${data.readAs === undefined ? '' : html`<p class="message good">${noteText(data.readAs, visitor)}</p>`}
${preview.recognised === undefined ? '' : html`<p class="message good">${t.looksLike(preview.recognised)}</p>`}
${preview.doubts.length === 0 ? '' : html`<div class="message warn"><p><strong>${t.doubt}</strong></p>${preview.doubts.map((doubt) => html`<p>${noteText(doubt, visitor, 600)}</p>`)}</div>`}
${grid(visitor, t, preview)}
</div>
${knownQuestion(t, upload)}
<p class="actions bar-actions"><button class="primary" data-primary ${preview.problem === undefined ? '' : html`disabled`}>${t.goOn}</button>
<a class="button plain" href="${isChange(upload) ? '/file?do=change' : '/file'}">${t.another}</a></p>
</form>`;
}

const LOCKED: ReadonlySet<string> = new Set(['password_protected', 'wrong_password']);

function lockedView(
  visitor: Visitor,
  t: FileTexts,
  { id, name, bytes }: Upload,
  problem: ShelfliftError,
): Html {
  return html`${stepLine(visitor, 'file', {})}<h1>${t.locked}</h1><p class="lead">${foreign(name, 100)} · ${visitor.words.bytes(bytes)}</p>
${problem.code === 'wrong_password' ? html`<p class="message bad" role="alert">${t.wrongPassword}</p>` : ''}
<form method="post" action="/file/${id}/password" class="card narrow fields">${formToken(visitor)}<label>${t.password}<input type="password" name="password" autocomplete="off" required aria-describedby="password-hint"></label><p class="hint" id="password-hint">${t.passwordHint}</p>
<p class="actions"><button class="primary" data-primary>${t.unlock}</button><a class="button plain" href="/file">${t.another}</a></p></form>`;
}

function failureView(visitor: Visitor, t: FileTexts, failure: Error): Html {
  if (failure instanceof ShelfliftError && failure.code === 'interrupted')
    return html`<p class="message" role="status">${t.stopped}</p>`;
  const said = html`<p><strong>${t.problem}</strong></p>`;
  // Within the form: a button reads the file again with another purpose of its rows.
  if (failure instanceof ShelfliftError && ['foreign_export', 'own_export'].includes(failure.code)) {
    const can = (mode: string) =>
      failure.actions.some((a) => a.do === 'setOption' && a.value === mode && !a.also);
    return html`<div class="message warn" role="alert">${said}<p>${foreign(plainError(failure, visitor), 600)}</p>
<p class="actions">${can('create') ? html`<button name="mode" value="create">${t.foreignCreate}</button>` : ''}${can('update') ? html`<button name="mode" value="update">${t.foreignUpdate}</button>` : ''}</p></div>`;
  }
  return html`<div class="message bad" role="alert">${said}${errorText(failure, visitor)}</div>`;
}

/** As on a terminal: nobody but a person knows whether the first row is an item. */
function firstRowQuestion(visitor: Visitor, t: FileTexts, question: Message, { headerRow }: Preview): Html {
  const answer = (row: number, text: string) =>
    html`<button name="row" value="${row}" form="header-row">${text}</button>`;
  return html`<div class="message warn" role="alert"><p>${noteText(question, visitor, 600)}</p>
<p class="actions">${answer(0, t.firstIsItem)}${answer(headerRow ?? 1, t.firstIsNames)}</p></div>`;
}

const ENCODINGS = [
  'utf-8',
  'windows-1252',
  'utf-16le',
  'windows-1250',
  'windows-1251',
  'macintosh',
  'shift_jis',
  'gb18030',
];

/** Prefix of recipe names in the list of templates. */
export const RECIPE = 'recipe:';
const CURRENCIES = ['EUR', 'USD', 'GBP', 'CHF', 'JPY', 'CAD', 'AUD', 'SEK', 'DKK', 'NOK', 'PLN', 'CZK'];

/** How the file is read. Each change takes effect at once. */
function chips(t: FileTexts, { upload: { id, choices }, preview, templates, recipes }: FileData): Html {
  const select = (
    name: string,
    label: string,
    options: [value: string, text: string][],
    chosen: string | undefined,
  ) =>
    html`<label class="chip"><span>${label}</span><select name="${name}">${options.map(
      ([value, text]) =>
        html`<option value="${shownText(value)}" ${value === (chosen ?? '') ? html`selected` : ''}>${shownText(text, 60)}</option>`,
    )}</select></label>`;
  const template = choices.recipe === undefined ? choices.template : RECIPE + choices.recipe;
  const seen = preview.currencies.join(', ');
  return html`<div class="chips" hx-post="/file/${id}/choices" hx-trigger="change" hx-target="#preview" hx-select="#preview" hx-select-oob="#into,#preview-told" hx-swap="outerHTML">
${preview.sheets.length > 1 ? select('sheet', t.sheet, [['', t.automatic], ...preview.sheets.map((name): [string, string] => [name, name])], choices.sheet) : ''}
${
  preview.isText
    ? html`${select('encoding', t.encoding, [['', t.automatic], ...ENCODINGS.map((name): [string, string] => [name, name])], choices.encoding)}
${select(
  'delimiter',
  t.delimiter,
  [
    ['', t.automatic],
    [';', t.semicolon],
    [',', t.commaSign],
    ['tab', t.tab],
    ['|', t.bar],
  ],
  choices.delimiter,
)}`
    : ''
}
${select(
  'decimal',
  t.decimal,
  [
    ['', t.automatic],
    ['point', t.point],
    ['comma', t.comma],
  ],
  choices.decimal,
)}
${select('currency', t.currency, [['', seen === '' ? t.automatic : t.automaticAs(seen)], ...CURRENCIES.map((code): [string, string] => [code, code])], choices.currency)}
${select('read_as', t.template, [['', preview.recognised === undefined ? t.automatic : t.automaticAs(preview.recognised)], [NO_TEMPLATE, t.own], ...recipes.map((name): [string, string] => [RECIPE + name, t.recipe(name)]), ...templates.map((name): [string, string] => [name, name])], template)}
</div>`;
}

function grid(visitor: Visitor, t: FileTexts, { rows, letters, headerRow, detected }: Preview): Html {
  if (rows.length === 0) return html``;
  return html`<p class="soft">${headerRow === 0 ? t.noHeader : t.lead} <span>(${inOneLine(detected, speaking(visitor))})</span>${headerRow === 0 ? '' : html` <button class="plain small" name="row" value="0" form="header-row">${t.noNames}</button>`}</p>
<div class="scroll sheet" tabindex="0" role="region" aria-label="${t.title}"><table><thead><tr><td></td>${letters.map((letter) => html`<th scope="col">${letter}</th>`)}</tr></thead>
<tbody>${rows.map(({ number, cells }) => {
    const isHeader = number === headerRow;
    const shown = visitor.words.count(number);
    // Tab enters the rows at the first row that can be chosen; arrow keys move between rows.
    const isEntry = number === (headerRow === rows[0]?.number ? rows[1] : rows[0])?.number;
    return html`<tr class="${isHeader ? 'header-row' : headerRow !== undefined && number < headerRow ? 'above' : ''}"><th scope="row">${
      isHeader
        ? html`<span title="${t.header}">${shown} <span class="hidden">${t.header}</span></span>`
        : html`<button class="row-pick" tabindex="${isEntry ? 0 : -1}" name="row" value="${number}" form="header-row" title="${t.useAsHeader(shown)}" aria-label="${t.useAsHeader(shown)}">${shown}</button>`
    }</th>${cells.map((cell) => html`<td>${foreign(cell, 80)}</td>`)}</tr>`;
  })}</tbody></table></div>
${rows.length < ROWS_SHOWN ? '' : html`<p class="soft">${t.more(visitor.words.count(rows.length))}</p>`}`;
}

function radio(name: string, value: string, text: string, isOn: boolean): Html {
  return html`<label class="option"><input type="radio" name="${name}" value="${value}" ${isOn ? html`checked` : ''}>${text}</label>`;
}

function isChange({ choices: { mode } }: Pick<Upload, 'choices'>): boolean {
  return mode === 'update' || mode === 'upsert';
}

/** Questions about a file of changes. */
function changeQuestions(t: FileTexts, { choices }: Upload): Html {
  if (!isChange({ choices })) return html``;
  const match = choices.match?.join(',') ?? 'id';
  const isOther = match !== 'id' && match !== 'name';
  return html`<div class="columns questions"><fieldset><legend>${t.doing}</legend>${radio('mode', 'update', t.update, choices.mode !== 'upsert')}${radio('mode', 'upsert', t.upsert, choices.mode === 'upsert')}</fieldset>
<fieldset><legend>${t.match}</legend>${radio('match', 'id', t.match_id, match === 'id')}${radio('match', 'name', t.match_name, match === 'name')}${radio('match', 'other', t.match_other, isOther)}
<label>${t.matchField}<input name="match_field" value="${isOther ? shownText(match) : ''}" placeholder="custom_fields.Nr"></label></fieldset></div>`;
}

/** Asked first: without a collection no new item can be sent. */
function into(t: FileTexts, { upload: { choices }, collections, own, last }: FileData): Html {
  const isNeeded = own === 'none';
  if (own === 'all') return html`<div id="into"></div>`;
  const required = isNeeded ? html`required` : '';
  const chosen = choices.collection ?? (isNeeded ? onlyOne(collections, last) : undefined);
  return html`<div id="into" class="card question"><label>${t.into}${
    collections === undefined
      ? html`<input name="collection" ${required} value="${shownText(choices.collection ?? '')}" placeholder="${t.collectionId}" aria-describedby="into-hint">`
      : html`<select name="collection" ${required} aria-describedby="into-hint"><option value="">${isNeeded ? t.intoChoose : t.intoNone}</option>${collections.map(
          ({ id, name }) =>
            html`<option value="${id}" ${chosen === id ? html`selected` : ''}>${shownText(name, 60)}</option>`,
        )}</select>`
  }</label><p class="hint" id="into-hint">${isNeeded ? t.intoNeeded : t.intoHint}</p></div>`;
}

/** The preselected collection: the only one, or the one of the last import. */
function onlyOne(all: FileData['collections'], last: string | undefined): string | undefined {
  return all?.length === 1 ? all[0]?.id : last;
}

function knownQuestion(t: FileTexts, { choices }: Upload): Html {
  if (isChange({ choices })) return html``;
  return html`<fieldset class="inline"><legend>${t.known}</legend>${radio('known', 'new', t.knownNew, choices.known !== 'all')}${radio('known', 'all', t.knownAll, choices.known === 'all')}</fieldset>`;
}
