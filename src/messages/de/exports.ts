import type { EXPORTS } from '../params/exports.ts';
import type { TextsOf } from '../texts.ts';
import { anzahl, either, list, quoted, zahl } from './format.ts';

export const DE_EXPORTS: TextsOf<typeof EXPORTS> = {
  give_known_collection: () => 'Gib Namen oder ID einer vorhandenen Sammlung an.',
  other_selection: ({ name, last, selection }) =>
    `Der letzte Export der Änderungen „${name}“ enthielt ${last}; dieser soll ${selection} enthalten.`,
  to_use_another_name: () => 'Um Exporte mit dieser Auswahl getrennt zu führen',
  changes_moved: ({ name }) =>
    `Ein anderer Export der Änderungen „${name}“ lief zur selben Zeit. Es wurde nichts geschrieben.`,
  changes_undelivered: ({ name, run }) =>
    `Die vorige Datei mit Änderungen „${name}“ ist noch nicht zugestellt (Lauf ${run}). Die nächste entsteht danach, damit keine Änderung in beiden steht.`,
  changes_of_other_team: ({ name }) =>
    `Die früheren Dateien mit Änderungen „${name}“ entstanden mit einem anderen API-Schlüssel, und keines ihrer Stücke ist noch in der Liste: Wahrscheinlich gehören sie einem anderen Team. Es wurde nichts geschrieben.`,
  to_begin_another_name: () => 'Um unter einem eigenen Namen zu beginnen',
  changes_team_assumed: ({ name }) =>
    `Die früheren Dateien mit Änderungen „${name}“ entstanden mit einem anderen API-Schlüssel. Sie enthalten kein Stück, das zeigt, ob er zu diesem Team gehört; diese Datei beginnt dort, wo sie enden.`,
  export_changes_again: () => 'Starte ihn noch einmal: Er enthält dann die Änderungen seit jenem Export.',
  no_stream: () => 'Es gibt keinen Stream, in den geschrieben werden kann.',
  not_for_resource: ({ resource, option }) =>
    `Für ${resource} gibt es ${option} nicht; nur für items und listings.`,
  changes_need_file: () =>
    'Änderungen gehen in eine Datei: Niemand weiß, ob ein Stream angekommen ist, und jede Änderung wird nur einmal gemeldet.',
  since_needs_became: () =>
    'Einen Anfangstag kannst du nur bei einem Export der Stücke angeben, die einen Status bekommen haben: Andere Werte eines vergangenen Tages kennt shelflift nicht.',
  became_needs_name: () =>
    'shelflift erkennt nur im Vergleich mit dem vorigen Export desselben Namens, welche Stücke einen Status bekommen haben. Ein solcher Export kann nicht auch nach Status filtern.',
  layout_needs_became: ({ layout }) =>
    `Das Layout ${layout} zeigt, wann ein Stück zuerst mit einem Status gesehen wurde. Das ist nur bei einem Export der Stücke bekannt, die einen Status bekommen haben.`,
  bad_locale: ({ locale }) => `„${locale}“ ist kein Sprachkürzel; gültig ist zum Beispiel de-DE.`,
  layout_and_columns: () => 'Es wurden ein Layout und Spalten angegeben: Das Layout legt die Spalten fest.',
  needs_xlsx: ({ layout, field }) =>
    `Das Layout ${layout} legt für jeden Wert von ${field} ein Blatt an: Nur eine .xlsx-Datei hat Blätter.`,
  unknown_format: ({ file, ending, endings }) =>
    `${file} ${ending === '' ? 'hat keine Endung' : `endet auf .${ending}`}; möglich sind ${either(endings)}.`,
  use_one_ending: () => 'Gib der Datei eine dieser Endungen; sie bestimmt das Format.',
  name_file_inside: () => 'Nenne eine Datei darin.',
  place_no_folder: ({ folder }) => `Den Ordner ${folder} gibt es nicht`,
  create_or_choose_place: () => 'Lege ihn an oder wähle einen anderen Ort.',
  place_below_file: ({ folder }) => `${folder} ist eine Datei`,
  choose_another_place: () => 'Wähle einen anderen Ort.',
  unknown_status: ({ word, known }) => `Den Status „${word}“ gibt es nicht; möglich sind ${either(known)}.`,
  status_not_listed: ({ word, known }) =>
    `Kein Angebot hat den Status „${word}“; möglich sind ${either(known)}.`,
  status_missing: ({ known }) => `Es wurde kein Status genannt; möglich sind ${either(known)}.`,
  bad_delimiter: ({ given }) =>
    `„${given}“ ist kein Trennzeichen; möglich ist ein einzelnes Zeichen wie ; oder tab.`,
  no_column_named: () => 'Es wurde keine Spalte genannt.',
  unknown_column: ({ columns }) => `Es gibt keine Spalte ${columns.map(quoted).join(', ')}.`,
  available_columns: ({ known }) => `Verfügbare Spalten: ${list(known)}.`,
  double_column: ({ column }) => `Die Spalte „${column}“ wird zweimal genannt.`,
  name_column_once: () => 'Nenne jede Spalte einmal: Ein Import der Datei wüsste nicht, welche gilt.',
  no_such_layout: ({ layout }) => `Es gibt kein Exportlayout „${layout}“.`,
  available_layouts: ({ known, path }) =>
    `Verfügbare Layouts: ${known.join(', ')}. Gib ein eigenes Layout als Pfad an, zum Beispiel ${path}.`,
  layout_file_missing: ({ file }) =>
    `Das Layout ${file} kann nicht gelesen werden: Es gibt keine solche Datei.`,
  layout_file_closed: ({ file }) =>
    `Das Layout ${file} kann nicht gelesen werden: Es lässt sich nicht öffnen.`,
  check_path: () => 'Prüfe den Pfad.',
  to_list_layouts: () => 'Um die mitgelieferten Layouts zu sehen',
  layout_needs_field: ({ layout, column, field, items }) =>
    `Das Layout ${layout} nimmt „${column}“ aus ${field}, und ${items === 1 ? 'das einzige Stück hat dieses Feld nicht' : `keins von ${zahl(items)} Stücken hat dieses Feld`}. Es wurde nichts geschrieben.`,
  fill_field: ({ field }) =>
    `Fülle ${field} bei den Stücken aus, oder nenne das richtige Feld in einem eigenen Layout.`,
  to_start_layout: () => 'Um ein eigenes Layout aus diesem zu machen',
  too_many_sheets: ({ field, sheets }) =>
    `${field} hat mehr als ${anzahl(sheets, 'Wert', 'Werte')}: zu viele, um jedem ein Blatt zu geben.`,
  no_live_report: ({ file }) =>
    `${file} ist ein Bericht: Erstelle ihn neu, um zu sehen, was sich geändert hat.`,
  no_live_changes: ({ file }) =>
    `${file} enthält Änderungen: Die API zeigt nur aktuelle Werte, deshalb gibt es nichts zum Vergleichen.`,
  no_manifest: ({ manifest }) => `Das Manifest ${manifest} gibt es nicht.`,
  keep_manifest: () =>
    'Bewahre das Manifest neben seiner Datei auf; ohne Manifest lässt sie sich nicht prüfen.',
  bad_manifest: ({ manifest, place, problem }, say) =>
    `${manifest} ist kein Manifest von shelflift: ${place} ${say(problem)}`,
  changes_need_store: () =>
    'Ein Export von Änderungen braucht einen Speicher, der weiß, was der letzte Export enthielt.',
  output_is_compared: ({ file }) =>
    `${file} gehört zu den verglichenen Dateien und wird nicht überschrieben.`,
  rows_lack_key: ({ file, field }) => `${file}: Keine Zeile hat das Feld ${field}.`,
  key_no_column: ({ file, field }) => `${file}: Es gibt keine Spalte ${field}.`,
  to_name_key_column: ({ known }) =>
    `Die Datei hat ${known.join(', ')}. Um nach einer Spalte zu vergleichen, die ein Stück eindeutig bestimmt`,
  to_compare_by_near: () => 'Um nach der ähnlichen Spalte zu vergleichen',
  other_resources: ({ one, resource, other, other_resource }) =>
    `Die beiden Dateien lassen sich nicht vergleichen: ${one} enthält ${resource}, ${other} enthält ${other_resource}.`,
  other_forms: ({ one, other }) =>
    `Die beiden Dateien lassen sich nicht vergleichen: ${one} und ${other} schreiben Beträge und Datumsangaben verschieden.`,
  export_both_alike: () => 'Exportiere beide auf dieselbe Weise, ohne Ländereinstellung.',
  double_key: ({ file, row, first, key, value }) =>
    `${first === undefined ? `Zeile ${row} und eine frühere` : `Die Zeilen ${first} und ${row}`} von ${file} haben in ${key} denselben Wert (${value}): Es ist unklar, welches Stück gemeint ist.`,
  export_again: () => 'Exportiere noch einmal.',
  to_compare_by_id: () => 'Um nach einem Feld zu vergleichen, das bei jedem Stück anders ist',
  not_an_export: ({ file }) => `${file} ist kein Export: Die Datei muss auf .csv, .xlsx oder .ndjson enden.`,
  file_cut_off: ({ file, bytes, written }) =>
    `Das Ende von ${file} fehlt: Die Datei hat ${bytes} der ${written} geschriebenen Bytes.`,
  copy_or_export_again: () =>
    'Kopiere die Datei neu, oder lade sie noch einmal herunter, oder exportiere noch einmal.',
  row_not_as_exported: ({ file, row, problem }, say) =>
    `Zeile ${row} von ${file} sieht nicht aus wie in einem Export: ${say(problem)}.`,
  perhaps_cut_off: () => 'Vielleicht ist die Datei dort abgeschnitten oder wurde bearbeitet. Exportiere neu.',
  export_taken_over: () =>
    'Ein anderer Prozess hat diesen Export übernommen und macht an dieser Stelle weiter. Es wurde nichts geschrieben.',
  wait_for_process: () => 'Warte, bis jener Prozess fertig ist.',
  to_read_everything: () => 'Um alles noch einmal zu lesen',
  list_moved: ({ explanation }, say) =>
    `Die Liste der Stücke hat sich beim Lesen geändert. ${say(explanation)}`,
  read_list_again: () => 'Versuche es noch einmal, wenn niemand Stücke entfernt.',
  first_export_of_changes: ({ name }) =>
    `Das ist der erste Export unter dem Namen „${name}“: Er legt den Ausgangspunkt fest und enthält alle Zeilen. Der nächste enthält nur, was sich seitdem geändert hat.`,
  became_undone: ({ name, status, items }) =>
    `${items === 1 ? 'Ein Stück' : `${zahl(items)} Stücke`}, beim letzten Export unter dem Namen „${name}“ noch mit dem Status „${status}“, ${items === 1 ? 'hat' : 'haben'} jetzt einen anderen. Keine spätere Datei nimmt die Zeile einer früheren zurück; kommt der Status wieder, steht das Stück noch einmal in einer Datei.`,
  first_export_of_became: ({ name, status }) =>
    `Das ist der erste Export unter dem Namen „${name}“: Er legt den Ausgangspunkt fest und hat keine Zeilen. Der nächste enthält die Stücke, die seitdem den Status „${status}“ bekommen haben.`,
  starts_with_reading: ({ at, status, late }) =>
    `Die Datei beginnt mit der Aufzeichnung von ${at}, die dem Anfang des Tages am nächsten liegt. Sie enthält die Stücke, die seitdem den Status „${status}“ bekommen haben${late ? ', nicht aber die, die ihn an dem Tag schon vorher bekommen haben' : ''}.`,
  earlier_start_known: ({ days }, say) =>
    `Ein Export unter einem anderen Namen kann an einem früheren Tag beginnen. ${say(days)}`,
  to_begin_earlier: () => 'Um an einem früheren Tag zu beginnen',
  too_long_for_cell: ({ field, items, more }) =>
    `${field} ist zu lang für eine XLSX-Zelle und blieb leer bei ${items.join(', ')}${more === 0 ? '' : ` und ${zahl(more)} weiteren`}.`,
  column_is_blank: ({ field }) => `Keine Zeile hat ${field}; die Spalte ist leer.`,
  header_would_not_survive: ({ field }) =>
    `Der Name ${field} lässt sich nicht als Überschrift verwenden. Der Name der Spalte beginnt deshalb mit _, und ein Import übergeht sie.`,
  layout_field_in_no_row: ({ layout, field }) =>
    `Das Layout ${layout} verwendet ${field}, aber keine Zeile hat dieses Feld.`,
  rows_not_taken: ({ rows, layout, problems, more }, say) =>
    `${rows === 1 ? '1 Zeile' : `${zahl(rows)} Zeilen`} ausgelassen, weil ${layout} ihre Werte nicht aufnimmt: ${problems.map(say).join('; ')}${more ? ' …' : ''}`,
  total_lacks_texts: ({ column, rows, texts, more }) =>
    `In der Summe von ${column} ${rows === 1 ? 'fehlt 1 Zeile, deren' : `fehlen ${zahl(rows)} Zeilen, deren`} Wert keine Zahl ist: ${texts.map((text) => `„${text}“`).join(', ')}${more ? ' …' : ''}. Nur Ziffern mit Dezimalpunkt gelten als Zahl.`,
  item_problem: ({ name, id, problem }, say) => `${name} (${id}): ${say(problem)}`,
  column_in_other_currency: ({ column, expected, found }) =>
    `${column} ist in ${expected}, nicht in ${found}`,
  value_is_blank: ({ column }) => `${column} ist leer`,
  value_no_number: ({ column, value }) => `${column} „${value}“ ist keine Zahl`,
  value_no_date: ({ column, value }) => `${column} „${value}“ ist kein Datum (erwartet: 2026-10-31)`,
  value_not_listed: ({ column, value }) => `${column} „${value}“`,
  fields_not_read: ({ fields, items }) =>
    `Die Liste lässt ${list(fields)} weg, und ${anzahl(items, 'Stück', 'Stücke')} der Liste ${items === 1 ? 'ließ' : 'ließen'} sich nicht einzeln lesen: Werte ${items === 1 ? 'dieses Stücks' : 'dieser Stücke'} fehlen vielleicht.`,
  fields_not_shown: ({ fields, lookedUp }) =>
    `Die Liste zeigt keinen Wert von ${list(fields)}. shelflift hat ${anzahl(lookedUp, 'Stück', 'Stücke')} aus allen Teilen der Liste einzeln gelesen und auch dort keinen gefunden, aber bei anderen Stücken lässt die Liste vielleicht Werte weg.`,
  no_item_has_field: ({ field, others, more }) =>
    `Kein Stück hat ${field}.${others.length === 0 ? '' : ` Es gibt ${others.join(', ')}${more ? ' …' : ''}.`}`,
  half_characters_blanked: ({ cells, column }) =>
    `${anzahl(cells, 'Zelle', 'Zellen')} von ${column} ${cells === 1 ? 'blieb' : 'blieben'} leer: Ein halbes Zeichen (eines von zwei Surrogaten) lässt sich in CSV nicht speichern, in NDJSON schon.`,
  cells_cut: ({ cells }) =>
    `${anzahl(cells, 'Zelle wurde', 'Zellen wurden')} auf die 32.767 Zeichen gekürzt, die eine Arbeitsmappe erlaubt.`,
  rows_fill_sheets: ({ sheets }) =>
    `Die Zeilen füllen ${anzahl(sheets, 'Blatt', 'Blätter')}: Auf eines passen 1.048.576.`,
};
