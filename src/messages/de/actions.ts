import type { ACTIONS } from '../params/actions.ts';
import type { TextsOf } from '../texts.ts';
import { anzahl, zeilen, zeitpunkt } from './format.ts';

export const DE_ACTIONS: TextsOf<typeof ACTIONS> = {
  to_read_as: ({ encoding }) => `Um den Text als ${encoding} zu lesen`,
  to_make_copies: () => 'Um aus einer Zeile mehrere Stücke zu machen',
  to_split_at_commas: () => 'Um an Kommas zu trennen',
  to_read_strictly: () => 'Um es selbst zu entscheiden, bevor etwas gesendet wird',
  to_read_without_it: () => 'Um die Datei ohne sie zu lesen',
  to_read_by_it: () => 'Um die Datei so zu lesen',
  to_use_it: () => 'Um sie zu benutzen',
  to_use_one_of_them: () => 'Um eine davon zu benutzen',
  to_read_it_so: () => 'Um sie so zu lesen',
  to_read_one_otherwise: () => 'Um eine anders zu lesen',
  to_fill_down: () => 'Um den Wert darüber zu nehmen, bevor etwas gesendet wird',
  to_keep: () => 'Um sie zu behalten',
  to_leave_out: () => 'Um sie auszulassen',
  to_create_rows_without_id: () => 'Um auch aus Zeilen ohne ID Stücke anzulegen',
  to_create_all_items: () => 'Um alle Stücke der Datei hier anzulegen',
  to_update_those_here: () => 'Um die Stücke zu ändern, die es hier gibt',
  to_see_them: () => 'Um sie zu sehen',
  to_read_other_sheets: () => 'Um sie zu lesen',

  to_send_this: () => 'Um genau das zu senden',
  to_send_rows: ({ rows, areItems }) =>
    `Um ${areItems ? anzahl(rows, 'Stück', 'Stücke') : zeilen(rows)} zu senden`,
  to_send_new_rows: () => 'Um nur die neuen Zeilen zu senden',
  to_send_all_rows: () => 'Um alle Zeilen zu senden',
  to_send_valid_rows: () => 'Um nur die gültigen Zeilen zu senden',
  to_send_valid_new_rows: () => 'Um nur die gültigen neuen Zeilen zu senden',
  to_send_rest: () => 'Um die übrigen Zeilen zu senden',
  to_send_rest_after_all: () => 'Um die übrigen Zeilen doch zu senden',
  to_go_on: () => 'Um weiterzumachen',
  to_go_on_anyway: () => 'Um trotzdem weiterzumachen',
  to_fill_names_in: () => 'Um die Namen nachzutragen',
  to_correct_job: () => 'Um die Zeilen zu korrigieren',
  correct_rows: ({ file, kind }) =>
    `Korrigiere die Zeilen in ${file ?? 'der Datei der abgelehnten Zeilen'} oder in der Quelle und ${again(kind)}.`,
  correct_source: ({ file, kind }) =>
    `Korrigiere die Zeilen${file === undefined ? '' : `, die in ${file} stehen,`} in der Quelle und ${again(kind)}.`,
  to_send_them_again: () => 'Um sie noch einmal zu senden',
  to_decide: () => 'Um zu entscheiden',
  to_import_again: () => 'Um sie noch einmal zu übernehmen',
  to_write_results: () => 'Um die Ergebnisse zu schreiben',
  to_see_why: () => 'Um den Grund zu sehen',
  to_watch: () => 'Um den Fortschritt zu verfolgen',
  to_take_back: () => 'Um zurückzunehmen, was er geschrieben hat',
  to_take_first_back: () => 'Um die erste zurückzunehmen',
  to_make_twice: () => 'Um sie ein zweites Mal zu machen',
  to_look_at_plan: () => 'Um den Plan anzusehen',
  to_look_first: () => 'Um vor dem Senden einen Plan anzusehen (dieser wurde nicht aufbewahrt)',
  to_send_it: () => 'Um ihn zu senden',
  to_change_more: () => 'Um mehr Änderungen ohne Rückfrage zu erlauben',
  to_archive_if_whole: () => 'Wenn die Datei vollständig ist',
  give_whole_file: () => 'Gib die vollständige Datei an, oder übernimm sie ohne Archivieren.',
  to_skip_similar: () => 'Um die Zeilen auszulassen, die vorhandenen Stücken gleichen',
  to_create_similar: () => 'Um auch diese Zeilen anzulegen',
  match_by_kept_field: () =>
    'Suche die Stücke über ein Feld, das der Dienst nicht ändert, oder schreib die Schlüssel so, wie der Dienst sie speichert.',
  to_update_items: () => 'Um die Stücke zu ändern',
  to_create_again: () => 'Um alle Stücke noch einmal anzulegen',
  to_find_other_job: () => 'Um einen anderen Job zurückzunehmen, such ihn',
  to_see_rows: () => 'Um seine Zeilen zu sehen',
  to_list_rows: () => 'Um alle aufzulisten',
  to_take_candidate: () => 'dieses Stück ist es',
  to_keep_theirs: () => 'fremde Änderungen beibehalten und den Rest senden',
  to_send_mine: () => 'dem Stück die Werte der Zeile geben',
  to_look_again: () => 'noch einmal nachsehen, wenn das Problem behoben ist',
  to_create_new: () => 'als neues Stück anlegen',
  to_leave_row: () => 'die Zeile auslassen',
  to_import_with_ids: () =>
    'bei vielen Zeilen: die richtigen IDs in _item_id schreiben, dann die Datei übernehmen',
  to_send_plan: () => 'Um zu senden, was er geplant hat',
  to_find_job: () => 'Um den Job zu finden, den du meinst',
  to_continue_it: () => 'Um diesen fortzusetzen',
  when_store_is_back: () => 'Wenn der Speicher wieder da ist',
  wait_for_its_end: () => 'Warte, bis er fertig ist, oder halte ihn dort erst an.',
  if_machine_is_gone: () => 'Wenn es diesen Rechner nicht mehr gibt',
  looks_again_now: ({ at }) =>
    `Der Job sollte bis zum ${zeitpunkt(at)} warten, bis wieder Platz ist; jetzt versucht er es noch einmal.`,
  to_write_elsewhere: () => 'Um einen Ordner zu nennen, in den du schreiben darfst',
  use_key_of_team: () => 'Setz ihn mit einem Schlüssel desselben Teams und mit derselben Adresse fort.',
  to_choose_collection: () => 'Um für die Zeilen eine andere Sammlung zu wählen',
  to_prune_later: () => 'Um zu löschen, was alt genug ist',
  to_map_value: () => 'Lass die Umrechnung weg, oder nenne die Spalte mit den Beträgen',
  correct_in_source: () =>
    'Korrigiere die Zeilen in der Datei der abgelehnten Zeilen oder in der Quelle und übernimm sie noch einmal.',
  to_write_it_again: () => 'Um sie noch einmal zu schreiben',
  to_undo_newest: ({ file }) => `Um den neuesten Job zurückzunehmen, der etwas gesendet hat (${file})`,
  to_see_what_it_is: () => 'Um zu sehen, was daraus wurde',
  to_look_them_up: () => 'Um sie nachzuschlagen',
  look_up_item: () =>
    'Such das Stück, das diese Zeile angelegt hat: Die möglichen Stücke stehen bei der Zeile.',
  if_row_made_none: () => 'Wenn die Zeile kein Stück angelegt hat',
  to_say_which_sheet: () => 'Um das Blatt zu nennen',
  no_row_to_decide: () => 'Keine Zeile des Jobs wartet auf eine Entscheidung.',
  rows_to_decide: ({ rows, more }) => `Zu entscheidende Zeilen: ${rows.join(', ')}${more ? ' …' : '.'}`,
  give_whole_id: ({ letters }) =>
    `Gib die ganze ID an, wie sie in Exporten steht, oder mindestens die ersten ${letters} Zeichen.`,
  to_use_other_store: () => 'Prüfe die ID und den Speicher',
  give_more_of_id: () => 'Gib mehr Zeichen der ID an.',
  to_skip_sent: () => 'Um auszulassen, was schon gesendet wurde',
  to_create_all: ({ rows, areItems }) =>
    `Um alle ${areItems ? anzahl(rows, 'Stück', 'Stücke') : zeilen(rows)} anzulegen`,
  to_send_its_rest: ({ job }) => `Um erst die Zeilen von Job ${job} zu senden`,
  restore_backup: () => 'Spiel eine Sicherung des Speichers zurück.',
  if_none_was_sent: () => 'Wenn noch keine der Zeilen gesendet wurde',
};

/** How corrected rows are given to a kind of job. */
function again(kind: string): string {
  if (kind === 'set') return 'wiederhole den Befehl mit dieser Datei';
  return kind === 'undo' ? 'nimm den Job noch einmal zurück' : 'übernimm sie noch einmal';
}
