/** Describes a job to a person: its kind, its state, and the one thing to do next. */
import { basename } from 'node:path';
import type { JobKind, JobRecord, Ledger, RowCounts } from '../../ledger/ledger.ts';
import { catalogue } from '../texts.ts';
import type { Visitor } from '../ui.ts';
import { JOB_KINDS } from '../../import/job/job-kinds.ts';

const TEXTS = catalogue(
  {
    undoOf: (name: string) => `Undo: ${name}`,
    change: 'Change',
    item: 'item',
    items: 'items',
    added: (n: string) => `${n} added`,
    changed: (n: string) => `${n} changed`,
    takenBack: (n: string) => `${n} undone`,
    unchanged: (n: string) => `${n} already up to date`,
    skipped: (n: string) => `${n} left out`,
    refused: (n: string) => `${n} refused by the service`,
    problems: (n: string) => `${n} to mend`,
    held: (n: string) => `${n} to decide`,
    ready: (n: string) => `${n} ready to send`,
    left: (n: string) => `${n} not sent yet`,
    nothing: 'nothing to send',
    state_planned: 'Planned',
    state_running: 'Sending',
    state_paused: 'Paused',
    state_interrupted: 'Stopped',
    state_cancelled: 'Cancelled',
    state_done: 'Done',
    state_parked_limit: 'Your plan is full',
    state_parked_unreachable: 'The service could not be reached',
    state_parked_unauthorised: 'The key was not accepted',
    state_parked_refused: 'Stopped: the service does not accept the rows as they are',
    state_parked_disk: 'Stopped: the disk is full',
    actPlan: 'See the plan',
    actMend: 'Mend',
    actContinue: 'Continue',
    actDecide: 'Decide',
    actWatch: 'Watch',
    actKey: 'Check the account',
    actSee: 'See the result',
  },
  {
    undoOf: (name: string) => `Rückgängig: ${name}`,
    change: 'Änderung',
    item: 'Stück',
    items: 'Stücke',
    added: (n: string) => `${n} hinzugefügt`,
    changed: (n: string) => `${n} geändert`,
    takenBack: (n: string) => `${n} rückgängig gemacht`,
    unchanged: (n: string) => `${n} schon aktuell`,
    skipped: (n: string) => `${n} ausgelassen`,
    refused: (n: string) => `${n} vom Dienst abgelehnt`,
    problems: (n: string) => `${n} zu korrigieren`,
    held: (n: string) => `${n} zu entscheiden`,
    ready: (n: string) => `${n} bereit zum Senden`,
    left: (n: string) => `${n} noch nicht gesendet`,
    nothing: 'nichts zu senden',
    state_planned: 'Geplant',
    state_running: 'Wird gesendet',
    state_paused: 'Pausiert',
    state_interrupted: 'Angehalten',
    state_cancelled: 'Abgebrochen',
    state_done: 'Fertig',
    state_parked_limit: 'Dein Tarif ist voll',
    state_parked_unreachable: 'Der Dienst war nicht erreichbar',
    state_parked_unauthorised: 'Der Schlüssel wurde nicht angenommen',
    state_parked_refused: 'Angehalten: Der Dienst nimmt die Zeilen nicht so an, wie sie sind',
    state_parked_disk: 'Angehalten: Die Festplatte ist voll',
    actPlan: 'Plan ansehen',
    actMend: 'Korrigieren',
    actContinue: 'Fortsetzen',
    actDecide: 'Entscheiden',
    actWatch: 'Zusehen',
    actKey: 'Konto prüfen',
    actSee: 'Ergebnis ansehen',
  },
);

export interface DescribedJob {
  id: string;
  title: string;
  /** True if no row of the job was sent. */
  isPlan: boolean;
  at: number;
  state: string;
  /** `780 added · 20 to mend`. */
  outcome: string;
  /**
   * ok: ended without problems. open: waits for a person. running: is being sent. ended: nothing more to do, but with
   * problems.
   */
  tone: 'ok' | 'open' | 'running' | 'ended';
  next: { text: string; href: string; post?: true };
}

/** @param running whether a living process works on it */
export async function describeJob(
  job: JobRecord,
  ledger: Ledger,
  running: boolean,
  visitor: Visitor,
): Promise<DescribedJob> {
  const counts = await ledger.rows.counts(job.id);
  const t = TEXTS[visitor.language];
  const { words } = visitor;
  const n = (value: number) => words.count(value);
  const parts: string[] = [];
  const add = (value: number, text: (count: string) => string) => {
    if (value > 0) parts.push(text(n(value)));
  };
  const pending = counts.planned + counts.sending + counts.unknown;
  if (JOB_KINDS[job.kind].takesBack) add(counts.updated, t.takenBack);
  else {
    add(counts.created, t.added);
    add(counts.updated, t.changed);
  }
  add(pending, job.firstSentAt === undefined ? t.ready : t.left);
  add(counts.held, t.held);
  add(counts.invalid, t.problems);
  add(counts.refused, t.refused);
  add(counts.unchanged, t.unchanged);
  add(counts.skipped, t.skipped);
  return {
    id: job.id,
    title: await jobTitle(job, ledger, visitor),
    isPlan: job.firstSentAt === undefined && job.state === 'planned',
    at: job.createdAt,
    outcome: parts.length === 0 ? t.nothing : parts.join(' · '),
    ...standing(job, counts, running, t),
  };
}

/** The title of a job; for an undo it includes the undone job. */
export async function jobTitle(job: JobRecord, ledger: Ledger, visitor: Visitor): Promise<string> {
  const { undoes } = job.request;
  const undone = undoes === undefined ? undefined : await ledger.jobs.find(undoes).catch(() => undefined);
  if (undone !== undefined) return TEXTS[visitor.language].undoOf(await jobTitle(undone, ledger, visitor));
  return ownTitle(job, visitor);
}

function ownTitle(job: JobRecord, { language }: Pick<Visitor, 'language'>): string {
  const t = TEXTS[language];
  const file = basename(job.source.file);
  const titles: Record<JobKind, string> = {
    import: file,
    set: `${t.change}: ${job.request.text ?? file}`,
    undo: t.undoOf(file.replace(/\.undo\.csv$/, '')),
  };
  return titles[job.kind];
}

function standing(
  job: JobRecord,
  counts: RowCounts,
  running: boolean,
  t: (typeof TEXTS)['en'],
): Pick<DescribedJob, 'state' | 'tone' | 'next'> {
  const to = (screen: string) => `/job/${job.id}/${screen}`;
  if (running)
    return { state: t.state_running, tone: 'running', next: { text: t.actWatch, href: to('sending') } };
  const pending = counts.planned + counts.sending + counts.unknown;
  // The job was killed while it was sending.
  const state = job.state === 'running' || job.state === 'staging' ? 'interrupted' : job.state;
  const named = t[`state_${state}`];
  if (state === 'done') {
    if (counts.held > 0)
      return { state: named, tone: 'open', next: { text: t.actDecide, href: to('result') } };
    if (counts.invalid > 0)
      return { state: named, tone: 'open', next: { text: t.actMend, href: to('mend') } };
    const tone = counts.refused > 0 ? 'ended' : 'ok';
    return { state: named, tone, next: { text: t.actSee, href: to('result') } };
  }
  if (state === 'cancelled')
    return { state: named, tone: 'ended', next: { text: t.actSee, href: to('result') } };
  if (state === 'planned' && job.firstSentAt === undefined) {
    const next =
      pending === 0 && counts.invalid > 0
        ? { text: t.actMend, href: to('mend') }
        : { text: t.actPlan, href: to('plan') };
    return { state: named, tone: 'open', next };
  }
  if (state === 'parked_unauthorised')
    return { state: named, tone: 'open', next: { text: t.actKey, href: '/connect' } };
  return { state: named, tone: 'open', next: { text: t.actContinue, href: to('resume'), post: true } };
}
