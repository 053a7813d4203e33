/**
 * The changes of a row to its item, field by field, or the note that the row archives an item missing from the file.
 */
import type { ChangeRow } from '../import/review/change-rows.ts';
import { foreign, html, type Html } from './html.ts';
import { catalogue } from './texts.ts';
import type { Visitor } from './ui.ts';
import { blankText, fieldName, fieldValue } from './words.ts';

const TEXTS = catalogue(
  { archive: 'Archive: the file does not have this item' },
  { archive: 'Archivieren: die Datei enthält dieses Stück nicht' },
);

export function changeList(visitor: Visitor, { action, changes }: ChangeRow): Html {
  if (action === 'archive') return html`<p>${TEXTS[visitor.language].archive}</p>`;
  if (changes.length === 0) return html``;
  const blank = blankText(visitor);
  return html`<ul class="changes">${changes.map(
    ({ field, from, to }) =>
      html`<li><span class="soft">${foreign(fieldName(field, visitor), 40)}</span> ${
        action === 'create'
          ? ''
          : html`<del>${foreign(fieldValue(field, from, visitor) || blank, 120)}</del> → `
      }<ins>${foreign(fieldValue(field, to, visitor) || blank, 120)}</ins></li>`,
  )}</ul>`;
}
