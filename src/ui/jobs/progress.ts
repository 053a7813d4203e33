/** The progress of a run: the view, and its updates as server-sent events. Closing the page does not stop the run. */
import { type SSEStreamingApi, streamSSE } from 'hono/streaming';
import { html, type Html, shownText } from '../html.ts';
import { catalogue } from '../texts.ts';
import type { Ui, UiApp, UiContext, Visitor } from '../ui.ts';
import type { Run } from './run.ts';

const TEXTS = catalogue(
  {
    reading: (n: string) => `${n} rows read so far.`,
    begin: 'Starting …',
    checked: (done: string, total: string) => `${done} of ${total} items compared.`,
    read: (done: string, total: string) => `${done} of ${total} read.`,
    judged: (done: string, total: string) => `${done} of ${total} rows checked again.`,
    sent: (done: string, total: string) => `${done} of ${total} sent.`,
    rate: (n: string) => `${n} a second`,
    left: (time: string) => `${time} left`,
    limited: (time: string) => `The service asks for a pause. Sending resumes at ${time}.`,
    away: (time: string) => `The service cannot be reached at the moment. Next try at ${time}.`,
    answers: (n: string, time: string) =>
      `The service did not answer for ${n} of the rows. At ${time} shelflift will check whether they were applied, so that nothing is sent twice.`,
    elsewhere: 'Another shelflift process on this computer is using this account. This job is next.',
    stopping: 'Stopping. What is under way is finished first.',
    label: 'Progress',
  },
  {
    reading: (n: string) => `${n} Zeilen bisher gelesen.`,
    begin: 'Es geht los …',
    checked: (done: string, total: string) => `${done} von ${total} Stücken verglichen.`,
    read: (done: string, total: string) => `${done} von ${total} gelesen.`,
    judged: (done: string, total: string) => `${done} von ${total} Zeilen neu geprüft.`,
    sent: (done: string, total: string) => `${done} von ${total} gesendet.`,
    rate: (n: string) => `${n} pro Sekunde`,
    left: (time: string) => `noch ${time}`,
    limited: (time: string) => `Der Dienst bittet um eine Pause. Um ${time} Uhr geht es weiter.`,
    away: (time: string) => `Der Dienst ist gerade nicht erreichbar. Nächster Versuch um ${time} Uhr.`,
    answers: (n: string, time: string) =>
      `Für ${n} Zeilen kam keine Antwort. Um ${time} Uhr prüft shelflift, ob der Dienst sie übernommen hat, damit nichts doppelt gesendet wird.`,
    elsewhere:
      'Ein anderer Prozess von shelflift auf diesem Computer benutzt dieses Konto. Danach ist dieser Vorgang an der Reihe.',
    stopping: 'Wird angehalten. Was gerade unterwegs ist, wird noch beendet.',
    label: 'Fortschritt',
  },
);

/** Fast enough to look alive, slow enough to read. */
const UPDATE_EVERY_MS = 300;
/** Interval of updates for screen readers. */
const TELL_EVERY_MS = 10_000;
const BEAT_EVERY_MS = 15_000;

/** @param events address of the updates */
export function progressView(visitor: Visitor, run: Run, events: string): Html {
  return html`<div hx-ext="sse" sse-connect="${events}"><div class="progress" sse-swap="progress">${state(visitor, run)}</div>
<p class="hidden" aria-live="polite" sse-swap="told">${sentence(visitor, run)}</p><div sse-swap="ended" hidden></div></div>`;
}

function state(visitor: Visitor, run: Run): Html {
  const { language, words } = visitor;
  const t = TEXTS[language];
  const { done, total, perSecond, leftMs } = run.progress;
  const share = total === undefined || total === 0 ? undefined : Math.min(1, done / total);
  const facts = [
    perSecond === undefined || perSecond <= 0
      ? undefined
      : t.rate(words.count(Math.round(perSecond * 10) / 10)),
    leftMs === undefined ? undefined : t.left(words.span(leftMs)),
  ].filter((fact) => fact !== undefined);
  const wait = waiting(visitor, run);
  return html`<progress aria-label="${t.label}" ${share === undefined ? '' : html`value="${share.toFixed(4)}" max="1"`}></progress>
<p class="progress-line"><strong>${share === undefined ? '' : words.percent(share)}</strong> ${sentence(visitor, run)}${facts.length === 0 ? '' : html` <span class="soft">${facts.join(' · ')}</span>`}</p>
${wait === undefined ? '' : html`<p class="message warn">${wait}</p>`}`;
}

function sentence({ language, words }: Visitor, run: Run): string {
  const t = TEXTS[language];
  if (run.isStopping) return t.stopping;
  const { done, total } = run.progress;
  if (total === undefined) return done === 0 ? t.begin : t.reading(words.count(done));
  const texts: Partial<Record<Run['kind'], typeof t.sent>> = {
    sending: t.sent,
    judging: t.judged,
    reporting: t.read,
  };
  return (texts[run.kind] ?? t.checked)(words.count(done), words.count(total));
}

function waiting({ language, words }: Visitor, { progress }: Run): string | undefined {
  const t = TEXTS[language];
  const wait = progress.waiting;
  switch (wait?.for) {
    case 'rate_limit':
      return t.limited(words.clock(wait.until));
    case 'api':
      return t.away(words.clock(wait.until));
    case 'answers':
      return t.answers(words.count(wait.rows), words.clock(wait.until));
    case 'other_process':
      return t.elsewhere;
    default:
      return undefined;
  }
}

/**
 * Serves the updates of runs.
 *
 * @param next the screen to open when the run has ended
 */
export function progressEvents(
  app: UiApp,
  { signal }: Pick<Ui, 'signal'>,
  path: string,
  next: (c: UiContext, id: string, run: Run | undefined) => string | Promise<string>,
  /** Id of the run, if the address does not name it. */
  fixed?: string,
): void {
  app.get(path, (c) => {
    const id = fixed ?? c.req.param('id') ?? '';
    const { visitor, workspace } = c.var;
    return streamSSE(c, async (stream) => {
      const run = workspace.run(id);
      const gone = new AbortController();
      stream.onAbort(() => gone.abort());
      if (run !== undefined) await follow(stream, run, visitor, gone.signal);
      // When the server ends, pages report that, and do not leave for another screen.
      if (!gone.signal.aborted && !signal.aborted)
        await stream.writeSSE({ event: 'ended', data: await next(c, id, run) });
    });
  });
}

/** Sends the state of a run at each change, until the run or the page has ended. */
async function follow(stream: SSEStreamingApi, run: Run, visitor: Visitor, gone: AbortSignal): Promise<void> {
  let announcedAt = 0;
  while (!run.isOver && !gone.aborted) {
    await stream.writeSSE({ event: 'progress', data: oneLine(await state(visitor, run)) });
    if (Date.now() - announcedAt > TELL_EVERY_MS) {
      announcedAt = Date.now();
      await stream.writeSSE({ event: 'told', data: shownText(sentence(visitor, run)) });
    }
    await changed(run, gone);
  }
}

/** Resolves at the next change, but not before the last change could be read, and in any case after one heartbeat. */
async function changed(run: Run, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = run.watch(resolve);
  const beat = setTimeout(resolve, BEAT_EVERY_MS);
  signal.addEventListener('abort', () => resolve(), { once: true });
  if (!run.isOver) await promise;
  clearTimeout(beat);
  stop();
  if (!run.isOver) await new Promise((done) => setTimeout(done, UPDATE_EVERY_MS));
}

function oneLine(text: unknown): string {
  return String(text).replaceAll(/\s*\n\s*/g, ' ');
}
