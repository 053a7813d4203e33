import type { COLUMNS } from '../params/columns.ts';
import type { TextsOf } from '../texts.ts';
import { either, list, quoted, zahl } from './format.ts';

export const DE_COLUMNS: TextsOf<typeof COLUMNS> = {
  by_name: () => 'am Namen erkannt',
  by_values: () => 'an den Werten erkannt',
  by_synonym: ({ word }) => `bekanntes Wort: „${word}“`,
  by_person: () => 'von dir gewählt',
  by_match: () => 'kennzeichnet das Stück',
  only_for_match: () => 'dient nur zum Erkennen des Stücks',
  not_known: () => 'nicht bekannt',
  own_column: () => 'eine Spalte von shelflift',
  without_header: () => 'ohne Namen',
  read_only: () => 'setzt nur der Dienst',
  looks_secret: () => 'sieht nach Passwort, Zugangsschlüssel oder Nummer einer Zahlungskarte aus',
  kept: () => 'bleibt als eigenes Feld',
  from_template: () => 'aus der Vorlage',
  template_ignores: () => 'wird von der Vorlage ausgelassen',
  template_skips_rows: () => 'zeigt der Vorlage, welche Zeilen sie auslässt',
  template_decides: ({ fields }) => `bestimmt in der Vorlage: ${fields.join(', ')}`,
  template_ticked: () => 'Schlagwort für jede angekreuzte Zeile',
  bad_custom_key: () => 'kein möglicher Name eines eigenen Feldes',
  values_contradict: () => 'die Werte passen nicht zum Namen',
  ids_are_given: () => 'IDs vergibt der Dienst; sie zählen nur beim Ändern',
  field_from_template: ({ field }) => `${field} wird von der Vorlage gesetzt`,
  field_from_other: ({ field, column }) => `${field} kommt aus Spalte ${column}`,
  currency_of: ({ header }) => `die Währung zu ${header}`,
  together_with: ({ header }) => `zusammen mit „${header}“`,
  quantity_unused: () => 'nicht benutzt: sieht nach einer Anzahl aus',
  different_texts: ({ texts, cells }) =>
    `${texts === 1 ? '1 Text' : `${zahl(texts)} verschiedene Texte`} in ${cells === 1 ? '1 Zelle' : `${zahl(cells)} Zellen`}`,
  cells_are: ({ cells, of, what }, say) =>
    cells === of
      ? `${of === 1 ? 'die gefüllten Zellen' : `alle ${zahl(of)} gefüllten Zellen`} sind ${say(what)}`
      : `${zahl(cells)} von ${zahl(of)} gefüllten Zellen sind ${say(what)}`,
  years: () => 'Jahre',
  dates_with_year: () => 'Datumsangaben mit einem Jahr',
  amounts: () => 'Beträge',
  amounts_with_currency: () => 'Beträge mit Währung',
  yes_or_no: () => 'Ja oder Nein',
  yes_or_no_packaging: () => 'Ja oder Nein, gelesen als „verpackt“ oder „lose“',
  words_of_grading: () => 'Wörter für Bewertungen',
  words_of_condition: () => 'Wörter für den Zustand',
  words_of_packaging: () => 'Wörter für die Verpackung',
  words_of_status: () => 'Wörter für den Status',
  approximate_too: ({ what, cells }, say) => `${say(what)}, ${zahl(cells)} davon ungefähr`,
  header_points: ({ what }, say) => `der Name spricht dafür, und ${say(what)}`,
  hundredths: ({ what }, say) => `Hundertstel (1250 ist 12,50), und ${say(what)}`,
  may_be_paid: ({ what }, say) => `der Name könnte auch den Kaufpreis meinen, und ${say(what)}`,
  both: ({ first, second }, say) => `${say(first)}; ${say(second)}`,
  rival: ({ what, header, column, field }, say) =>
    `${say(what)}; aber ${header === '' ? `Spalte ${column}` : `„${header}“ (Spalte ${column})`} ${field === 'estimated_value' ? 'enthält auch Beträge' : 'könnte dasselbe sein'}`,
  ticked: ({ cells }) =>
    `Schlagwort für jede angekreuzte Zeile: ${cells === 1 ? 'Die eine Zelle sagt' : `Alle ${zahl(cells)} Zellen sagen`} Ja oder Nein`,
  default_in_update: ({ pair, header, field }) =>
    `Der Standardwert ${pair} hat keine Wirkung: Die Spalte ${quoted(header)} ist dem Feld ${field} zugeordnet, und beim Ändern lassen ihre leeren Zellen das Feld, wie es ist.`,
  fill_cells_in: () => 'Fülle die Zellen aus.',
  to_set_whatever: () => 'Um den Wert in jedem Stück zu setzen',
  no_name_column: ({ columns }, say) =>
    `Keine Spalte enthält die Namen der Stücke: Die Spalten sind ${say(columns)}.`,
  to_split_column: () => 'Die ganze Tabelle steht in einer Spalte. Um sie aufzuteilen',
  put_headers_above: () =>
    'Wenn diese Zeile Daten enthält und keine Spaltennamen, setze eine Zeile mit Spaltennamen darüber.',
  to_find_by_custom_field: () => 'Um Stücke über ein eigenes Feld zu finden',
  no_sheet_column: ({ job, sheets }) =>
    `Der Datei fehlt die Spalte _sheet, aber Job ${job} hat ${sheets} Blätter gelesen: Zeilen mit gleicher Nummer lassen sich nicht unterscheiden. Kopiere die Spalte aus der Datei, die der Job geschrieben hat.`,
  no_match_column: ({ field, columns }, say) =>
    `Das Feld ${field} kennzeichnet die Stücke, aber keine Spalte ist ihm zugeordnet. Die Spalten sind ${say(columns)}.`,
  duplicate_column: ({ columns, header }) =>
    `Die Spalten ${list(columns)} haben denselben Namen: ${quoted(header)}.`,
  to_say_which_column: () => 'Um die Spalte zu nennen',
  map_to_no_field: ({ pair, field }) => `map ${pair}: Das Feld ${quoted(field)} gibt es nicht.`,
  fields_are: ({ fields }) => `Die Felder sind ${list(fields)}.`,
  map_no_column: ({ pair }) => `map ${pair}: Diese Spalte hat die Datei nicht.`,
  map_own_column: ({ pair }) =>
    `${pair}: Von den Spalten, deren Name mit _ beginnt, lässt sich nur _item_id verwenden, und nur als id.`,
  columns_are: ({ columns }, say) => `Die Spalten sind ${say(columns)}.`,
  columns_of_table: ({ columns, more }) =>
    `${columns.join(', ')}${more === 0 ? '' : ` und ${zahl(more)} weitere`}`,
  template_requires_column: ({ template, field, candidates }) =>
    `Die Vorlage ${quoted(template)} braucht eine Spalte für ${field} (${candidates.join(', ')}), aber die Datei hat keine solche Spalte.`,
  template_tests_column: ({ template, purpose, names }, say) =>
    `Die Vorlage ${quoted(template)} ${say(purpose)}, je nach Spalte ${either(names)}, aber die Datei hat keine solche Spalte.`,
  skips_rows: () => 'lässt Zeilen aus',
  sets_fields: ({ fields }) => `setzt ${fields.join(', ')}`,
  header_is_data: ({ what }, say) => `Die Zeile, die als Spaltennamen gilt, enthält Werte: ${say(what)}.`,
  header_is_kind: ({ header, column, kind }, say) =>
    `${quoted(header)} (Spalte ${column}) ist ${say(kind)}, wie die Zellen darunter`,
  header_recurs: ({ header, column }) => `${quoted(header)} (Spalte ${column}) steht auch in Zellen darunter`,
  kind_year: () => 'ein Jahr',
  kind_number: () => 'eine Zahl',
  kind_id: () => 'eine ID',
  kind_code: () => 'ein Code oder eine Adresse',
  kind_condition: () => 'ein Zustand',
  kind_packaging: () => 'eine Verpackung',
  to_read_it_as_data: () => 'Um sie als Daten zu lesen (die Spalten heißen dann nach ihren Buchstaben)',
  if_it_has_names: () => 'Wenn diese Zeile doch die Spaltennamen enthält',
  transposed_table: ({ column, fields }) =>
    `Zeilen und Spalten der Tabelle sind vielleicht vertauscht: In Spalte ${column} stehen Namen von Feldern (${fields.join(', ')} …). Nichts wurde gesendet.`,
  swap_rows_and_columns: () =>
    'Vertausche Zeilen und Spalten: Kopiere die Tabelle, und füge sie mit „Inhalte einfügen, Transponieren“ ein.',
  if_rows_are_items: () => 'Wenn jede Zeile ein Stück ist',
  to_use_matching_template: () => 'Diese Spalten passen zu einer mitgelieferten Vorlage; um sie zu benutzen',
  preset_of_no_field: ({ preset, field }) =>
    `${preset}: ${quoted(field)} ist kein Feld, das einen Standardwert haben kann.`,
  bad_default: ({ preset, field, what }, say) => `${preset}: ${field} ${say(what)}.`,
  write_two_decimals: ({ field }) =>
    `Schreib den Betrag ohne Tausendertrennzeichen und mit zwei Nachkommastellen: ${field}=1250.00 oder ${field}=1.25`,
  has_currency: () => 'enthält eine Währung, die nicht gesendet werden kann',
  write_number_alone: () => 'Schreib nur die Zahl, in der Währung der Stücke.',
  not_sent_exactly: ({ text }) => `${quoted(text)} lässt sich nicht genau senden`,
  template_finds_by: ({ template, keys }) =>
    `Die Vorlage ${quoted(template)} sucht Stücke nach ${keys.join(' oder ')}, aber die Datei hat keine solche Spalte.`,
  no_such_template: ({ name }) => `Die Vorlage ${quoted(name)} gibt es nicht.`,
  templates_are: ({ names, path }) =>
    `Die Vorlagen sind ${names.join(', ')}. Gib eine eigene Vorlage als Pfad an, etwa ${path}.`,
  template_unreadable: ({ file }) => `Die Vorlage ${file} lässt sich nicht lesen.`,
};
