import type { Finding } from '../../../doctor/check.ts';
import { foreign, html, type Html, shownText } from '../../html.ts';
import { formToken } from '../../layout.ts';
import type { Visitor } from '../../ui.ts';
import { type ConnectTexts, TEXTS } from './texts.ts';
import { speaking } from '../../engine/engine-text.ts';

/** The input that was refused; never the key. */
export interface Entered {
  address: string;
  name: string;
  message: string;
  findings: Finding[];
}

interface ConnectData {
  account: { practice: boolean; profile: string | undefined } | undefined;
  profiles: string[];
  entered?: Entered;
}

export function connectView(visitor: Visitor, { account, profiles, entered }: ConnectData): Html {
  const t = TEXTS[visitor.language];
  const form = newAccount(visitor, t, entered, account === undefined);
  return html`<h1>${account === undefined ? t.title : t.current}</h1>
${account === undefined ? html`<p class="lead">${t.lead}</p>` : ''}
${account === undefined ? '' : connection(account, t)}
<div class="columns">
${
  account === undefined || entered !== undefined
    ? html`<section class="card"><h2>${t.title}</h2>${form}</section>`
    : html`<details class="card"><summary>${t.add}</summary>${form}</details>`
}
${profiles.length === 0 ? '' : saved(visitor, t, profiles, account?.profile)}
${account?.practice === true ? '' : practice(visitor, t)}
</div>`;
}

function connection(account: NonNullable<ConnectData['account']>, t: ConnectTexts): Html {
  return html`<section class="card">
${account.practice ? html`<p>${t.currentPractice}</p>` : ''}
<div id="lights" hx-get="/connect/check" hx-trigger="load" aria-live="polite"><p class="soft">${t.checking}</p></div>
<p class="actions"><a class="button primary" href="/" data-primary>${t.goOn}</a>
<button type="button" class="plain" hx-get="/connect/check" hx-target="#lights">${t.again}</button></p>
</section>`;
}

function newAccount(visitor: Visitor, t: ConnectTexts, entered: Entered | undefined, isFirst: boolean): Html {
  return html`<form method="post" action="/connect/new" class="fields">${formToken(visitor)}
${entered === undefined ? '' : html`<div class="message bad" role="alert"><p>${shownText(entered.message, 600)}</p>${entered.findings.length === 0 ? '' : lights(entered.findings, visitor)}</div>`}
<label>${t.address}<input name="address" type="url" inputmode="url" autocomplete="off" spellcheck="false" required value="${shownText(entered?.address ?? '')}" aria-describedby="address-hint"></label>
<p class="hint" id="address-hint">${t.addressHint}</p>
<label>${t.key}<input name="key" type="password" autocomplete="off" spellcheck="false" required aria-describedby="key-hint"></label>
<p class="hint" id="key-hint">${t.keyHint}</p>
<label>${t.name}<input name="name" autocomplete="off" spellcheck="false" value="${shownText(entered?.name ?? '')}" placeholder="main" aria-describedby="name-hint"></label>
<p class="hint" id="name-hint">${t.nameHint}</p>
<p class="actions"><button class="${isFirst ? 'primary' : ''}" ${isFirst ? html`data-primary` : ''}>${t.save}</button></p>
</form>`;
}

function saved(visitor: Visitor, t: ConnectTexts, profiles: string[], current: string | undefined): Html {
  return html`<section class="card"><h2>${t.saved}</h2><ul class="plain-list">${profiles.map(
    (name) =>
      html`<li>${
        name === current
          ? html`<p>${foreign(name)} <span class="badge">${t.inUse}</span></p>`
          : html`<form method="post" action="/connect/use">${formToken(visitor)}<button name="profile" value="${name}">${t.use(shownText(name, 60))}</button></form>`
      }</li>`,
  )}</ul></section>`;
}

function practice(visitor: Visitor, t: ConnectTexts): Html {
  return html`<section class="card quiet"><h2>${t.practiceTitle}</h2><p>${t.practiceLead}</p>
<form method="post" action="/connect/practice">${formToken(visitor)}<p class="actions"><button>${t.practice}</button></p></form></section>`;
}

const LABELS: Readonly<Record<string, keyof ConnectTexts>> = {
  address: 'check_address',
  tls: 'check_tls',
  key: 'check_key',
  'scope items:read': 'check_read',
  'scope items:write': 'check_write',
  'scope collections:read': 'check_collections',
  'scope marketplace:read': 'check_listings',
  'scope analytics:read': 'check_sales',
  clock: 'check_clock',
  'rate limit': 'check_limit',
  store: 'check_store',
  disk: 'check_disk',
};

/** Doctor's findings: a light, its meaning, and the remedy if it is not green. */
export function lights(findings: readonly Finding[], visitor: Visitor): Html {
  const t = TEXTS[visitor.language];
  const states = { ok: t.ok, failed: t.failed, warning: t.warning, unknown: t.unknown };
  return html`<ul class="lights">${findings.map(({ check, state, found }) => {
    const label = LABELS[check];
    const help =
      state === 'failed' ? remedyOf(check, t) : check === 'scope items:write' ? t.writeHint : undefined;
    return html`<li class="${state}"><span class="light" aria-hidden="true"></span><div>
<p><strong>${label === undefined ? check : t[label]}</strong> <span class="state">${states[state]}</span></p>
${state === 'ok' || check === 'scope items:write' ? '' : html`<p class="soft">${foreign(speaking(visitor)(found))}</p>`}
${help === undefined ? '' : html`<p>${help}</p>`}</div></li>`;
  })}</ul>`;
}

function remedyOf(check: string, t: ConnectTexts): string {
  if (check === 'address' || check === 'tls') return t.fixAddress;
  if (check === 'key') return t.fixKey;
  return check.startsWith('scope') ? t.fixScope : t.fixOther;
}
