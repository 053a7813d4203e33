import { foreign, html, type Html, shownText } from '../../html.ts';
import { errorText, type Told } from '../../engine/told.ts';
import { formToken } from '../../layout.ts';
import type { Visitor } from '../../ui.ts';
import type { RunState } from '../../../worker/queue/run.ts';
import { TEXTS } from './texts.ts';

type Texts = (typeof TEXTS)['en'];

export interface ShownSchedule {
  name: string;
  paused: boolean;
  /** ms since the epoch. */
  next: number | undefined;
  last: { at: number; state: RunState } | undefined;
}

/** What a worker has done, does or will do. */
export interface ShownRun {
  id: string;
  /** Of a file or a schedule. */
  title: string;
  state: RunState;
  /** ms since the epoch. */
  at: number;
  /** Names of the files that it made. */
  files: string[];
  job?: string;
  message?: string;
}

export interface ShownFolder {
  path: string;
}

interface AutomaticData {
  configFile: string | undefined;
  schedules: ShownSchedule[];
  folders: ShownFolder[];
  /** The newest first. */
  runs: ShownRun[];
  /** Whether a worker runs. */
  working: boolean;
  failure: Told | undefined;
}

export function automaticView(
  visitor: Visitor,
  { configFile, schedules, folders, runs, working, failure }: AutomaticData,
): Html {
  const t = TEXTS[visitor.language];
  return html`<h1>${t.title}</h1><p class="lead">${t.lead}</p>
${failure === undefined ? '' : html`<div class="message bad" role="alert"><p><strong>${t.problem}</strong></p>${errorText(failure, visitor, 1500)}</div>`}
${configFile === undefined ? html`<p class="message">${t.none}</p>` : ''}
${workerMessage(t, configFile !== undefined || runs.length > 0, working)}
${schedules.length === 0 ? '' : html`<section aria-labelledby="schedules"><h2 id="schedules">${t.schedules}</h2><ul class="tasks">${schedules.map((each) => scheduled(visitor, each))}</ul></section>`}
${folders.length === 0 ? '' : html`<section aria-labelledby="folders"><h2 id="folders">${t.folders}</h2><ul class="tasks">${folders.map(({ path }) => html`<li><div><p class="name"><code>${foreign(path, 200)}</code></p><p class="soft">${t.drop}</p></div></li>`)}</ul></section>`}
${runs.length === 0 ? '' : html`<section aria-labelledby="runs"><h2 id="runs">${t.runs}</h2><ul class="tasks">${runs.map((each) => runItem(visitor, each))}</ul></section>`}
<p class="actions"><a class="button primary" href="/" data-primary>${t.home}</a></p>`;
}

function workerMessage(t: Texts, isNeeded: boolean, working: boolean): Html {
  if (working) return html`<p class="message good">${t.working}</p>`;
  if (!isNeeded) return html``;
  return html`<div class="message warn"><p>${t.worker}</p></div>`;
}

function scheduled(visitor: Visitor, { name, paused, next, last }: ShownSchedule): Html {
  const t = TEXTS[visitor.language];
  const { words } = visitor;
  const when = paused ? t.paused : next === undefined ? t.never : t.next(words.dateTime(next));
  const button = (what: 'run' | 'pause' | 'resume', verb: string) =>
    html`<form method="post" action="/automatic/schedules/${encodeURIComponent(name)}/${what}">${formToken(visitor)}<button class="small" aria-label="${t.ofName(verb, shownText(name, 80))}">${verb}</button></form>`;
  return html`<li><div><p class="name">${foreign(name, 80)}</p><p class="soft">${when} · ${last === undefined ? t.notYet : t.last(words.dateTime(last.at), t[last.state])}</p></div>
<div class="inline">${button('run', t.runNow)}${paused ? button('resume', t.resume) : button('pause', t.pause)}</div></li>`;
}

const RETRIED: readonly RunState[] = ['failed', 'parked_poison', 'queued', 'delivering'];

function runItem(visitor: Visitor, { id, title, state, at, files, job, message }: ShownRun): Html {
  const t = TEXTS[visitor.language];
  const path = `/automatic/runs/${encodeURIComponent(id)}`;
  const canRetry = RETRIED.includes(state) && (message !== undefined || state === 'failed');
  return html`<li><div><p class="name">${foreign(title, 80)}</p><p class="soft">${t[state]} · ${visitor.words.dateTime(at)}</p>
${message === undefined ? '' : html`<p class="bad-text">${foreign(message, 300)}</p>`}
${files.length === 0 ? '' : html`<p>${files.map((file, index) => html`<a href="${path}/files/${index}" download>${foreign(file, 80)}</a> `)}</p>`}</div>
<div class="inline">${job === undefined ? '' : html`<a class="button small" href="/job/${job}/result">${t.see}<span class="hidden">: ${foreign(title, 80)}</span></a>`}
${canRetry ? html`<form method="post" action="${path}/retry">${formToken(visitor)}<button class="small" aria-label="${t.ofName(t.retry, shownText(title, 80))}">${t.retry}</button></form>` : ''}</div></li>`;
}
