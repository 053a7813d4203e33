import type { CHANGES } from '../params/changes.ts';
import type { TextsOf } from '../texts.ts';
import { anzahl, quoted, zahl, zeilen } from './format.ts';

export const DE_CHANGES: TextsOf<typeof CHANGES> = {
  nothing_to_change: () => 'Es gibt nichts zu ändern.',
  not_a_change: ({ text }) => `${quoted(text)} ist keine Änderung; erwartet wird FELD=WERT.`,
  set_twice: ({ field }) => `${field} wird zweimal gesetzt.`,
  changed_by_two_columns: ({ field }) => `${field} wird von zwei Spalten geändert.`,
  rounding_without_change: () =>
    'Rundung und Währung gelten nur für Änderungen wie estimated_value*=1.10. Der Befehl enthält keine solche Änderung.',
  tags_set_and_changed: () => 'Die Schlagwörter werden gesetzt und zugleich ergänzt oder entfernt.',
  lowered_too_far: ({ text }) => `${text}: Kein Wert lässt sich um mehr als 100 % senken.`,
  names_no_column: ({ text }) => `${quoted(text)} nennt keine Spalte.`,
  column_without_file: ({ text, column }) =>
    `${quoted(text)}: @${column} nennt eine Spalte, aber es ist keine Datei angegeben.`,
  no_such_field: ({ field, fields }) =>
    `Es gibt kein Feld ${quoted(field)}. Felder sind ${fields.join(', ')} und custom_fields.NAME.`,
  set_to_nothing: ({ field }) => `${field} wird ohne einen Wert gesetzt.`,
  value_says_nothing: ({ field, text }) =>
    `${field} lässt sich nicht auf ${quoted(text)} setzen, denn das ist kein Wert.`,
  cannot_be_emptied: ({ field }) => `${field} darf nicht leer sein.`,
  change_impossible: ({ text }) => `${quoted(text)} ist nicht möglich.`,
  bad_rounding: ({ text }) =>
    `Werte lassen sich nicht auf ${quoted(text)} runden: Erwartet wird eine Zahl über 0, etwa 0.50, oder none.`,
  bad_currency_code: ({ text }) =>
    `${quoted(text)} ist keine Währung: Erwartet wird ein Code aus drei Buchstaben, etwa USD.`,
  bad_operand: ({ change, isWhole }) =>
    `${change}: Erwartet wird ${isWhole ? 'eine ganze Zahl ab 0' : 'eine Zahl ab 0, etwa 1.10'}.`,
  names_no_tag: ({ text }) => `${quoted(text)} nennt kein Schlagwort.`,
  items_in_currency: ({ currency, items }) => `${currency} (${anzahl(items, 'Stück', 'Stücke')})`,
  mixed_currencies: ({ currencies }, say) =>
    `Die zu ändernden Werte stehen in mehreren Währungen: ${currencies.map(say).join(', ')}. Es wurde nichts geändert.`,
  two_lists: () => 'Die Stücke sind doppelt angegeben: durch eine Liste von IDs und durch eine Datei.',
  list_and_selection: () =>
    'Die Datei nennt die Stücke schon: Sie lässt sich nicht mit Status, Sammlung oder Ausdruck verbinden.',
  option_without_file: ({ option }) =>
    `Die Option ${option} sagt, wie eine Datei gelesen wird, aber es gibt keine Datei mit Werten.`,
  no_items_named: () => 'Es sind keine Stücke genannt: Geändert würde jedes Stück des Teams.',
  changes_its_key: ({ field }) =>
    `Die Stücke werden über ${field} gefunden; deshalb lässt sich ${field} nicht auch ändern.`,
  no_such_column: ({ asked, column, near, columns }, say) =>
    `${asked}: Die Datei hat keine Spalte ${quoted(column)}.${near === undefined ? '' : ` Meintest du ${quoted(near)}?`} Die Spalten sind ${say(columns)}.`,
  no_id_column: ({ file, columns }) =>
    `Keine Spalte von ${file} heißt id: Die Spalten sind ${columns.join(', ')}.`,
  unmarked_duplicates: ({ file }) =>
    `${file} nennt alle Exemplare jedes doppelten Stücks, und bei keiner Zeile steht „archive“ als Aktion. Es wurde nichts geändert.`,
  marked_duplicates: ({ file, marked, rows }) =>
    `${file} ist eine Liste doppelter Stücke. Nur Zeilen mit der Aktion „archive“ werden geändert: ${zahl(marked)} von ${zeilen(rows)}.`,
  currency_differs: ({ is, wanted }) => `der Wert steht in ${is}, nicht in ${wanted}`,
  nothing_to_start_from: ({ field }) => `${field} ist leer, also gibt es keinen Ausgangswert`,
  not_a_start: ({ field, is, isWhole }) =>
    `${field} ist ${is}: erwartet wird ${isWhole ? 'eine ganze Zahl' : 'eine Zahl'}`,
  not_written_as_number: ({ field, is }) => `${field} ist ${is}, und das hat nicht die Form einer Zahl`,
  not_exact: ({ field, to }) => `${field} wäre ${to}, was sich nicht genau senden lässt`,
  example_change: ({ text }) => `Zum Beispiel: ${text}.`,
  remove_one_change: () => 'Entferne eine der beiden.',
  change_separately: () => 'Mach die zweite Änderung getrennt.',
  one_way_of_tags: () => 'Verwende entweder tags=… oder tags+=… und tags-=….',
  double_the_at: ({ column }) => `Wenn der Text selbst mit @ beginnt, verdopple das Zeichen: @@${column}.`,
  to_give_file: () => 'Um die Datei anzugeben',
  empty_with: ({ change }) => `Um das Feld zu leeren, schreib '${change}'.`,
  what_can_be_changed: () =>
    '*= geht bei estimated_value; += und -= gehen auch bei tags und, mit ganzen Zahlen, bei custom_fields.NAME. Um den Wert zu ersetzen, schreib FELD=WERT.',
  to_change_one_currency: () => 'Um nur die Werte in einer Währung zu ändern',
  to_find_by_id: () => 'Um die Stücke der Datei über die ID zu finden',
  to_choose_by_file: () => 'Um die Stücke einer Datei zu ändern',
  to_choose_by_list: () => 'Um die Stücke einer Liste von IDs zu ändern',
  to_choose_by_status: () => 'Um die Stücke mit einem bestimmten Status zu ändern',
  to_choose_by_collection: () => 'Um die Stücke einer Sammlung zu ändern',
  to_choose_by_where: () => 'Um die Stücke zu ändern, die ein Ausdruck auswählt',
  to_find_by_other_field: () => 'Um die Stücke über ein anderes Feld zu finden',
  name_by_letter: ({ text }) => `Nenne die Spalte mit ihrem Buchstaben: ${text}.`,
  head_id_column: () => 'Gib der Spalte mit den IDs der Stücke den Namen id.',
  to_write_ids: () => 'Um eine Datei mit einer solchen Spalte zu schreiben',
  fill_in_actions: () => 'Trag in die Spalte action keep oder archive ein.',
  to_suggest_actions: () => 'Um Vorschläge dafür zu bekommen',
  to_archive_marked: () => 'Um dann die markierten Zeilen zu archivieren',
  leave_only_ids: () => 'Um alle Exemplare zu ändern, gib eine Datei an, die nur die Spalte id hat.',
  bad_where: ({ expression, at, problem }, say) =>
    `Der Ausdruck ${quoted(expression)} ist${at === undefined ? '' : ` ab Zeichen ${at}`} nicht zu lesen: ${say(problem)}.`,
  where_empty: () => 'er ist leer',
  where_too_long: ({ most }) => `er ist länger als ${most} Zeichen`,
  where_not_expected: ({ text }) => `${quoted(text)} gehört dort nicht hin`,
  join_tests: () =>
    'Verbinde Bedingungen mit „and“ oder „or“. Setze einen Wert mit Klammer in Anführungszeichen.',
  nothing_follows: ({ word }) => `nach ${quoted(word)} folgt nichts`,
  quote_this_word: () => 'Setze einen Wert, der auf dieses Wort endet, in Anführungszeichen.',
  where_nested: () => 'seine Klammern sind zu tief verschachtelt',
  bracket_missing: () => 'eine schließende Klammer fehlt',
  no_operator: ({ signs }) => `${quoted(signs)} ist kein Vergleichszeichen`,
  operators_are: () =>
    'Erwartet wird =, !=, <, <=, >, >=, ~, has, in, blank oder not blank. Setze einen Wert, der so beginnt, in Anführungszeichen.',
  write_this: ({ text }) => `Schreib ${quoted(text)}.`,
  comma_missing: () => 'ein Komma oder eine schließende Klammer fehlt',
  example_of_list: () => 'Zum Beispiel: brand in (Hasbro, "A & B")',
  item_has_no_field: ({ name }) => `ein Stück hat kein Feld ${quoted(name)}`,
  did_you_mean_field: ({ near, own }) => `Meinst du ${near}? Ein eigenes Feld schreibst du als ${own}.`,
  quote_not_closed: () => 'ein Anführungszeichen wird nicht geschlossen',
  needs_quotes: ({ found }) => `ein Wert ohne Anführungszeichen kann ${found} nicht enthalten`,
  quote_one_value: ({ quoted: text, also }, say) =>
    `Ist es ein einziger Wert, setze ihn in Anführungszeichen: ${text}${also === undefined ? '' : ` ${say(also)}`}`,
  join_with_and: () => 'Um zwei Bedingungen zu verbinden, schreib „and“.',
  join_with_or: () => 'Um zwei Bedingungen zu verbinden, schreib „or“.',
  list_with_in: () => 'Für mehrere Werte schreib: in (A, B)',
  where_no_test: ({ text }) =>
    `${quoted(text)} ist keine Bedingung: Erwartet werden ein Feld, ein Vergleich und ein Wert`,
  examples_of_tests: () =>
    'Zum Beispiel: brand=Hasbro, estimated_value>=50, name~hot rod, tags has boxed, condition blank. Enthält ein Wert oder der Name eines eigenen Feldes „and“, „or“, ein Vergleichszeichen oder ein Anführungszeichen, setze ihn in Anführungszeichen.',
  test_without_value: ({ field, operator }) => `${field} ${operator} hat keinen Wert`,
  ask_for_filled: ({ field }) => `Für Stücke mit einem Wert: '${field} not blank'`,
  ask_for_blank: ({ field }) => `Für Stücke ohne Wert: '${field} blank'`,
  field_no_list: ({ field }) => `${field} ist keine Liste`,
  write_contains: ({ field, value }) =>
    `Um Texte zu finden, die einen Wert enthalten, schreib '${field}~${value}'.`,
  tags_are_list: () => 'tags sind eine Liste',
  write_tags_has: ({ value }) => `Schreib 'tags has ${value}'.`,
  field_no_text: ({ field }) => `${field} ist kein Textfeld`,
  compare_it: ({ example }) => `Verwende einen Vergleich: ${example}`,
  field_has_no_order: ({ field }) => `${field} lässt sich nicht mit < oder > vergleichen`,
  write_equal_or_contains: ({ field, value }) =>
    `Schreib '${field}=${value}', oder '${field}~${value}' für Texte, die den Wert enthalten.`,
  quotes_have_no_order: () =>
    'ein Wert in Anführungszeichen ist ein Text und lässt sich nicht mit < oder > vergleichen',
  write_without_quotes: ({ text }) => `Schreib Zahlen und Datumsangaben ohne Anführungszeichen: ${text}`,
  where_no_number: ({ value }) => `${quoted(value)} ist keine Zahl`,
  write_digits: () => 'Schreib Ziffern mit Dezimalpunkt, etwa 49.50.',
  where_no_date: ({ value }) => `${quoted(value)} ist kein Datum`,
  write_date: () => 'Schreib ein Datum wie 2026-01-31, oder 2026-01-31T12:00:00Z.',
  no_such_word: ({ field, value }) => `${field} ${quoted(value)} gibt es nicht`,
  words_are: ({ words, near }) =>
    `${near === undefined ? '' : `Meinst du ${near}? `}Möglich sind ${words.join(', ')}.`,
  api_knows_no_word: ({ field, value }) => `der Dienst kennt kein ${field} ${quoted(value)}`,
  did_you_mean_word: ({ near, field, value }) => `Meinst du ${near}? Wenn es so stimmt: '${field}~${value}'`,
  did_you_mean: ({ near }) => `Meinst du ${near}?`,
  no_custom_fields: () => 'Kein Stück hat eigene Felder.',
  write_blank: ({ field }) => `Für Stücke ohne dieses Feld schreib '${field} blank'.`,
};
