import { basename } from 'node:path';
import type { FieldChange } from '../../../import/engine/field-changes.ts';
import type { Explained } from '../../../import/history/explain-item.ts';
import type { FieldOrigin, StoryChange, StoryEntry } from '../../../import/history/item-story.ts';
import { foreign, html, type Html, shownText } from '../../html.ts';
import { noteText, problemWithWords } from '../../engine/engine-text.ts';
import type { Visitor } from '../../ui.ts';
import { blankText, fieldName, fieldValue } from '../../words.ts';
import { type ItemTexts, TEXTS } from './texts.ts';

const MAX_LENGTH = 120;

export function itemView(visitor: Visitor, explained: Explained): Html {
  const { name, item, current, fields, story } = explained;
  const t = TEXTS[visitor.language];
  const notice = current === null ? t.gone : current === undefined ? t.notRead : undefined;
  return html`<h1>${foreign(name ?? t.title, MAX_LENGTH)}</h1><p class="lead">${t.lead}</p>
${notice === undefined ? '' : html`<p class="message warn">${notice}</p>`}
${fields.length === 0 ? '' : fieldTable(visitor, t, fields)}
<section aria-labelledby="story"><h2 id="story">${t.story}</h2>${story.length === 0 ? html`<p class="soft">${t.none}</p>` : html`<ol class="cards">${story.map((entry) => entryCard(visitor, t, entry))}</ol>`}</section>
<p class="soft">${fieldName('id', visitor)}: <code>${item}</code></p>
<p class="actions"><a class="button" href="/history" data-primary>${t.back}</a></p>`;
}

function fieldTable(visitor: Visitor, t: ItemTexts, fields: readonly FieldOrigin[]): Html {
  // An item has many fields that nobody ever filled in.
  const isShown = ({ origin, value }: FieldOrigin) =>
    origin !== 'not_sent' || (value !== null && value !== undefined);
  const blank = fields.filter((field) => !isShown(field)).map(({ field }) => fieldName(field, visitor));
  return html`<section aria-labelledby="fields"><h2 id="fields">${t.fields}</h2><div class="scroll" tabindex="0" role="region" aria-labelledby="fields"><table><thead><tr><th scope="col">${t.field}</th><th scope="col">${t.value}</th><th scope="col">${t.why}</th></tr></thead>
<tbody>${fields
    .filter(isShown)
    .map(
      (each) =>
        html`<tr><th scope="row">${foreign(fieldName(each.field, visitor), 60)}</th><td>${isKnown(each) ? foreign(textOf(visitor, each.field, each.value), MAX_LENGTH) : t.unknownValue}</td><td>${why(visitor, t, each)}</td></tr>`,
    )}</tbody></table></div>${blank.length === 0 ? '' : html`<p class="soft">${t.blankFields}: ${foreign(blank.join(', '), 600)}</p>`}</section>`;
}

function isKnown({ origin, value }: FieldOrigin): boolean {
  return value !== undefined || origin === 'set' || origin === 'elsewhere';
}

function why(visitor: Visitor, t: ItemTexts, { field, origin, by, was }: FieldOrigin): Html {
  if (by === undefined || origin === 'unknown') return html`${t.unknown}`;
  const place = placeText(visitor, t, by);
  const cell = by.cells[field];
  const of =
    cell === undefined || origin !== 'set'
      ? ''
      : html` <span class="soft">${foreign(t.cell(cell.column, cell.text), MAX_LENGTH)}</span>`;
  const says =
    origin === 'set'
      ? (by.effect === 'created' ? t.created : by.kind === 'undo' ? t.takenBack : t.set)(place)
      : origin === 'elsewhere'
        ? t.elsewhere(place, textOf(visitor, field, was))
        : t[origin](place);
  return html`<a href="/job/${by.job}/result">${foreign(says, 300)}</a>${of}`;
}

/** The file and row, or the requested change; the day distinguishes jobs. */
function placeText({ words }: Visitor, t: ItemTexts, { kind, file, row, request, at }: StoryEntry): string {
  const what =
    kind === 'undo'
      ? t.undo
      : file === undefined
        ? `${t.change} ${request ?? ''}`.trim()
        : `${basename(file)}, ${t.row(words.count(row))}`;
  return `${shownText(what, MAX_LENGTH)} (${words.dateTime(at.getTime())})`;
}

function entryCard(visitor: Visitor, t: ItemTexts, entry: StoryEntry): Html {
  const { effect, undoneBy, requestId, changes, left, notes, issues, job } = entry;
  return html`<li class="card"><h3><a href="/job/${job}/result">${foreign(placeText(visitor, t, entry), 200)}</a></h3>
<p>${t[`effect_${effect}`]}${undoneBy === undefined ? '' : html`, <a href="/job/${undoneBy}/result">${t.undone}</a>`}</p>
${changeList(visitor, t, effect === 'created', changes)}
${left.length === 0 ? '' : html`<p class="soft">${t.left}:</p>${changeList(visitor, t, false, left)}`}
${notes.map((note) => html`<p class="soft">${noteText(note, visitor, 300)}</p>`)}${issues.map((issue) => html`<p class="soft">${problemWithWords(issue, visitor)}</p>`)}
${requestId === null ? '' : html`<p class="small soft">${foreign(t.request(requestId), MAX_LENGTH)}</p>`}</li>`;
}

function changeList(
  visitor: Visitor,
  t: ItemTexts,
  isCreate: boolean,
  changes: readonly (FieldChange | StoryChange)[],
): Html {
  if (changes.length === 0) return html``;
  return html`<ul class="changes">${changes.map((change) => {
    const { field, from, to } = change;
    const before = isCreate ? '' : html`<del>${foreign(textOf(visitor, field, from), MAX_LENGTH)}</del> → `;
    const others =
      'lastSet' in change
        ? html` <span class="soft">${foreign(t.others(textOf(visitor, field, change.lastSet)), 200)}</span>`
        : '';
    return html`<li><span class="soft">${foreign(fieldName(field, visitor), 60)}</span> ${before}<ins>${foreign(textOf(visitor, field, to), MAX_LENGTH)}</ins>${others}</li>`;
  })}</ul>`;
}

function textOf(visitor: Visitor, field: string, value: unknown): string {
  return fieldValue(field, value, visitor) || blankText(visitor);
}
