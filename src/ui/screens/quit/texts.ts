import { catalogue } from '../../texts.ts';

export const TEXTS = catalogue(
  {
    title: 'Quit shelflift?',
    lead: 'Everything is saved. The page closes until you start shelflift again.',
    running: (n: string) =>
      `Work under way: ${n}. What has been sent stays recorded; the rest waits on the start page, and nothing is sent twice.`,
    schedules: 'Schedules and watched folders need a worker of their own: they do not depend on this page.',
    quit: 'Quit shelflift',
    stay: 'Stay',
    ended: 'shelflift has been closed',
    endedLead: 'You can close this tab. Everything is saved: start shelflift again to go on where you were.',
  },
  {
    title: 'shelflift beenden?',
    lead: 'Alles ist gespeichert. Die Seite schließt sich, bis du shelflift wieder startest.',
    running: (n: string) =>
      `Noch in Arbeit: ${n}. Was gesendet ist, bleibt aufgezeichnet; der Rest wartet auf der Startseite, und nichts wird doppelt gesendet.`,
    schedules: 'Zeitpläne und überwachte Ordner haben ihren eigenen Prozess: Sie brauchen diese Seite nicht.',
    quit: 'shelflift beenden',
    stay: 'Hierbleiben',
    ended: 'shelflift wurde beendet',
    endedLead:
      'Du kannst diesen Tab schließen. Alles ist gespeichert: Starte shelflift wieder, und es geht dort weiter, wo du warst.',
  },
);
