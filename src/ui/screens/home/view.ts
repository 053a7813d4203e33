import { foreign, html, type Html } from '../../html.ts';
import type { DescribedJob } from '../../jobs/describe.ts';
import { formToken } from '../../layout.ts';
import type { Upload } from '../../spool.ts';
import type { Visitor } from '../../ui.ts';
import { TEXTS } from './texts.ts';

interface HomeData {
  waiting: DescribedJob[];
  recent: DescribedJob[];
  /** Files that were uploaded and not yet read. */
  uploads: Upload[];
}

export function homeView(visitor: Visitor, { waiting, recent, uploads }: HomeData): Html {
  const t = TEXTS[visitor.language];
  const card = (href: string, icon: string, title: string, lead: string, primary = false) =>
    html`<li><a class="choice${primary ? ' primary' : ''}" href="${href}" ${primary ? html`data-primary` : ''}>
<span class="icon ${icon}" aria-hidden="true"></span><strong>${title}</strong><span>${lead}</span></a></li>`;
  return html`<h1>${t.title}</h1>
<ul class="choices">
${card('/file', 'i-in', t.bringIn, t.bringInLead, true)}
${card('/file?do=change', 'i-change', t.change, t.changeLead)}
${card('/duplicates', 'i-twice', t.duplicates, t.duplicatesLead)}
${card('/reports', 'i-report', t.reports, t.reportsLead)}
${card('/automatic', 'i-clock', t.automatic, t.automaticLead)}
</ul>
<section aria-labelledby="waiting"><h2 id="waiting">${t.waiting}</h2>
${
  waiting.length + uploads.length === 0
    ? html`<p class="soft">${t.nothingWaits}</p>`
    : html`<ul class="tasks">${uploads.map(
        (
          upload,
        ) => html`<li><div><p class="name">${foreign(upload.name, 80)}</p><p class="soft">${t.fileWaits} · ${visitor.words.dateTime(upload.at)}</p></div>
<a class="button" href="/file/${upload.id}">${t.goOn}<span class="hidden">: ${foreign(upload.name, 80)}</span></a></li>`,
      )}${waiting.map((job) => task(visitor, job))}</ul>`
}</section>
<section><h2 id="recent">${t.recent}</h2>
${recent.length === 0 ? html`<p class="soft">${waiting.length > 0 ? '' : t.none}</p>` : jobTable(visitor, recent)}
<p><a href="/history">${t.all}</a></p></section>`;
}

function task(visitor: Visitor, job: DescribedJob): Html {
  const { next } = job;
  const what = html`${next.text}<span class="hidden">: ${foreign(job.title, 80)}</span>`;
  return html`<li><div><p class="name">${foreign(job.title, 80)}</p><p class="soft">${job.state} · ${job.outcome} · ${visitor.words.dateTime(job.at)}</p></div>
${
  next.post === true
    ? html`<form method="post" action="${next.href}">${formToken(visitor)}<button>${what}</button></form>`
    : html`<a class="button" href="${next.href}">${what}</a>`
}</li>`;
}

/** Jobs by file, time and outcome; their ids are in the addresses only. */
export function jobTable(visitor: Visitor, jobs: readonly DescribedJob[]): Html {
  const t = TEXTS[visitor.language];
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${t.recent}"><table><thead><tr><th scope="col">${t.file}</th><th scope="col">${t.outcome}</th><th scope="col">${t.state}</th><th scope="col">${t.when}</th></tr></thead>
<tbody>${jobs.map(
    (job) =>
      html`<tr><th scope="row"><a href="/job/${job.id}">${foreign(job.title, 80)}</a></th><td>${job.outcome}</td><td><span class="tone ${job.tone}">${job.state}</span></td><td class="when">${visitor.words.dateTime(job.at)}</td></tr>`,
  )}</tbody></table></div>`;
}
