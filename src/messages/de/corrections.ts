import type { CORRECTIONS } from '../params/corrections.ts';
import type { TextsOf } from '../texts.ts';
import { anzahl, quoted, zahl, zeilen } from './format.ts';

export const DE_CORRECTIONS: TextsOf<typeof CORRECTIONS> = {
  what_do_blanks_mean: ({ header, rows, blank }) =>
    `${header} ist in ${zahl(blank)} von ${zeilen(rows)} leer, jedes Mal unter einer gefüllten Zelle: Was bedeuten die leeren Zellen?`,
  same_as_above: ({ cells }) =>
    `Dasselbe wie die Zelle darüber: ${anzahl(cells, 'Zelle', 'Zellen')} ausfüllen.`,
  leave_them_blank: () => 'Nichts: leer lassen.',
  decide_later: () => 'Später entscheiden.',
  leave_rows_out: ({ rows }) => `${zeilen(rows)} mit diesem Problem auslassen.`,
  leave_remaining_out: () => 'Alle Zeilen auslassen, die dieses Problem noch haben.',
  rows_with_problem: ({ rows, problem, place, values, isMore }, say) =>
    `${zeilen(rows)}: ${say(problem)}${place === undefined ? '' : ` (${place})`}${values.length === 0 ? '' : `: ${values.join(', ')}${isMore ? ' …' : ''}`}`,
  take_likeliest_of_all: ({ words }) =>
    words === 1
      ? 'Die wahrscheinlichste Bedeutung nehmen und das Wort selbst in einem eigenen Feld behalten.'
      : `Bei allen ${anzahl(words, 'Wort', 'Wörtern')} die wahrscheinlichste Bedeutung nehmen und die Wörter selbst in einem eigenen Feld behalten.`,
  take_likeliest_from_here: () => 'Ab hier die wahrscheinlichsten Bedeutungen nehmen.',
  a_word: ({ word }) => word,
  a_meaning: ({ meaning, keptIn }) =>
    `${meaning}${keptIn.length === 0 ? '' : `, und das Wort selbst bleibt in ${keptIn.join(', ')}`}`,
  ignore_word: () => 'Dieses Wort nicht beachten: das Feld leer lassen.',
  what_does_word_mean: ({ header, word, rows }) =>
    `${header}: Was bedeutet ${quoted(word)}? (${zeilen(rows)})`,
  convert_amounts: ({ to }) =>
    `${to === undefined ? 'Umrechnen' : `In ${to} umrechnen`}, mit einem Kurs, den du angibst.`,
  rate_of: ({ from, to = ITEMS }) => `1 ${from} in ${to}, etwa 0.92`,
  what_is_rate: ({ rows, atLeast, from, to }) =>
    `${atLeast ? 'mindestens ' : ''}${anzahl(rows, 'Zeile steht', 'Zeilen stehen')} in ${from}${to === undefined ? '' : `, deine Stücke in ${to}`}: Wie viel ist 1 ${from} in ${to ?? ITEMS}?`,
  what_is_rate_to_most: ({ rows, atLeast, from, to }) =>
    `${atLeast ? 'mindestens ' : ''}${anzahl(rows, 'Zeile steht', 'Zeilen stehen')} in ${from}, die meisten anderen in ${to}: Wie viel ist 1 ${from} in ${to}?`,
  leave_cells_blank: ({ cells }) => `${cells === 1 ? 'Diese Zelle' : 'Diese Zellen'} leer lassen.`,
  amounts_as_others: ({ currency }) => `Sie sind in ${currency}, wie andere Beträge der Spalte.`,
  amounts_as_items: ({ currency }) => `Sie sind in ${currency}, wie deine Stücke.`,
  read_them: ({ readings }, say) => `So lesen: ${readings.map(say).join(', ')}.`,
  read_them_as_near: () => 'So genau lesen, wie es der Text hergibt.',
  text_is: ({ text, value }) => `${quoted(text)} ist ${value}`,
  year_blank_and_kept: () => 'Das Jahr leer lassen und das tatsächliche Jahr in custom_fields.year behalten.',
  year_blank: () => 'Das Jahr leer lassen.',
  comma_is_thousands: ({ text }) => `${text}: Das Komma trennt Tausender.`,
  comma_is_decimal: ({ text }) => `${text}: Das Komma ist das Dezimalzeichen.`,
  which_collection: ({ name, rows }) =>
    `Dein Team hat keine Sammlung ${quoted(name)} (${zeilen(rows)}). Wohin sollen die Stücke?`,
  into_other_collection: () => 'In eine Sammlung deines Teams.',
  name_of_collection: () => 'Name oder ID der Sammlung',
  give_one_name: () => 'Allen denselben Namen geben.',
  a_name: () => 'Name',
  it_is_an_item: ({ rows }) =>
    rows === 1
      ? 'Die Zeile ist ein Stück: übernehmen.'
      : `Die Zeilen sind Stücke: alle ${anzahl(rows, 'Zeile', 'Zeilen')} übernehmen.`,
  only_row_is_an_item: ({ row }) => `Nur Zeile ${row} ist ein Stück.`,
  job_is_cancelled: ({ job }) => `Job ${job} wurde abgebrochen.`,
  keep_public_columns: ({ kept, columns }, say) =>
    `${say(kept)} Alle können die Sammlung sehen. ${columns === 1 ? 'Trotzdem behalten' : 'Die Spalten trotzdem behalten'}?`,
  to_send_after_all: () => 'Um ihn doch zu senden',
  import_file_again: () => 'Importiere die Datei noch einmal.',
  years_from: ({ first, last }) => `Es sind Jahre von ${first} bis ${last}.`,
  to_give_meanings: () => 'Um ihre Bedeutung anzugeben',
  to_name_collections: () => 'Um für jeden Namen eine Sammlung zu wählen',
  to_give_name: () => 'Um ihr einen Namen zu geben',
  to_convert: ({ rates }) => `Um sie umzurechnen (RATE: ${rates.join(', ')})`,
  take_cells_whole: () => 'Nimm die Zellen, wie sie sind.',
  in_template: ({ field, spec }) => `In einer Vorlage, unter columns: ${field}: { ${spec} }`,
  in_template_if_right: ({ field, spec }) =>
    `Wenn die Zahlen so richtig sind, in einer Vorlage, unter columns: ${field}: { ${spec} }`,
  name_in_template: () => 'In einer Vorlage, unter defaults: { name: … }, oder fülle die Zellen aus.',
  format_as_text: () =>
    'Formatiere die Spalte im Tabellenprogramm als Text, gib die Zahlen noch einmal ein und speichere.',
  correction_without_row: () => 'Um Zeilen zu korrigieren, nenne die Zeilen.',
  to_say_row: () => 'Um die Zeilen zu nennen',
  row_without_correction: ({ rows }) => `Für Zeile ${rows} fehlt die Korrektur.`,
  to_correct_by_set: () => 'Eine Zelle korrigieren',
  to_correct_by_item: () => 'Das gemeinte Stück nennen',
  to_correct_by_accept: () => 'Die Zeile als Stück übernehmen',
  to_correct_by_omit: () => 'Die Zeile auslassen',
  bad_change: ({ change, problem }, say) => `${say(change)}: ${say(problem)}. Nichts wurde geändert.`,
  change_map: ({ column, field }) => `Spalte ${column} → ${field}`,
  change_ignore: ({ column }) => `Spalte ${column} wird nicht verwendet`,
  change_keep: ({ column }) => `Spalte ${column} wird als eigenes Feld behalten`,
  change_word: ({ field, word, meaning }) => `${field}: ${word} → ${meaning || 'nichts'}`,
  change_default: ({ field, value }) => `${field}: ${value || 'nichts'} in Zeilen ohne Wert`,
  change_option: ({ field, option, value }) => `${field}: ${option} ${value}`,
  change_option_removed: ({ field, option }) => `${field}: ${option} wie üblich`,
  change_condition: ({ values, tests }, say) => `${values}, wo gilt: ${tests.map(say).join(' und ')}`,
  tests_pass: ({ tests }, say) => tests.map(say).join(' und '),
  change_skip: ({ tests }, say) => `Zeilen ausgelassen, in denen gilt: ${tests.map(say).join(' und ')}`,
  change_cell: ({ row, column, text }, say) => `${say(row)}, ${column}: ${quoted(text)}`,
  change_omit: ({ row }, say) => `${say(row)} ausgelassen`,
  change_item: ({ row, item }, say) => `${say(row)} ist das Stück ${item}`,
  change_accept: ({ row }, say) => `${say(row)} ist ein Stück`,
  change_accept_reason: ({ code }) => `Zeilen mit ${code} sind Stücke`,
  change_template: () => 'ohne Vorlage gelesen',
  change_omit_reason: ({ code, column }) =>
    `Zeilen mit ${code}${column === undefined ? '' : ` in Spalte ${column}`} ausgelassen`,
  test_is: ({ columns, words }) => `${columns.join(' oder ')} ist ${words.join(' oder ')}`,
  test_is_not: ({ columns, words }) => `${columns.join(' oder ')} ist nicht ${words.join(' oder ')}`,
  test_matches: ({ columns, pattern }) => `${columns.join(' oder ')} passt zum Muster ${pattern}`,
  test_blank: ({ columns }) => `${columns.join(' oder ')} ist leer`,
  test_filled: ({ columns }) => `${columns.join(' oder ')} ist ausgefüllt`,
  no_field_expected: ({ field, expected }) =>
    `das Feld ${quoted(field)} gibt es nicht; erwartet wird ${expected}`,
  no_problem_of_code: ({ meant }) =>
    `kein Problem hat diesen Code${meant === undefined ? '' : `; am ähnlichsten ist ${meant}`}`,
  only_taken_with: ({ code }) => `nur Zeilen mit ${code} lassen sich unverändert übernehmen`,
  only_new_without_template: ({ job }) =>
    `Job ${job} ändert vorhandene Stücke: Seine Vorlage bestimmt auch, wie sie gefunden werden, und kann deshalb nicht wegfallen.`,
  ids_not_corrected: () =>
    'IDs von Stücken lassen sich hier nicht korrigieren: Importiere die Datei noch einmal und ordne die Spalten zu',
  no_column_of_job: ({ column, columns }, say) =>
    `die Spalte ${quoted(column)} gibt es nicht; die Spalten sind ${say(columns)}`,
  no_row_with_data: ({ row }) => `die Datei hat keine Zeile ${row} mit Daten`,
  several_sheets_have_row: ({ row, sheets }) =>
    `mehrere Blätter haben eine Zeile ${row}: ${sheets.join(', ')}`,
  row_no_total: ({ row }) => `Zeile ${row} sieht nicht aus wie eine Summe`,
  row_sent_already: ({ row }) => `Zeile ${row} wurde schon gesendet`,
  cannot_mark: ({ file, why }, say) =>
    `Die falschen Zellen von ${file} können nicht markiert werden: ${say(why)}.`,
  is_no_plain_xlsx: () => 'das geht nur bei .xlsx-Dateien ohne Passwort',
  is_unusual_xlsx: () => 'sie stammt von einem Programm, das Arbeitsmappen auf ungewöhnliche Weise schreibt',
  was_changed_since: () => 'sie wurde geändert, seit sie gelesen wurde',
  sheet_is_gone: ({ sheet }) => `sie hat kein Blatt ${quoted(sheet)}`,
  too_large_to_mark: ({ megabytes }) => `sie ist ausgepackt größer als ${megabytes} MB`,
  too_many_to_mark: ({ most }) => `mehr als ${anzahl(most, 'Zelle ist', 'Zellen sind')} falsch`,
  returned_differs: ({ job, why }, say) => `Job ${job} bleibt, wie er ist: ${say(why)}.`,
  returned_other_columns: () => 'die Arbeitsmappe hat jetzt andere Spalten oder ein anderes Blatt',
  returned_too_different: ({ most }) =>
    `die Arbeitsmappe weicht in mehr als ${anzahl(most, 'Zelle', 'Zellen')} ab, oder ihre Zeilen haben eine andere Reihenfolge`,
  returned_has_more: ({ rows }) =>
    `in der Arbeitsmappe sind Zeilen dazugekommen (${rows.join(', ')}); importiere sie als eigene Datei`,
  returned_was_sorted: ({ row }) =>
    `die Zeilen der Arbeitsmappe haben eine andere Reihenfolge (ab Zeile ${row}) und lassen sich so nicht zuordnen`,
  returned_has_options: ({ job, options }) =>
    `Diese Arbeitsmappe setzt Job ${job} fort, der ohne diese Optionen gelesen wurde: ${options.join(', ')}.`,
  returned_continues: ({ job, changes, sent }) =>
    `Die Arbeitsmappe setzt Job ${job} fort: ${changes === 0 ? 'keine Zelle wurde korrigiert' : anzahl(changes, 'Korrektur', 'Korrekturen')}.${sent === 0 ? '' : ` ${anzahl(sent, 'abweichende Zeile', 'abweichende Zeilen')} ${sent === 1 ? 'wurde' : 'wurden'} schon gesendet und ${sent === 1 ? 'bleibt' : 'bleiben'} so.`}`,
  correct_rejects_file: () =>
    'Korrigiere die Zeilen in der Datei der abgelehnten Zeilen und importiere diese Datei.',
  leave_options_out: () => 'Lass die Optionen weg, oder importiere die ganze Datei als neue Datei.',
  item_matches_not: ({ row, item }) => `Stück ${item} ist keines von denen, die zu Zeile ${row} passen`,
};

const ITEMS = 'der Währung deiner Stücke';
