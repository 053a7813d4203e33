import type { Item } from '../../../api/schemas.ts';
import type { DuplicateGroup, Duplicates } from '../../../import/similar/find-duplicates.ts';
import { foreign, html, type Html } from '../../html.ts';
import { progressView } from '../../jobs/progress.ts';
import type { Run } from '../../jobs/run.ts';
import { errorText } from '../../engine/engine-text.ts';
import { formToken } from '../../layout.ts';
import type { Visitor } from '../../ui.ts';
import { fieldName, fieldValue } from '../../words.ts';
import { TEXTS } from './texts.ts';

const GROUPS_SHOWN = 60;
const FIELDS = [
  'name',
  'brand',
  'series',
  'release_year',
  'condition',
  'packaging',
  'status',
  'estimated_value',
  'tags',
] as const;

export function searchingView(visitor: Visitor, run: Run): Html {
  const t = TEXTS[visitor.language];
  return html`<h1>${t.searching}</h1><section class="card">${progressView(visitor, run, '/duplicates/events')}<p class="actions"><a class="button" href="/" data-primary>${t.stop}</a></p></section>`;
}

export function duplicatesView(
  visitor: Visitor,
  found: Duplicates | undefined,
  failure: Error | undefined,
): Html {
  const t = TEXTS[visitor.language];
  const n = (value: number) => visitor.words.count(value);
  const groups = found?.groups ?? [];
  const hasPlan = groups.length > 0;
  const search = html`<form method="post" action="/duplicates" class="card fields">${formToken(visitor)}<label class="option"><input type="checkbox" name="close" value="yes">${t.close}</label>
<p class="actions"><button class="${hasPlan ? '' : 'primary'}" ${hasPlan ? '' : html`data-primary`}>${found === undefined ? t.look : t.again}</button></p></form>`;
  return html`<h1>${t.title}</h1><p class="lead">${t.lead}</p>
${failure === undefined ? '' : html`<div class="message bad" role="alert">${errorText(failure, visitor, 600)}</div>`}
${found === undefined ? '' : html`<p role="status"><strong>${hasPlan ? t.found(n(groups.length), n(found.items)) : t.none(n(found.items))}</strong></p>`}
${hasPlan ? '' : search}
${
  hasPlan
    ? html`<form method="post" action="/duplicates/plan" class="fields">${formToken(visitor)}<fieldset><legend>${t.keep}</legend>
<label class="option"><input type="radio" name="keep" value="oldest" checked>${t.oldest}</label><label class="option"><input type="radio" name="keep" value="complete">${t.complete}</label><p class="hint">${t.others}</p></fieldset>
<p class="actions"><button class="primary" data-primary>${t.plan}</button></p></form>
<ul class="cards">${groups.slice(0, GROUPS_SHOWN).map((group) => groupCard(visitor, group))}</ul>
${groups.length > GROUPS_SHOWN ? html`<p class="soft">${t.more(n(groups.length - GROUPS_SHOWN))}</p>` : ''}${search}`
    : ''
}`;
}

/** The items of a group side by side, with their differences marked. */
function groupCard(visitor: Visitor, { items, why }: DuplicateGroup): Html {
  const t = TEXTS[visitor.language];
  const value = (item: Item, field: (typeof FIELDS)[number]) => fieldValue(field, item[field], visitor);
  const used = FIELDS.filter((field) => items.some((item) => value(item, field) !== ''));
  return html`<li class="card"><h2>${foreign(items[0]?.name, 100)} <span class="soft">× ${visitor.words.count(items.length)}</span></h2>${why === 'close' ? html`<p class="soft">${t.similar}</p>` : ''}
<div class="scroll tall" tabindex="0" role="region" aria-label="${items[0]?.name ?? ''}"><table><tbody><tr><th scope="row">${t.since}</th>${items.map(({ created_at }) => html`<td>${visitor.words.date(Date.parse(created_at))}</td>`)}</tr>
${used.map((field) => {
  const differs = new Set(items.map((item) => value(item, field))).size > 1;
  return html`<tr><th scope="row">${fieldName(field, visitor)}</th>${items.map((item) => html`<td>${differs ? html`<ins>${foreign(value(item, field) || t.blank, 80)}</ins>` : foreign(value(item, field), 80)}</td>`)}</tr>`;
})}</tbody></table></div></li>`;
}
