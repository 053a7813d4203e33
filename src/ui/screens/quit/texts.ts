import { catalogue } from '../../texts.ts';

export const TEXTS = catalogue(
  {
    title: 'Quit shelflift?',
    lead: 'Everything is saved. The page closes until you start shelflift again.',
    running: (n: string) =>
      `Jobs still running: ${n}. Rows that were sent stay recorded, the rest waits on the start page, and nothing is sent twice.`,
    schedules: 'Schedules and watched folders run in a separate worker: they do not depend on this page.',
    quit: 'Quit shelflift',
    stay: 'Stay',
    ended: 'shelflift has been closed',
    endedLead:
      'You can close this tab. Everything is saved: start shelflift again to continue where you left off.',
  },
  {
    title: 'shelflift beenden?',
    lead: 'Alles ist gespeichert. Die Seite ist erst wieder da, wenn du shelflift neu startest.',
    running: (n: string) =>
      `Laufende Jobs: ${n}. Gesendete Zeilen bleiben aufgezeichnet, der Rest wartet auf der Startseite, und nichts wird doppelt gesendet.`,
    schedules: 'Zeitpläne und überwachte Ordner haben ihren eigenen Prozess: Sie brauchen diese Seite nicht.',
    quit: 'shelflift beenden',
    stay: 'Hierbleiben',
    ended: 'shelflift wurde beendet',
    endedLead:
      'Du kannst diesen Tab schließen. Alles ist gespeichert: Starte shelflift wieder, und es geht dort weiter, wo du warst.',
  },
);
