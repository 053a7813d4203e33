/** The frame of every screen: head, top bar with the account, and the foot with language and appearance. */
import type { UiContext, Visitor } from './ui.ts';
import { foreign, html, type Html, shownText } from './html.ts';
import { catalogue } from './texts.ts';
import { THEMES } from './ui.ts';

export const LAYOUT_TEXTS = catalogue(
  {
    home: 'Home',
    history: 'History',
    account: 'Account',
    practice: 'Practice',
    practiceHint: 'Practice account on this computer: nothing leaves it.',
    skip: 'Skip to content',
    main: 'Main menu',
    language: 'Language',
    light: 'Appearance',
    auto: 'Automatic',
    bright: 'Light',
    dark: 'Dark',
    local: 'This page runs on your computer. Nobody else can open it.',
    lost: 'shelflift has been closed. Everything is saved: start it again, and this page continues.',
    steps: 'Steps',
    quit: 'Quit shelflift',
  },
  {
    home: 'Start',
    history: 'Verlauf',
    account: 'Konto',
    practice: 'Übung',
    practiceHint: 'Übungskonto auf diesem Computer: Nichts verlässt ihn.',
    skip: 'Zum Inhalt springen',
    main: 'Hauptmenü',
    language: 'Sprache',
    light: 'Darstellung',
    auto: 'Automatisch',
    bright: 'Hell',
    dark: 'Dunkel',
    local: 'Diese Seite läuft auf deinem Computer. Niemand sonst kann sie öffnen.',
    lost: 'shelflift wurde beendet. Alles ist gespeichert: Starte es neu, dann geht es hier weiter.',
    steps: 'Schritte',
    quit: 'shelflift beenden',
  },
);

export interface Screen {
  title: string;
  body: Html;
  /** The menu entry that this screen belongs to. */
  menu?: 'home' | 'history' | 'account';
  /** For tables: uses the whole width. */
  wide?: boolean;
  /** The last page: it has no links. */
  isLast?: boolean;
}

const HTMX_CONFIG = JSON.stringify({
  allowEval: false,
  includeIndicatorStyles: false,
  selfRequestsOnly: true,
  historyCacheSize: 0,
  // A refused form is shown with its message.
  responseHandling: [
    { code: '204', swap: false },
    { code: '.*', swap: true },
  ],
});

/** Answers with a whole page. */
export function render(
  c: UiContext,
  screen: Screen,
  status: 200 | 401 | 403 | 404 | 409 | 413 | 422 | 500 | 507 = 200,
): Response | Promise<Response> {
  const { visitor } = c.var;
  return c.html(page(visitor, screen, c.var.workspace, new URL(c.req.url).pathname), status);
}

type Shown = { profile: string | undefined; host: string; practice: boolean } | undefined;

function page(
  visitor: Visitor,
  { title, body, menu, wide, isLast }: Screen,
  account: Shown,
  path: string,
): Html {
  const t = LAYOUT_TEXTS[visitor.language];
  const link = (entry: Screen['menu'], href: string, text: string) =>
    html`<a href="${href}" ${entry === menu ? html`aria-current="page"` : ''}>${text}</a>`;
  return html`<!doctype html>
<html lang="${visitor.language}" data-theme="${visitor.theme}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="same-origin">
<meta name="htmx-config" content="${HTMX_CONFIG}">
<title>${shownText(title, 80)} · shelflift</title>
<link rel="icon" type="image/svg+xml" href="/assets/mark.svg">
<link rel="stylesheet" href="/assets/style.css">
<script src="/assets/htmx.js" defer></script>
<script src="/assets/sse.js" defer></script>
<script src="/assets/page.js" defer></script>
</head>
<body hx-headers="${JSON.stringify({ 'X-Form-Token': visitor.session.formToken })}">
<a class="skip" href="#main">${t.skip}</a>
${
  isLast === true
    ? ''
    : html`<header class="top">
<a class="brand" href="/"><img src="/assets/mark.svg" alt="" width="26" height="26"><span>shelflift</span></a>
<nav aria-label="${t.main}">${link('home', '/', t.home)} ${link('history', '/history', t.history)}</nav>
${account === undefined ? '' : accountLink(account, t, menu)}
</header>`
}
<p class="lost" role="alert" hidden>${t.lost}</p>
<main id="main" tabindex="-1" class="${wide === true ? 'wide' : ''}">
${body}
</main>
${
  isLast === true
    ? ''
    : html`<footer class="foot">
<p>${t.local} <a href="/quit">${t.quit}</a></p>
${preferences(visitor, path)}
</footer>`
}
</body>
</html>`;
}

function accountLink(
  account: NonNullable<Shown>,
  t: (typeof LAYOUT_TEXTS)['en'],
  menu: Screen['menu'],
): Html {
  const current = menu === 'account' ? html`aria-current="page"` : '';
  return html`<a class="account" href="/connect" ${current}>
${
  account.practice
    ? html`<span class="badge practice" title="${t.practiceHint}">${t.practice}</span>`
    : html`<span class="badge">${foreign(account.profile ?? t.account, 40)}</span>`
}
<span class="host">${account.host}</span></a>`;
}

function preferences(visitor: Visitor, path: string): Html {
  const t = LAYOUT_TEXTS[visitor.language];
  const themes = { auto: t.auto, light: t.bright, dark: t.dark };
  const button = (name: string, value: string, text: string, isOn: boolean, language?: string) =>
    html`<button name="${name}" value="${value}" ${isOn ? html`aria-pressed="true"` : html`aria-pressed="false"`} ${
      language === undefined ? '' : html`lang="${language}"`
    }>${text}</button>`;
  return html`<form method="post" action="/preferences" class="preferences">
${formToken(visitor)}<input type="hidden" name="back" value="${path}">
<fieldset><legend>${t.language}</legend>${button('language', 'en', 'English', visitor.language === 'en', 'en')}${button(
    'language',
    'de',
    'Deutsch',
    visitor.language === 'de',
    'de',
  )}</fieldset>
<fieldset><legend>${t.light}</legend>${THEMES.map((theme) =>
    button('theme', theme, themes[theme], visitor.theme === theme),
  )}</fieldset>
</form>`;
}

/** The form token, which every form that changes something contains. */
export function formToken({ session }: Pick<Visitor, 'session'>): Html {
  return html`<input type="hidden" name="_token" value="${session.formToken}">`;
}
