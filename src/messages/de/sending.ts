import type { SENDING } from '../params/sending.ts';
import type { TextsOf } from '../texts.ts';
import { anzahl, dauer, either, quoted, unsent, zahl, zeilen, zeitpunkt } from './format.ts';

export const DE_SENDING: TextsOf<typeof SENDING> = {
  perhaps_created: ({ why, candidates, more }, say) =>
    `Vielleicht wurde das Stück angelegt: ${say(why)}${candidates.length === 0 ? '' : ` (infrage kommen: ${candidates.join(', ')}${more ? ', …' : ''})`}`,
  items_have_stamp: ({ items }) => `${anzahl(items, 'Stück hat', 'Stücke haben')} den Stempel dieser Zeile`,
  items_have_its_key: ({ items, key }) =>
    `${anzahl(items, 'Stück hat', 'Stücke haben')} denselben Wert in ${key}`,
  has_key_and_differs: ({ key }) =>
    `ein Stück hat denselben Wert in ${key}, weicht aber in anderen Feldern ab`,
  may_be_another_row: () =>
    'ein Stück kann zu dieser Zeile gehören oder zu einer, die sich nur in einem Feld unterscheidet, das der Server ändert',
  more_items_than_answers: ({ items, answers }) =>
    `${anzahl(items, 'Stück passt', 'Stücke passen')} zu ${anzahl(answers, 'verlorenen Antwort', 'verlorenen Antworten')}`,
  equal_item_of_nobody: () => 'ein gleiches Stück ist da, und nichts zeigt, welche Zeile es angelegt hat',
  looks_like_it: () => 'ein Stück ähnelt dieser Zeile, aber nicht in jedem Feld',
  looks_like_held_row: () =>
    'ein Stück ähnelt dieser Zeile, passt aber auch zu einer anderen Zeile, die auf deine Entscheidung wartet',
  not_to_be_looked_up: () =>
    'die Antwort ging verloren, und das Nachschlagen verlorener Antworten ist ausgeschaltet',
  list_lagged: () =>
    'die Liste der Stücke zeigte zehn Minuten lang nicht alle Stücke, die vorher angelegt worden waren',
  list_kept_changing: () => 'die Liste der Stücke änderte sich in fünf Durchgängen immer wieder',
  made_and_edited: () => 'inzwischen wurde ein Stück angelegt, und jemand hat es seitdem bearbeitet',
  nothing_acknowledged: () =>
    'der Server hat noch kein neues Stück bestätigt, und inzwischen kamen andere Stücke hinzu',
  never_answered: ({ times }) =>
    `die Zeile wurde ${times === 1 ? 'einmal' : `${zahl(times)}-mal`} gesendet, aber es kam keine Antwort`,
  made_after_last_row: ({ item }) =>
    `ein gleiches Stück ist da und wurde angelegt, nachdem dieser Speicher zuletzt eine Zeile des Jobs gesendet hat: ${item}`,
  shown_as_before: () =>
    'der Server zeigt das Stück noch so, wie es vor der letzten Änderung aus diesem Speicher war',
  changed_by_other_job: () =>
    'die Antwort ging verloren, und ein anderer Job hat das Stück seitdem geändert: Der Wert kann von ihm sein',
  changed_after_lost_answer: ({ drift }, say) =>
    `die Antwort ging verloren, und jemand hat das Stück seit dem Planen geändert: ${say(drift)}`,

  item_may_be_late: ({ item }) =>
    `Stück ${item} wird nicht gefunden, aber dieser Server hat neue Stücke schon verspätet gezeigt: Versuche es in ein paar Minuten noch einmal`,
  item_already_gone: ({ item }) => `Stück ${item} gibt es nicht mehr: Es gibt nichts zurückzunehmen`,
  looks_like_item: ({ item, name }) => `sieht aus wie Stück ${item} (${quoted(name)})`,
  key_lost_by_other_job: ({ key, ms }) =>
    `Ein anderer Job bekam für eine Zeile mit demselben ${key} keine Antwort. Das Stück jener Zeile wird in ${dauer(ms)} nachgeschlagen.`,
  archives_dropped: ({ items }) =>
    `${anzahl(items, 'Stück sollte', 'Stücke sollten')} archiviert werden. Das geschah nicht, weil die Datei ${items === 1 ? 'den Schlüssel' : 'die Schlüssel'} inzwischen enthält.`,
  creates_have_items: ({ rows, unchanged, updates, invalid, held, skipped }) =>
    `${anzahl(rows, 'Zeile, die ein neues Stück werden sollte, hat', 'Zeilen, die neue Stücke werden sollten, haben')} inzwischen ein Stück: ${zahl(unchanged)} unverändert, ${zahl(updates)} zu ändern, ${zahl(invalid)} ungültig${held === 0 ? '' : `, ${zahl(held)} zu entscheiden`}${skipped === 0 ? '' : `, ${zahl(skipped)} übersprungen`}.`,
  more_items_changed: ({ items }) =>
    `${anzahl(items, 'weiteres Stück hat', 'weitere Stücke haben')} sich seit der Planung geändert. Näheres in der Ergebnisdatei.`,
  list_lags_behind: ({ items }) =>
    `Die Liste der Stücke zeigt ${anzahl(items, 'Stück', 'Stücke')} noch nicht, ${items === 1 ? 'das' : 'die'} shelflift angelegt hat. shelflift liest die Liste immer wieder, bis sie aktuell ist, höchstens zehn Minuten lang.`,
  new_items_unknown: ({ items, ms }) =>
    `Der Server zeigt ${anzahl(items, 'Stück', 'Stücke')}, ${items === 1 ? 'das' : 'die'} shelflift gerade angelegt oder geändert hat, nicht oder mit veralteten Werten. Entweder ${items === 1 ? 'wurde es' : 'wurden sie'} gelöscht, oder der Server zeigt Änderungen verspätet. shelflift wartet bis zu ${dauer(ms)}, um das herauszufinden.`,

  list_still_lags: ({ items }) =>
    `Die Liste der Stücke zeigt nach zehn Minuten immer noch ${anzahl(items, 'Stück', 'Stücke')} nicht, ${items === 1 ? 'das' : 'die'} shelflift angelegt hat.`,
  waits_for_room: ({ rows, at }) =>
    `Die Höchstzahl an Stücken ist erreicht; ${anzahl(rows, 'Zeile wartet', 'Zeilen warten')}. Nächster Versuch: ${zeitpunkt(at)}.`,
  plan_is_full: ({ rows }) =>
    `Die Höchstzahl an Stücken ist erreicht. ${anzahl(rows, 'Zeile wartet', 'Zeilen warten')} auf Platz.`,
  many_refused: ({ refused, rows }) =>
    `Der Dienst hat ${zahl(refused)} von ${zeilen(rows)} abgelehnt. Der Job ist angehalten.`,
  no_rate_for_items: ({ currency }) =>
    `Die Werte der Stücke stehen in ${currency}, also brauchen Beträge in ${currency} keinen Kurs. Der Job ist angehalten.`,
  amounts_in_others: ({ currency, shown }) =>
    `Die Werte der Stücke stehen in ${currency}, und die Datei zeigt Beträge in ${either(shown)}. Der Job ist angehalten.`,
  store_is_behind: ({ rows, ...job }) =>
    `${zeilen(rows)} des Jobs, die dieser Speicher nicht gesendet hat, ${rows === 1 ? 'ist' : 'sind'} schon auf dem Server: Ein anderer Speicher hat den Job fortgesetzt, oder jemand hat die gleichen Stücke angelegt. ${unsent(job)} ${rows === 1 ? 'Die Zeile wartet' : 'Diese Zeilen warten'} auf deine Entscheidung.`,
  cannot_look_up: ({ why }, say) =>
    `Zeilen werden nur gesendet, wenn sich verlorene Antworten nachschlagen lassen: ${say(why)}`,
  key_was_rewritten: ({ key, sent, stored }) =>
    `${key} wurde als ${quoted(sent)} gesendet, und der Server ${stored === '' ? 'hat es nicht gespeichert' : `hat daraus ${quoted(stored)} gemacht`}`,
  key_lost_on_server: ({ what }, say) =>
    `${say(what)}: Ein späterer Import fände das Stück damit nicht. Der Job ist angehalten.`,

  try_when_list_shows: () =>
    'Führe den Befehl später noch einmal aus, wenn die Liste auf dem neuesten Stand ist.',
  to_try_at_once: () => 'Sofort versuchen, in einem anderen Terminal',
  make_room_in_plan: () => 'Nimm einen größeren Tarif, oder archiviere und lösche Stücke.',
  see_error_column: () => 'Sieh dir die Spalte _error in der Ergebnisdatei an.',
  to_allow_more_refusals: () => 'Fortsetzen und so viele abgelehnte Zeilen zulassen',
  to_send_no_more: () => 'Keine weiteren Zeilen senden',
  correct_item_value: () => 'Ein Stück wurde angelegt: Korrigiere seinen Wert.',
  to_give_rates: () => 'Dann für jede andere Währung als die der Stücke einen Kurs angeben',
  go_on_in_newest_store: () =>
    'Ist dieser Speicher eine wiederhergestellte Sicherung oder eine Kopie, dann mach im neuesten Speicher weiter. Entscheide sonst über die zurückgehaltenen Zeilen.',
  add_scope_items_read: () => 'Gib dem Schlüssel die Berechtigung items:read.',
  to_send_without_looking_up: () => 'Um Zeilen zurückzuhalten, deren Antworten verloren gehen',
};
