import { catalogue } from '../../texts.ts';

export const TEXTS = catalogue(
  {
    title: 'Automatic',
    lead: 'Reports at set times, and folders whose files are brought in by themselves. A file named shelflift.yaml says what runs when.',
    none: 'Nothing is set up yet. Write a file shelflift.yaml (the manual has examples), and start shelflift ui in its folder.',
    worker:
      'Scheduled reports and folders run as long as a worker runs. Start one in a terminal, and leave it open:',
    schedules: 'Scheduled',
    folders: 'Watched folders',
    next: (when: string) => `Next: ${when}`,
    never: 'Does not run again',
    paused: 'Paused',
    last: (when: string, how: string) => `Last: ${when}, ${how}`,
    notYet: 'Has not run yet',
    pause: 'Pause',
    resume: 'Go on',
    ofName: (what: string, name: string) => `${what}: ${name}`,
    home: 'Go to the start page',
    problem: 'shelflift.yaml has a mistake',
    drop: 'Put files into this folder to bring them in.',
  },
  {
    title: 'Automatisch',
    lead: 'Berichte zu festen Zeiten und Ordner, deren Dateien von selbst übernommen werden. Was wann läuft, steht in einer Datei namens shelflift.yaml.',
    none: 'Es ist noch nichts eingerichtet. Lege eine Datei shelflift.yaml an (Beispiele stehen im Handbuch) und starte shelflift ui in ihrem Ordner.',
    worker:
      'Geplante Berichte und Ordner laufen, solange ein Worker läuft. Starte ihn im Terminal und lass es offen:',
    schedules: 'Geplant',
    folders: 'Überwachte Ordner',
    next: (when: string) => `Als Nächstes: ${when}`,
    never: 'Läuft nicht noch einmal',
    paused: 'Pausiert',
    last: (when: string, how: string) => `Zuletzt: ${when}, ${how}`,
    notYet: 'Noch nicht gelaufen',
    pause: 'Pause',
    resume: 'Weiter',
    ofName: (what: string, name: string) => `${what}: ${name}`,
    home: 'Zur Startseite',
    problem: 'In shelflift.yaml ist ein Fehler',
    drop: 'Lege Dateien in diesen Ordner, um sie zu übernehmen.',
  },
);
