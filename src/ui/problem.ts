/** Pages that explain an error and the next step. */
import { ShelfliftError } from '../base/errors.ts';
import { html, type Html } from './html.ts';
import { errorText } from './engine/engine-text.ts';
import { BusyError } from './jobs/busy.ts';
import type { RunKind } from './jobs/run.ts';
import { render } from './layout.ts';
import { catalogue } from './texts.ts';
import type { UiContext } from './ui.ts';

export const PROBLEM_TEXTS = catalogue(
  {
    refused: 'Refused: this request did not come from a page of shelflift.',
    oldLink: 'This link has been used',
    oldLinkHelp:
      'Each link opens the page once. If the page is open in another tab, go there. Otherwise start it again in a terminal, with the command ui.',
    noSession: 'This page is not open in this browser',
    noSessionHelp:
      'For your safety, only the browser window that shelflift has opened can see your data. Start it again in a terminal, with the command ui: this tab then continues by itself.',
    badForm: 'This form is out of date',
    badFormHelp: 'Go back, reload the page, and try again. Nothing was changed.',
    otherAccount: 'Another account is open now',
    otherAccountHelp:
      'This page belongs to a different account from the one that has since been opened in another tab or window. Nothing was changed or sent. At the top you see which account is open, and can choose the other one.',
    busy: 'Nothing was done, because something else is under way',
    busyHelp:
      'Your last request was not carried out. Wait until that has finished, or stop it, and then try again.',
    busyReading: 'shelflift is reading this file.',
    busyJudging: 'shelflift is checking this file again after a correction.',
    busyComparing: 'shelflift is comparing this plan with your items.',
    busySending: 'shelflift is sending this job.',
    busyUndoing: 'shelflift is preparing to undo this job.',
    busyLooking: 'shelflift is looking for duplicates.',
    busyReporting: 'shelflift is making another file.',
    toBusy: 'Show what is under way',
    notFound: 'There is nothing here',
    notFoundHelp: 'It may have been removed. Everything that you have brought in is in the history.',
    defect: 'Something went wrong on our side',
    defectHelp:
      'Nothing was lost: what had been sent is recorded. Try again; if it happens again, please report it with this text:',
    failed: 'That did not work',
    toHome: 'Go to the start page',
  },
  {
    refused: 'Abgelehnt: Diese Anfrage kam nicht von einer Seite von shelflift.',
    oldLink: 'Dieser Link wurde schon benutzt',
    oldLinkHelp:
      'Jeder Link öffnet die Seite einmal. Ist sie in einem anderen Tab offen, geh dorthin. Sonst starte sie im Terminal neu, mit dem Befehl ui.',
    noSession: 'Diese Seite ist in diesem Browser nicht geöffnet',
    noSessionHelp:
      'Zu deiner Sicherheit sieht nur das Browserfenster deine Daten, das shelflift geöffnet hat. Starte die Seite im Terminal neu, mit dem Befehl ui: Dieser Tab macht dann von selbst weiter.',
    badForm: 'Dieses Formular ist veraltet',
    badFormHelp: 'Geh zurück, lade die Seite neu und versuche es noch einmal. Es wurde nichts geändert.',
    otherAccount: 'Jetzt ist ein anderes Konto offen',
    otherAccountHelp:
      'Diese Seite gehörte zu einem anderen Konto als dem, das inzwischen in einem anderen Tab oder Fenster geöffnet wurde. Es wurde nichts geändert und nichts gesendet. Oben siehst du, welches Konto offen ist, und kannst das andere wählen.',
    busy: 'Es wurde nichts getan, weil gerade etwas anderes läuft',
    busyHelp:
      'Was du eben wolltest, wurde nicht ausgeführt. Warte, bis das zu Ende ist, oder halte es an, und versuche es dann noch einmal.',
    busyReading: 'shelflift liest gerade diese Datei.',
    busyJudging: 'shelflift prüft diese Datei gerade neu, nach einer Korrektur.',
    busyComparing: 'shelflift vergleicht diesen Plan gerade mit deinen Stücken.',
    busySending: 'shelflift sendet gerade diesen Job.',
    busyUndoing: 'shelflift bereitet gerade vor, diesen Job rückgängig zu machen.',
    busyLooking: 'shelflift sucht gerade nach doppelten Stücken.',
    busyReporting: 'shelflift macht gerade eine andere Datei.',
    toBusy: 'Zeigen, was gerade läuft',
    notFound: 'Hier ist nichts',
    notFoundHelp: 'Vielleicht wurde es entfernt. Alles, was du übernommen hast, steht im Verlauf.',
    defect: 'Bei uns ist etwas schiefgegangen',
    defectHelp:
      'Es ist nichts verloren: Was gesendet wurde, ist aufgezeichnet. Versuche es noch einmal; passiert es wieder, melde es bitte mit diesem Text:',
    failed: 'Das hat nicht geklappt',
    toHome: 'Zur Startseite',
  },
);

const GONE: ReadonlySet<string> = new Set([
  'no_such_job',
  'no_such_upload',
  'ambiguous_job',
  'unknown_item',
  'ambiguous_item',
]);

const WHOLE_SCREEN = { 'HX-Retarget': '#main', 'HX-Reselect': '#main', 'HX-Reswap': 'outerHTML' };

type Named = 'oldLink' | 'noSession' | 'badForm' | 'otherAccount' | 'notFound';

const UNDER_WAY = {
  reading: 'busyReading',
  judging: 'busyJudging',
  comparing: 'busyComparing',
  sending: 'busySending',
  undoing: 'busyUndoing',
  looking: 'busyLooking',
  reporting: 'busyReporting',
} as const satisfies Record<RunKind, string>;

export function problem(
  c: UiContext,
  what: Named | Error,
  status: 401 | 403 | 404 | 409 | 413 | 422 | 500 | 507,
): Response | Promise<Response> {
  const t = PROBLEM_TEXTS[c.var.visitor.language];
  // The browser requested a part of the page: the problem is shown in place of the screen.
  if (c.req.header('HX-Request') !== undefined)
    for (const [name, value] of Object.entries(WHOLE_SCREEN)) c.header(name, value);
  if (typeof what === 'string') {
    const isOutside = what === 'oldLink' || what === 'noSession';
    const title = t[what];
    // A form that was sent to the previous process cannot be sent again automatically.
    const path = c.req.method === 'GET' ? c.req.path : '/';
    const body = html`<section class="card narrow" ${isOutside ? html`data-outside="${path}"` : ''}><h1>${title}</h1><p>${t[`${what}Help`]}</p>
${isOutside ? '' : homeLink(t.toHome)}</section>`;
    return render(c, { title, body }, status);
  }
  if (what instanceof BusyError) {
    const body = html`<section class="card narrow"><h1>${t.busy}</h1><p>${t[UNDER_WAY[what.kind]]} ${t.busyHelp}</p>
<p><a class="button" href="${what.path}" data-primary>${t.toBusy}</a></p></section>`;
    return render(c, { title: t.busy, body }, 409);
  }
  const isOurs = !(what instanceof ShelfliftError);
  if (!isOurs && GONE.has(what.code)) return problem(c, 'notFound', 404);
  const title = isOurs ? t.defect : t.failed;
  const body = html`<section class="card narrow"><h1>${title}</h1>
${isOurs ? html`<p>${t.defectHelp}</p>` : ''}
<div class="quote">${errorText(what, c.var.visitor)}</div>${homeLink(t.toHome)}</section>`;
  return render(c, { title, body }, isOurs ? 500 : 422);
}

function homeLink(text: string): Html {
  return html`<p><a class="button" href="/" data-primary>${text}</a></p>`;
}
