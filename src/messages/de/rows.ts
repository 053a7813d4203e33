import type { ROWS } from '../params/rows.ts';
import type { TextsOf } from '../texts.ts';
import { anzahl, quoted } from './format.ts';

/** Problems that several rows share. */
function many(one: string, several: string) {
  return ({ field, kinds }: { field: string; kinds: number }) => `${field}: ${anzahl(kinds, one, several)}`;
}

export const DE_ROWS: TextsOf<typeof ROWS> = {
  cell_problem: ({ field, what }, say) => `${field}: ${say(what)}`,
  cell_expected: ({ problem, expected }, say) => `${say(problem)}. Erwartet: ${say(expected)}`,
  word_not_known: ({ text }) => `${quoted(text)} ist nicht bekannt`,
  word_not_exact: ({ text }) => `Für ${quoted(text)} gibt es keine genaue Entsprechung`,
  no_amount: ({ text }) => `${quoted(text)} ist kein Betrag`,
  no_plain_number: ({ text }) => `${quoted(text)} ist keine einfache Zahl`,
  no_json: ({ text }) => `${quoted(text)} ist kein gültiges JSON`,
  no_exported_amount: ({ text }) => `${quoted(text)} ist kein Betrag, wie ihn ein Export schreibt`,
  no_json_number: ({ text }) => `${quoted(text)} ist keine Zahl, die JSON darstellen kann`,
  in_other_currency: ({ text }) => `${quoted(text)} steht in einer anderen Währung`,
  two_readings: ({ text, point, comma, isUndecided }) =>
    `${quoted(text)} kann ${point} oder ${comma} heißen${isUndecided ? ', und keine andere Zelle der Spalte zeigt, was gilt' : ''}`,
  two_readings_disputed: ({ text, point, comma }) =>
    `${quoted(text)} kann ${point} oder ${comma} heißen, und die Spalte enthält beide Schreibweisen`,
  below_zero: ({ text }) => `${quoted(text)} liegt unter 0`,
  no_year: ({ text }) => `${quoted(text)} ist kein Jahr`,
  no_such_day: ({ text }) => `${quoted(text)} sieht wie ein Datum aus, aber diesen Tag gibt es nicht`,
  year_of_two_digits: ({ text }) => `Das Jahr in ${quoted(text)} hat nur zwei Ziffern`,
  several_years: ({ text }) => `${quoted(text)} umfasst mehrere Jahre`,
  year_not_certain: ({ text }) => `${quoted(text)} ist unsicher`,
  year_out_of_range: ({ text }) => `${quoted(text)} liegt außerhalb der erlaubten Jahre`,
  no_whole_number: ({ text }) => `${quoted(text)} ist keine ganze Zahl`,
  not_exact_number: ({ text }) => `${quoted(text)} ist keine genaue Zahl`,
  no_quantity: ({ text }) => `${quoted(text)} ist keine Anzahl`,
  no_id: ({ text }) => `${quoted(text)} ist nicht die ID eines Stücks`,
  no_yes_or_no: ({ text }) => `${quoted(text)} heißt weder Ja noch Nein`,
  has_control_character: ({ sign }) => `Der Text enthält ein Steuerzeichen (${sign})`,
  has_half_character: () => 'Der Text enthält ein unvollständiges Zeichen',
  has_lost_digits: ({ text }) =>
    `${quoted(text)} ist eine lange Zahl, die ein Tabellenprogramm gekürzt hat: Die letzten Ziffern fehlen`,
  has_characters: ({ length }) => `Der Text hat ${length} Zeichen`,
  does_not_fit: ({ text, pattern }) => `${quoted(text)} passt nicht zum Muster ${pattern}`,
  in_error: ({ text }) => `Die Zelle zeigt einen Fehler: ${text}`,
  has_uncertain_mark: ({ text }) =>
    `${quoted(text)} unterscheidet sich von der früheren Zahl nur durch das Dezimalzeichen, und das kann ein Tabellenprogramm geändert haben`,
  formula_without_result: () =>
    'Zur Formel dieser Zelle steht kein Ergebnis in der Datei: Öffne sie im Tabellenprogramm und speichere sie',
  cannot_be_empty: () => 'Das Feld darf nicht leer sein',
  others_in_currency: ({ text, currency, others }) =>
    `${quoted(text)} steht in ${currency}, andere Beträge der Spalte in ${others.join(', ')}`,
  others_show_currency: ({ text, currency }) =>
    `${quoted(text)} hat keine Währungsangabe, andere Beträge der Spalte sind in ${currency}`,
  not_currency_of_items: ({ text, currency }) =>
    `${quoted(text)} steht in einer anderen Währung als deine Stücke${currency === undefined ? '' : `: laut Spalte in ${currency}`}`,

  want_one_of: ({ words }) => words.join(', '),
  want_amount: () => 'ein Betrag ab 0',
  want_amount_in: ({ currency }) => `ein Betrag in ${currency}`,
  want_decimal_mark: () => 'eine eindeutige Zahl oder die Wahl des Dezimalzeichens',
  want_json: () => 'der ganze Wert als JSON, etwa ["a", "b"]',
  want_exported: ({ isComma }) =>
    `Ziffern mit ${isComma ? 'Dezimalkomma' : 'Dezimalpunkt'}, wie in einem Export ohne Ländereinstellung`,
  want_year: ({ first, last }) => `ein Jahr von ${first} bis ${last}`,
  want_id: () => 'eine ID, wie der Dienst sie zeigt (eine UUID)',
  want_answer: () => 'ja, nein, x, 1, 0, true, false',
  want_clean_text: () => 'Text ohne Steuerzeichen außer Tabulator und Zeilenende',
  want_unicode: () => 'gültiger Unicode-Text',
  want_mark: () =>
    'die frühere Zahl; oder die neue mit zwei Nachkommastellen, wenn sie stimmt. Formatiere die Zelle vorher als Text',
  want_all_digits: () =>
    'alle Ziffern der Zahl: Formatiere die Spalte als Text und gib die Zahl noch einmal ein',
  want_length: ({ most }) => `höchstens ${most} Zeichen`,
  want_name: ({ most }) => `1 bis ${most} Zeichen`,
  want_fitting: () => 'ein Text, der zum Muster passt',
  want_id_shown: () =>
    'eine der IDs in der Spalte _error einer Zeile, zu der mehrere Stücke passen, oder eine leere Zelle',
  want_one_currency: () => 'Beträge in einer einzigen Währung, denn die Sammlung ist noch leer',
  want_amount_with_currency: () => 'ein Betrag mit Währung',
  want_amount_without_currency: () => 'ein Betrag ohne Währung',
  want_count: () => 'eine ganze Zahl ab 0',
  want_number_from_0: () => 'eine Zahl ab 0',
  want_value: () => 'ein Wert',
  want_value_or_blank: () => 'ein Wert oder eine leere Zelle, damit das Feld bleibt, wie es ist',

  quote_never_closed: ({ line, byte }) =>
    `Ein Anführungszeichen in Zeile ${line} (Byte ${byte}) wird nie geschlossen: Der Rest der Datei steht in einer Zelle`,
  quote_takes_lines: ({ line, byte, last }) =>
    `Ein Anführungszeichen in Zeile ${line} (Byte ${byte}) wird dort nicht geschlossen: Alles bis Zeile ${last} steht in einer Zelle`,
  quote_read_as_text: ({ line, byte }) =>
    `Ein Anführungszeichen in Zeile ${line} (Byte ${byte}) wird dort nicht geschlossen: Es gilt als Text, und die Zeilen darunter werden einzeln gelesen`,
  holds_beyond_header: ({ column, text }) =>
    `Spalte ${column} enthält ${quoted(text)}, hat aber keine Überschrift`,
  bytes_not_readable: ({ encoding }) =>
    `Hier stehen Bytes, die nicht zu ${encoding} passen: Korrigiere die Zeile oder wähle den Zeichensatz der Datei`,
  looks_like_heading: ({ text }) =>
    `${quoted(text)} sieht wie die Überschrift der folgenden Zeilen aus: Lösche die Zeile oder fülle mehr Zellen aus, wenn sie ein Stück ist`,
  looks_like_figure: ({ text }) =>
    `${quoted(text)} sieht wie eine Summe oder Statistik aus: Lösche die Zeile oder fülle mehr Zellen aus, wenn sie ein Stück ist`,
  conflict_marker: ({ line, sign }) =>
    `Zeile ${line} markiert einen ungelösten Git-Konflikt (${sign}): Behalte eine Fassung jeder Zeile und lösche die Markierungen`,
  conflict_version: ({ line }) =>
    `Die Zeile ist eine von zwei Fassungen im Git-Konflikt ab Zeile ${line}: Behalte eine Fassung jeder Zeile und lösche die Markierungen`,
  name_is_blank: () => 'Der Name fehlt',
  left_out_because: ({ why }, say) => `Auf Wunsch ausgelassen (${say(why)})`,
  not_shown_for_row: ({ text }) =>
    `_item_id ${quoted(text)} gehört nicht zu den Stücken, die für diese Zeile gezeigt wurden`,

  many_unknown_word: many('unbekanntes Wort', 'unbekannte Wörter'),
  many_inexact_word: many('Wort ohne genaue Entsprechung', 'Wörter ohne genaue Entsprechung'),
  many_approximate_number: many('ungenaue Zahl', 'ungenaue Zahlen'),
  many_not_a_number: many('Text, der kein Betrag ist', 'Texte, die keine Beträge sind'),
  many_negative: many('Betrag unter 0', 'Beträge unter 0'),
  many_ambiguous_number: many('Zahl mit zwei Lesarten', 'Zahlen mit zwei Lesarten'),
  many_wrong_currency: many('Betrag in einer anderen Währung', 'Beträge in einer anderen Währung'),
  many_unclear_currency: many('Betrag ohne Währung', 'Beträge ohne Währung'),
  many_not_a_year: many('Text, der kein Jahr ist', 'Texte, die keine Jahre sind'),
  many_out_of_range: many('Jahr außerhalb der Grenzen', 'Jahre außerhalb der Grenzen'),
  many_uncertain_year: many('unsicheres Jahr', 'unsichere Jahre'),
  many_two_digit_year: many('Jahr mit zwei Ziffern', 'Jahre mit zwei Ziffern'),
  many_unknown_collection: many('unbekannter Name', 'unbekannte Namen'),
  many_not_an_id: many('Text, der keine ID ist', 'Texte, die keine IDs sind'),
  many_bad_quantity: many('Text, der keine Anzahl ist', 'Texte, die keine Anzahl sind'),
  many_too_long: many('zu langer Text', 'zu lange Texte'),
  many_no_match: many('Text, der nicht zum Muster passt', 'Texte, die nicht zum Muster passen'),

  found_as_spelled: ({ spelled, id, name, match }) =>
    `Gefunden nur als ${spelled}, in Stück ${id} (${name}): Suche die Stücke über ${match}`,
  no_item_with_id: ({ id }) => `Das Stück ${id} gibt es nicht`,
  no_item_with_key: ({ key, text, withZeros }) =>
    `Kein Stück hat den Schlüssel ${quoted(text)} (${key})${withZeros === undefined ? '' : `; eines hat ${quoted(withZeros)}`}`,
  rows_of_key_may_add_up: ({ key, rows, first }) =>
    `${anzahl(rows, 'Zeile hat', 'Zeilen haben')} diesen Schlüssel (${key}; zuerst Zeile ${first}), und vielleicht sind die Änderungen zu addieren: Ersetze die Zeilen dann durch eine Zeile mit der Summe`,
  rows_of_key_disagree: ({ key, rows, first }) =>
    `${anzahl(rows, 'Zeile hat', 'Zeilen haben')} diesen Schlüssel (${key}; zuerst Zeile ${first}), und ihre Werte widersprechen sich`,
  key_is_spelled: ({ key, spelled, match }) =>
    `Diesen Schlüssel (${key}) gibt es nur unter dem Feldnamen ${spelled}: Suche die Stücke über ${match}`,
  no_item_has_key: ({ key, withZeros }) =>
    `Kein Stück hat diesen Schlüssel (${key})${withZeros === undefined ? '' : `; vielleicht hat ihn eine Tabellenkalkulation geändert, denn manche Stücke haben Schlüssel wie ${quoted(withZeros)}`}`,
  rows_may_add_up: ({ key }) => `Zeilen mit gleichem Schlüssel (${key}) sind vielleicht zu addieren`,
  rows_disagree: ({ key }) => `Zeilen mit gleichem Schlüssel (${key}) widersprechen sich`,
  key_has_changed: ({ key }) =>
    `Ein Stück, das mit diesem Schlüssel (${key}) angelegt wurde, hat inzwischen einen anderen`,
  more_items_than_quantity: ({ key }) => `Mehr Stücke haben diesen Schlüssel (${key}), als die Anzahl angibt`,
  several_items_have_key: ({ key }) => `Mehrere Stücke haben diesen Schlüssel (${key})`,
  ids_not_shown: () => '_item_id nennt Stücke, die für die Zeile nicht gezeigt wurden',

  row_required: () => 'Ein Wert fehlt.',
  row_too_long: () => 'Der Text ist zu lang: Ein Name hat höchstens 255 Zeichen.',
  row_control_character: () => 'Der Text enthält ein unsichtbares Zeichen.',
  row_broken_character: () => 'Der Text enthält ein unvollständiges Zeichen.',
  row_number_lost: () => 'Das Tabellenprogramm hat eine lange Zahl gerundet; dabei gingen Ziffern verloren.',
  row_uncertain_mark: () => 'Ein Tabellenprogramm kann das Dezimalzeichen der Zahl geändert haben.',
  row_not_a_number: () => 'Das ist kein Betrag.',
  row_not_exact: () => 'Das Ergebnis lässt sich nicht genau senden.',
  row_negative: () => 'Der Betrag liegt unter 0.',
  row_ambiguous_number: () => 'Diese Zahl lässt sich auf zwei Arten lesen. Wähle das Dezimalzeichen.',
  row_wrong_currency: () => 'Der Betrag steht in einer anderen Währung.',
  row_unclear_currency: () => 'Der Betrag ist ohne Währung angegeben, andere Beträge der Spalte mit Währung.',
  row_not_a_year: () => 'Das ist kein Jahr.',
  row_out_of_range: () => 'Der Dienst nimmt nur Jahre von 1968 bis 2100 an.',
  row_uncertain_year: () => 'Das Jahr ist unsicher oder umfasst mehrere Jahre.',
  row_two_digit_year: () => 'Das Jahr hat nur zwei Ziffern.',
  row_unknown_word: () => 'Dieses Wort ist hier nicht bekannt.',
  row_inexact_word: () => 'Für diese Bewertung gibt es keine genaue Entsprechung.',
  row_approximate_number: () =>
    'Der Betrag ist nur ungefähr angegeben, ist eine Spanne oder hat eine Einheit.',
  row_not_an_integer: () => 'Das ist keine ganze Zahl.',
  row_not_yes_or_no: () => 'Das heißt weder Ja noch Nein.',
  row_bad_quantity: () => 'Das ist keine brauchbare Anzahl.',
  row_not_an_id: () => 'Das ist keine ID eines Stücks.',
  row_cell_error: () => 'Die Zelle zeigt einen Fehler des Tabellenprogramms.',
  row_too_many_cells: () => 'Die Zeile hat mehr Zellen, als es Spalten gibt.',
  row_summary_row: () => 'Das sieht nach einer Summe oder Statistik aus, nicht nach einem Stück.',
  row_unclosed_quote: () => 'Ein Anführungszeichen wird nicht geschlossen.',
  row_bad_encoding: () =>
    'Manche Buchstaben waren nicht lesbar. Wähle bei der Datei einen anderen Zeichensatz.',
  row_unknown_collection: () => 'Du hast keine Sammlung mit diesem Namen.',
  row_ambiguous_collection: () => 'Du hast mehrere Sammlungen mit diesem Namen.',
  row_already_sent: () => 'Diese Zeile wurde schon übernommen.',
  row_sent_before: () => 'Eine gleiche Zeile wurde schon aus einer anderen Datei übernommen.',
  row_row_changed: () => 'Diese Zeile wurde schon mit anderen Werten übernommen.',
  row_skipped_by_rule: () => 'Auf Wunsch ausgelassen.',
  row_blank_key: () => 'Die Zelle, die das Stück bezeichnet, ist leer.',
  row_duplicate_key: () => 'Mehrere Zeilen ändern dasselbe Stück unterschiedlich.',
  row_key_changed: () => 'Dieses Stück hat inzwischen einen anderen Schlüssel.',
  row_key_not_kept: () => 'Der Dienst speichert den Schlüssel dieses Stücks in anderer Form.',
  row_value_not_kept: () =>
    'Der Dienst hat einen Wert dieser Zeile nicht so gespeichert, wie er gesendet wurde.',
  row_surplus_items: () => 'Du hast mehr solche Stücke, als die Anzahl in dieser Zeile angibt.',
  row_ambiguous_match: () => 'Mehrere Stücke passen zu dieser Zeile.',
  row_not_a_candidate: () => 'Das gewählte Stück ist keines von denen, die zu dieser Zeile passen.',
  row_no_such_item: () => 'Ein solches Stück gibt es nicht.',
  row_key_spelled_otherwise: () =>
    'Ein solches Stück gibt es, aber der Name seines Schlüsselfeldes ist anders groß- oder kleingeschrieben.',
  row_drifted: () => 'Jemand hat dieses Stück geändert, seit der Plan oder der Export entstand.',
  row_similar: () => 'Das sieht aus wie ein Stück, das du schon hast.',
  row_fields_unknown: () =>
    'Der Dienst zeigt gerade nicht alle Felder dieses Stücks. Eine Änderung könnte einige davon löschen.',
  row_invalid_request: () => 'Der Dienst hat diese Zeile abgelehnt.',
  row_not_found: () => 'Diese Zeile bezieht sich auf etwas, das der Dienst nicht kennt.',
  row_unreachable: () =>
    'Die Verbindung brach ab, bevor die Antwort kam. shelflift prüft noch, ob der Dienst die Zeile übernommen hat.',
  row_timeout: () =>
    'Die Antwort kam nicht rechtzeitig. shelflift prüft noch, ob der Dienst die Zeile übernommen hat.',
  row_unexpected_response: () =>
    'Die Antwort war nicht zu verstehen. shelflift prüft noch, ob der Dienst die Zeile übernommen hat.',
  row_aborted: () =>
    'Der Job wurde angehalten, bevor die Antwort kam. shelflift prüft noch, ob der Dienst die Zeile übernommen hat.',
  row_not_settled: () => 'Es kam keine Antwort. Bitte prüfe, ob es das Stück gibt.',
  row_too_many_matches: () => 'Es kam keine Antwort, und mehrere Stücke kommen infrage. Bitte prüfen.',
  row_store_behind: () => 'Ein gleiches Stück wurde inzwischen anderswo angelegt. Bitte prüfen.',
  row_doubtful_match: () => 'Es kam keine Antwort, und ein Stück ähnelt dieser Zeile. Bitte prüfen.',
  row_list_lags: () =>
    'Es kam keine Antwort, und die Liste der Stücke ist nicht auf dem neuesten Stand. Bitte prüfen.',
  row_list_never_still: () =>
    'Es kam keine Antwort, und die Liste änderte sich zu schnell für ein sicheres Ergebnis. Bitte prüfen.',
  row_keeps_failing: () =>
    'Die Zeile wurde mehrmals gesendet, aber es kam keine Antwort. Bitte prüfe, ob es das Stück gibt.',
  row_unproven_absence: () => 'Es kam keine Antwort, und vielleicht wurde das Stück angelegt. Bitte prüfen.',
  row_no_match: () => 'Der Text passt nicht zum verlangten Muster.',
  row_not_clearable: () => 'Dieses Feld lässt sich hier nicht leeren.',
  row_not_json: () =>
    'Das Feld enthält eine Liste oder ein Objekt, aber die Zelle enthält kein gültiges JSON.',
  row_cannot_clear: () => 'Dieses Feld darf nicht leer sein.',
  row_merge_conflict: () => 'Die Zeile gehört zu einem ungelösten Git-Konflikt.',
  row_blank_value: () => 'Das Stück hat keinen Ausgangswert für diese Änderung.',
  row_other_currency: () => 'Der Wert des Stücks steht in einer anderen Währung.',
  row_not_missing: () => 'Dieses Stück fehlt nicht mehr und wurde deshalb nicht archiviert.',
  row_server_merges: () => 'Der Dienst hat ein Feld behalten, das entfernt werden sollte.',
  row_refused_by_map: () => 'Die Zuordnungsfunktion hat die Zeile abgelehnt.',
  refused_by_map: ({ why }) => why,
};
