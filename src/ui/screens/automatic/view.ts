import { foreign, html, type Html, shownText } from '../../html.ts';
import { formToken } from '../../layout.ts';
import type { Visitor } from '../../ui.ts';
import { TEXTS } from './texts.ts';

export interface ShownSchedule {
  name: string;
  paused: boolean;
  /** ms since the epoch. */
  next: number | undefined;
  last: { at: number; state: string; files: string[]; message?: string } | undefined;
}

export interface ShownFolder {
  path: string;
}

interface AutomaticData {
  configFile: string | undefined;
  schedules: ShownSchedule[];
  folders: ShownFolder[];
  failure: string | undefined;
}

export function automaticView(
  visitor: Visitor,
  { configFile, schedules, folders, failure }: AutomaticData,
): Html {
  const t = TEXTS[visitor.language];
  return html`<h1>${t.title}</h1><p class="lead">${t.lead}</p>
${failure === undefined ? '' : html`<div class="message bad" role="alert"><p><strong>${t.problem}</strong></p><p lang="en">${foreign(failure, 1500)}</p></div>`}
${
  configFile === undefined
    ? html`<p class="message">${t.none}</p>`
    : html`<div class="message warn"><p>${t.worker}</p><p><code class="command">shelflift worker</code></p></div>`
}
${schedules.length === 0 ? '' : html`<section aria-labelledby="schedules"><h2 id="schedules">${t.schedules}</h2><ul class="tasks">${schedules.map((each) => scheduled(visitor, each))}</ul></section>`}
${folders.length === 0 ? '' : html`<section aria-labelledby="folders"><h2 id="folders">${t.folders}</h2><ul class="tasks">${folders.map(({ path }) => html`<li><div><p class="name"><code>${foreign(path, 200)}</code></p><p class="soft">${t.drop}</p></div></li>`)}</ul></section>`}
<p class="actions"><a class="button primary" href="/" data-primary>${t.home}</a></p>`;
}

function scheduled(visitor: Visitor, { name, paused, next, last }: ShownSchedule): Html {
  const t = TEXTS[visitor.language];
  const { words } = visitor;
  const when = paused ? t.paused : next === undefined ? t.never : t.next(words.dateTime(next));
  const verb = paused ? t.resume : t.pause;
  return html`<li><div><p class="name">${foreign(name, 80)}</p><p class="soft">${when} · ${last === undefined ? t.notYet : t.last(words.dateTime(last.at), last.state)}</p>
${last?.message === undefined ? '' : html`<p class="bad-text" lang="en">${foreign(last.message, 300)}</p>`}</div>
<form method="post" action="/automatic/${encodeURIComponent(name)}/${paused ? 'resume' : 'pause'}">${formToken(visitor)}<button class="small" aria-label="${t.ofName(verb, shownText(name, 80))}">${verb}</button></form></li>`;
}
