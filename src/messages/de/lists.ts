import type { LISTS } from '../params/lists.ts';
import type { TextsOf } from '../texts.ts';
import { anzahl, zahl } from './format.ts';

export const DE_LISTS: TextsOf<typeof LISTS> = {
  list_in_one_response: () => 'Die ganze Liste kam in einer Antwort.',
  summary_in_one_response: () => 'Die Zusammenfassung kam in einer Antwort.',
  list_not_counted: () =>
    'Die Liste ließ sich nicht zählen, weil ihre letzte Seite nicht zu finden war. Wie viele Stücke fehlen, ist unbekannt.',
  list_complete: ({ items, entries }) =>
    `${verschiedene(items)} gelesen, und die Liste hatte danach ${eintraege(entries)}: Es fehlt nichts.`,
  list_incomplete: ({ why, bound }, say) => `${say(why)}: ${say(bound)}.`,
  new_items_kept_arriving: () => 'Während des ersten Zählens kamen immer wieder neue Stücke hinzu',
  items_removed_meanwhile: ({ items }) =>
    `Während die Liste gelesen wurde, ${items === 1 ? 'ist' : 'sind'} außerhalb der API mindestens ${anzahl(items, 'Stück', 'Stücke')} entfernt worden`,
  items_and_entries_differ: ({ items, entries }) =>
    `${verschiedene(items)} gelesen, doch die Liste hatte danach ${eintraege(entries)}`,
  missing_items_unknown: () => 'Wie viele Stücke fehlen, ist unbekannt',
  missing_items_at_most: ({ missing, of }) =>
    `Von den ${anzahl(of, 'Stück', 'Stücken')} vom Anfang ${missing === 1 ? 'wurde' : 'wurden'} ${zahl(missing)} nicht gelesen`,
  last_passes_agree: ({ passes, entries }) =>
    `Die Liste wurde ${zahl(passes)}-mal gelesen und zeigte die letzten beiden Male ${entries === 1 ? 'denselben Eintrag' : `dieselben ${zahl(entries)} Einträge`}.`,
  entries_gone_in_last_pass: ({ entries, passes, last }) =>
    `Die Liste hat sich beim Lesen geändert: Sie wurde ${zahl(passes)}-mal gelesen und zeigte insgesamt ${eintraege(entries)}, beim letzten Mal ${zahl(last)} davon.`,
  passes_differ: ({ passes, entries }) =>
    `Die Liste hat sich beim Lesen geändert: Sie wurde ${zahl(passes)}-mal gelesen und zeigte ${eintraege(entries)}.`,
  list_lags: ({ items }) =>
    `Die Liste ist nicht auf dem neuesten Stand: Sie zeigte ${neue(items)} nicht, und mindestens eines davon gibt es. Lies sie später noch einmal.`,
  list_may_lag: ({ items }) =>
    `Die Liste zeigte ${neue(items)} nicht. Mindestens eines davon ist so neu, dass der Server es vielleicht erst später zeigt, falls es nicht gelöscht wurde. Lies die Liste später noch einmal.`,
  fewer_items_in_second_reading: () => 'Beim zweiten Lesen waren es weniger Stücke.',
  list_left_out_fields: () => 'In der Liste fehlten Felder der Stücke.',
  reading_with_doubt: ({ reading, doubt }, say) => `${say(reading)} ${say(doubt)}`,
};

function verschiedene(items: number): string {
  return anzahl(items, 'Stück wurde', 'verschiedene Stücke wurden');
}

function eintraege(entries: number): string {
  return anzahl(entries, 'Eintrag', 'Einträge');
}

function neue(items: number): string {
  return anzahl(items, 'Stück aus der letzten Stunde', 'Stücke aus der letzten Stunde');
}
