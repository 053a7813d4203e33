import { reasonText } from '../../../worker/remote/plain-words.ts';
import { basename } from 'node:path';
import { foreign, html, type Html, shownText } from '../../html.ts';
import { errorText, speaking, type ErrorSummary } from '../../engine/engine-text.ts';
import { formToken } from '../../layout.ts';
import type { Visitor } from '../../ui.ts';
import type { RunState } from '../../../worker/queue/run.ts';
import { type Checks, OFFERED, usualTime } from './add-task.ts';
import { TEXTS } from './texts.ts';

type Texts = (typeof TEXTS)['en'];

export interface ShownSchedule {
  name: string;
  paused: boolean;
  /** ms since the epoch. */
  next: number | undefined;
  last: { at: number; state: RunState } | undefined;
}

/** A past, current or future run of a worker. */
export interface ShownRun {
  id: string;
  /** Name of a file or a schedule. */
  title: string;
  state: RunState;
  /** ms since the epoch. */
  at: number;
  /** Names of the files that the run made. */
  files: string[];
  job?: string;
  message?: string;
}

export interface ShownFolder {
  path: string;
}

export interface AutomaticData {
  /** Path of the configuration, and its text if it exists. */
  file: string;
  yaml: string | undefined;
  /** The findings of a check of the configuration. */
  checks?: Checks | undefined;
  /** Why nothing was added. */
  refusal?: ErrorSummary | 'practiceOnly' | 'folderNeeded' | 'timeNeeded';
  /** Whether a configuration can contain this account. */
  canAdd: boolean;
  collections: { id: string; name: string }[];
  timeZone: string;
  schedules: ShownSchedule[];
  folders: ShownFolder[];
  /** Newest first. */
  runs: ShownRun[];
  /** Whether a worker runs. */
  working: boolean;
  failure: ErrorSummary | undefined;
}

export function automaticView(visitor: Visitor, data: AutomaticData): Html {
  const t = TEXTS[visitor.language];
  const { yaml, schedules, folders, runs, working, failure, refusal } = data;
  return html`<h1>${t.title}</h1><p class="lead">${t.lead}</p>
${failure === undefined ? '' : html`<div class="message bad" role="alert"><p><strong>${t.problem}</strong></p>${errorText(failure, visitor, 1500)}</div>`}
${refusal === undefined ? '' : html`<div class="message bad" role="alert">${typeof refusal === 'string' ? html`<p>${t[refusal]}</p>` : errorText(refusal, visitor, 1500)}</div>`}
${yaml === undefined ? html`<p class="message">${t.none}</p>` : ''}
${workerMessage(t, yaml !== undefined || runs.length > 0, working)}
${schedules.length === 0 ? '' : html`<section aria-labelledby="schedules"><h2 id="schedules">${t.schedules}</h2><ul class="tasks">${schedules.map((each) => scheduled(visitor, each))}</ul></section>`}
${folders.length === 0 ? '' : html`<section aria-labelledby="folders"><h2 id="folders">${t.folders}</h2><ul class="tasks">${folders.map(({ path }) => html`<li><div><p class="name"><code>${foreign(path, 200)}</code></p><p class="soft">${t.drop}</p></div></li>`)}</ul></section>`}
${runs.length === 0 ? '' : html`<section aria-labelledby="runs"><h2 id="runs">${t.runs}</h2><ul class="tasks">${runs.map((each) => runItem(visitor, each))}</ul></section>`}
${fileSection(visitor, t, data)}
${addForms(visitor, t, data)}
<p class="actions"><a class="button primary" href="/" data-primary>${t.home}</a></p>`;
}

/** The text of the configuration, and the findings of its check. */
function fileSection(visitor: Visitor, t: Texts, { file, yaml, checks }: AutomaticData): Html {
  if (yaml === undefined) return html``;
  return html`<section class="card" aria-labelledby="file"><h2 id="file">${basename(file)}</h2><p class="soft"><code>${foreign(file, 300)}</code></p>
${checks === undefined ? '' : checkList(visitor, t, checks)}
<details ${checks === undefined ? '' : html`open`}><summary>${t.text}</summary><pre class="scroll" tabindex="0" role="region" aria-label="${t.text}"><code>${foreign(yaml, 50_000)}</code></pre></details>
<p class="actions"><a class="button small" href="/automatic?check=yes#file">${t.check}</a></p></section>`;
}

function checkList(visitor: Visitor, t: Texts, { warnings, connections }: Checks): Html {
  const light = (state: 'ok' | 'failed' | 'warning', what: string, found: string) =>
    html`<li class="${state}"><span class="light" aria-hidden="true"></span><div><p><strong>${foreign(what, 120)}</strong> <span class="state">${state === 'ok' ? t.works : ''}</span></p>${found === '' ? '' : html`<p class="soft">${foreign(found, 400)}</p>`}</div></li>`;
  return html`<ul class="lights">${connections.map(({ to, problem }) => light(problem === undefined ? 'ok' : 'failed', to, problem === undefined ? '' : reasonText(problem, speaking(visitor))))}${warnings.map(({ path, said }) => light('warning', t.missing, `${path}: ${speaking(visitor)(said)}`))}</ul>`;
}

/** Forms that each add one entry to the configuration. */
function addForms(visitor: Visitor, t: Texts, { canAdd, collections, timeZone }: AutomaticData): Html {
  if (!canAdd)
    return html`<section><h2>${t.setUp}</h2><p class="message">${t.practiceOnly} <a href="/connect">${t.connect}</a></p></section>`;
  const form = (kind: 'items' | 'month' | 'folder', fields: Html) =>
    html`<section class="card"><h3>${t[kind]}</h3><p class="soft">${t[`${kind}Hint`]}</p><form method="post" action="/automatic/add" class="fields">${formToken(visitor)}<input type="hidden" name="kind" value="${kind}">${fields}<p class="actions"><button aria-label="${t.ofName(t.add, t[kind])}">${t.add}</button></p></form></section>`;
  const path = (label: string, value: string) =>
    html`<label>${label}<input name="folder" value="${value}" required autocomplete="off" spellcheck="false"></label>`;
  const timed = (kind: 'items' | 'month') =>
    form(
      kind,
      html`<label>${t.time(timeZone)}<input type="time" name="time" value="${usualTime(kind)}" required></label>${path(t.outFolder, './out')}`,
    );
  const names = collections.map(
    ({ name }) => html`<option value="${shownText(name, 200)}">${shownText(name, 60)}</option>`,
  );
  return html`<section aria-labelledby="set-up"><h2 id="set-up">${t.setUp}</h2><div class="columns">${OFFERED.map(timed)}${form(
    'folder',
    html`${path(t.dropFolder, './drop')}<label>${t.collection}<select name="collection"><option value="">${t.noCollection}</option>${names}</select></label>`,
  )}</div></section>`;
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
