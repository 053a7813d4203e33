import type { PROGRAM } from '../params/program.ts';
import type { TextsOf } from '../texts.ts';
import { quoted } from './format.ts';

export const DE_PROGRAM: TextsOf<typeof PROGRAM> = {
  option_is: ({ of, option, found, problem }, say) =>
    `${of === undefined ? '' : `${of}: `}${option} ist ${say(found)}; ${say(problem)}.`,
  option_missing: ({ of, option, problem }, say) => `${of}: ${option} fehlt; ${say(problem)}.`,
  call_wrong: ({ of, problem }, say) => `${of}: ${say(problem)}.`,
  options_are_not: ({ of, found }, say) =>
    `${of}: die Optionen sind ${say(found)}; erwartet wird ein Objekt.`,
  unknown_option: ({ of, name }) => `${of} hat keine Option ${quoted(name)}.`,
  options_are: ({ options }) => `Die Optionen sind ${options.join(', ')}.`,
  run_without_job: ({ run, state }) =>
    `${run} ist ein Worker-Lauf, zu dem kein Job gehört${state === undefined ? '' : `; sein Stand ist ${state}`}.`,
  expected_job: () => 'Der Job ist kein Text: erwartet wird die ID eines Jobs, ihr Anfang oder last.',
  a_store: () => 'ein Pfad, postgres://… oder :memory:',
  not_a_ledger: () => 'store ist kein Speicher: erwartet wird ein Ort oder das Ergebnis von openLedger.',
  changes_of_no_kind: () => 'die Änderungen sind weder ein Objekt noch eine Liste von Texten',
  change_of_no_kind: ({ field }) =>
    `${field} ist weder ein Wert noch eins von { times }, { plus } und { minus } mit einer Zahl`,
  tags_of_no_kind: () => 'tags sind weder eine Liste von Texten noch { add, remove } mit Listen',
  no_rows_given: ({ file }) => `${file}: es gibt keine Zeilen.`,
  map_left_all_out: () => 'Die Zuordnungsfunktion hat alle Zeilen ausgelassen.',
  mapping_failed: ({ row, detail }) => `Die Zuordnungsfunktion ist an Zeile ${row} gescheitert: ${detail}`,
  map_gave_unknown_field: ({ row, field }) =>
    `Die Zuordnungsfunktion liefert für Zeile ${row} das Feld ${quoted(field)}, das es nicht gibt.`,
  bad_row: ({ row, mapped, found, expected }, say) =>
    `${mapped ? 'Das Ergebnis der Zuordnungsfunktion für Zeile' : 'Die Zeile'} ${row} ${say(found)}; erwartet wird ${say(expected)}.`,
  row_is: ({ found }, say) => `ist ${say(found)}`,
  row_has: ({ found, header }, say) => `hat ${say(found)} in ${header}`,
  row_not_plain: ({ detail }) => `besteht nicht aus einfachen Daten (${detail})`,
  row_has_json: ({ header }) => `hat in ${header} einen Text, der wie JSON aussieht`,
  an_object_of_columns: () => 'ein Objekt mit einem Schlüssel je Spalte',
  an_object_of_values: () => 'ein Objekt aus Texten und Zahlen',
  the_object_itself: () => 'das Objekt selbst',
  a_cell: () => 'ein Text, eine Zahl, ein Wahrheitswert, ein Datum, eine Liste von Texten oder null',
  a_secret_key: () => 'der geheime Schlüssel der API',
  shelf_closed: () => 'Das Shelf-Objekt ist geschlossen.',
  an_item_id: () => 'die ID eines Stücks oder ihr Anfang',
  map_version_alone: () => 'mapVersion gehört zu einer Zuordnungsfunktion, und map ist keine',
  a_map_version: () => 'ein Text, der sich mit der Funktion ändert',
  give_map_version: () => "Setze mapVersion: '1', und ändere den Wert, sobald die Funktion anders zuordnet.",
  map_and_option: ({ option }) =>
    `${option} und eine Zuordnungsfunktion legen beide fest, wie Zeilen gelesen werden. Gib nur eins davon an`,
  map_reads_one_sheet: () => 'eine Zuordnungsfunktion liest immer nur ein Blatt; erwartet wird sein Name',
  expected_one_source: ({ given }) =>
    `Erwartet wird eins von { file }, { rows } und { stream }; gefunden wurde ${given.length === 0 ? 'keins davon' : given.join(' und ')}.`,
  source_name_no_text: () => 'Der Name der Quelle ist kein Text.',
  source_file_no_path: () => 'file ist kein Pfad: erwartet wird ein Text.',
  source_rows_not_iterable: () =>
    'rows lässt sich nicht durchlaufen: erwartet wird ein Array oder ein (asynchrones) Iterable von Objekten.',
  source_stream_no_stream: () =>
    'stream ist kein Stream: erwartet wird ein Node-Stream oder ein Web-Stream aus Bytes.',
  stream_failed: ({ name, detail }) => `Der Stream ${quoted(name)} ist gescheitert: ${detail}`,
  a_shared_store: () => 'ein Speicher, den andere Prozesse öffnen können',
  a_path_or_object: () => 'ein Pfad oder ein Objekt',
  a_location: () => 'ein Ort oder das Ergebnis von openLedger',
  no_results_or_place: () => 'false, ein Ordner oder ein Stream',
  a_template: () => 'Name oder Pfad einer Vorlage, oder eine Vorlage',
  a_mapping: () => 'eine Funktion oder ein Objekt aus Feldern und Spalten',
  a_path_or_stream: () => 'ein Pfad oder ein Stream',
  a_layout: () => 'Name oder Pfad eines Layouts, oder ein Layout',
  an_action_that_mends: () => 'eine Aktion, die Zeilen korrigiert',
  the_item_id: () => 'die ID eines Stücks',
};
