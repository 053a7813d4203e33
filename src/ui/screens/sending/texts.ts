import { catalogue } from '../../texts.ts';

export const TEXTS = catalogue(
  {
    sending: (name: string) => `Sending ${name}`,
    undoing: (name: string) => `Preparing to undo ${name}`,
    judging: (name: string) => `Checking ${name} again`,
    comparing: (name: string) => `Comparing ${name} with your items`,
    lead: 'You may close this page. The work goes on as long as shelflift runs, and continues later if it does not.',
    home: 'Go to the start page',
    pause: 'Pause',
    stop: 'Stop for good',
    stopHint: 'What has been sent stays. The rest can still be sent later.',
    stopping: 'Stopping …',
    elsewhere: 'Another shelflift process on this computer is sending this now.',
    look: 'Look again',
  },
  {
    sending: (name: string) => `${name} wird gesendet`,
    undoing: (name: string) => `${name} rückgängig machen: wird vorbereitet`,
    judging: (name: string) => `${name} wird neu geprüft`,
    comparing: (name: string) => `${name} wird mit deinen Stücken verglichen`,
    lead: 'Du kannst diese Seite schließen. Die Arbeit geht weiter, solange shelflift läuft, und sonst später.',
    home: 'Zur Startseite',
    pause: 'Pause',
    stop: 'Endgültig abbrechen',
    stopHint: 'Was gesendet ist, bleibt. Der Rest kann später noch gesendet werden.',
    stopping: 'Wird angehalten …',
    elsewhere: 'Ein anderer Prozess von shelflift auf diesem Computer sendet das gerade.',
    look: 'Noch einmal nachsehen',
  },
);
