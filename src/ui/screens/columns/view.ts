import type { Message } from '../../../messages/params.ts';
import type { Pieces } from '../../../mapping/casts/quantity.ts';
import type { JobRecord } from '../../../ledger/ledger.ts';
import type { Confidence } from '../../../mapping/infer/column-guess.ts';
import { foreign, html, type Html, shownText } from '../../html.ts';
import { plannedLinks, stepLine } from '../../jobs/steps.ts';
import { errorText, noteText } from '../../engine/engine-text.ts';
import { formToken } from '../../layout.ts';
import type { Visitor } from '../../ui.ts';
import { fieldName } from '../../words.ts';
import { TEXTS } from './texts.ts';

export interface ColumnShown {
  header: string;
  letter: string;
  /** How a correction names the column: by its header, or by its letter. */
  name: string;
  samples: string[];
  /** Share of rows with a value, from 0 to 1. */
  filled: number;
  /** Whether its values say yes and no. */
  yesNo: boolean;
  /** A field, `tag`, `keep` or `ignore`. */
  choice: string;
  /** The likely field, if nobody has decided. */
  proposed: string | undefined;
  /** The field that the column feeds if a person says yes, and what the question is about. */
  question: { use: 'quantity'; about: Pieces } | { use: 'collection'; about: Message } | undefined;
  /** The reason, in English. */
  reason: Message | undefined;
  /** The confidence of the engine from name and values; undefined if the field was decided otherwise. */
  confidence: Confidence | undefined;
}

interface ColumnsData {
  job: JobRecord;
  upload: string | undefined;
  columns: ColumnShown[];
  sampled: number;
  /** Fields that a column can be mapped to. */
  choices: readonly string[];
  refusal: Error | undefined;
}

export function columnsView(
  visitor: Visitor,
  { job, upload, columns, sampled, choices, refusal }: ColumnsData,
): Html {
  const t = TEXTS[visitor.language];
  const option = (value: string, text: string, chosen: string) =>
    html`<option value="${value}" ${value === chosen ? html`selected` : ''}>${text}</option>`;
  return html`${stepLine(visitor, 'columns', plannedLinks(job.id, upload))}
<h1>${t.title}</h1><p class="lead">${t.lead}</p>
${refusal === undefined ? '' : html`<div class="message bad" role="alert"><p><strong>${t.refused}</strong></p>${errorText(refusal, visitor, 800)}</div>`}
<form method="post" action="/job/${job.id}/columns">${formToken(visitor)}
${columns.map((column) => yesOrNo(visitor, column))}
<div class="scroll tall" tabindex="0" role="region" aria-label="${t.title}"><table class="mapping"><thead><tr><th scope="col">${t.column}</th><th scope="col">${t.samples}</th><th scope="col" class="number">${t.filled}</th><th scope="col">${t.use}</th><th scope="col">${t.why}</th></tr></thead>
<tbody>${columns.map((column) => {
    const { header, letter, samples, filled, reason, confidence, proposed } = column;
    const choice = proposed ?? column.choice;
    const name = header === '' ? t.noName(letter) : shownText(header, 60);
    const known = choice === 'id' || choice === 'collection_id';
    const clash =
      choice !== 'keep' &&
      choice !== 'ignore' &&
      choice !== 'tag' &&
      columns.filter((other) => (other.proposed ?? other.choice) === choice).length > 1;
    return html`<tr class="${choice === 'ignore' ? 'unused' : proposed === undefined ? '' : 'proposed'}"><th scope="row">${foreign(name, 60)}</th>
<td class="samples">${samples.length === 0 ? html`<span class="soft">${t.blank}</span>` : samples.map((sample) => html`<span class="sample">${foreign(sample, 40)}</span> `)}</td>
<td class="number">${visitor.words.percent(filled)}</td>
<td>${
      known
        ? foreign(fieldName(choice, visitor))
        : html`<select name="use-${letter}" aria-label="${t.useOf(name)}">${choices.map((field) => option(field, fieldName(field, visitor), choice))}${column.yesNo || choice === 'tag' ? option('tag', t.tag(name), choice) : ''}${option('keep', t.keep, choice)}${option('ignore', t.ignore, choice)}</select>`
    }${column.yesNo && choice !== 'tag' ? html`<p class="hint">${t.yesNo}</p>` : ''}${clash ? html`<p class="bad-text">${t.twice}</p>` : ''}</td>
<td class="soft">${proposed === undefined ? '' : html`<strong>${t.proposal}</strong> · `}${confidence === undefined ? '' : html`<strong>${t[confidence]}</strong>${reason === undefined ? '' : ': '}`}${reason === undefined ? '' : noteText(reason, visitor, 160)}</td></tr>`;
  })}</tbody></table></div>
<p class="soft">${t.sampled(visitor.words.count(sampled))}</p>
<p class="actions bar-actions"><button class="primary" data-primary>${t.goOn}</button></p></form>`;
}

/** Whether a row of several pieces becomes several items; whether to choose a collection for each name of the file. */
function yesOrNo(visitor: Visitor, { header, letter, question, choice }: ColumnShown): Html {
  if (question === undefined) return html``;
  const t = TEXTS[visitor.language];
  const n = (value: number) => visitor.words.count(value);
  const radio = (value: string, text: string, isOn: boolean) =>
    html`<label class="option"><input type="radio" name="answer-${letter}" value="${value}" ${isOn ? html`checked` : ''}>${text}</label>`;
  const [text, no, yes] =
    question.use === 'quantity'
      ? [
          t.pieces(shownText(header, 60), n(question.about.from), n(question.about.to)),
          t.onePerRow,
          t.onePerPiece,
        ]
      : [noteText(question.about, visitor), t.keepNames, t.chooseCollections];
  return html`<fieldset class="inline"><legend>${text}</legend>${radio('no', no, choice !== question.use)}${radio('yes', yes, choice === question.use)}</fieldset>`;
}
