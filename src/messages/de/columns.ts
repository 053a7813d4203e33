import type { COLUMNS } from '../params/columns.ts';
import type { TextsOf } from '../texts.ts';
import { zahl } from './format.ts';

export const DE_COLUMNS: TextsOf<typeof COLUMNS> = {
  by_name: () => 'am Namen erkannt',
  by_values: () => 'an den Werten erkannt',
  by_synonym: ({ word }) => `bekanntes Wort: „${word}“`,
  by_person: () => 'von dir gewählt',
  by_match: () => 'erkennt das Stück',
  only_for_match: () => 'erkennt nur das Stück',
  not_known: () => 'nicht bekannt',
  own_column: () => 'eine Spalte von shelflift',
  without_header: () => 'ohne Namen',
  read_only: () => 'setzt nur der Dienst',
  looks_secret: () => 'sieht nach Passwort, Zugangsschlüssel oder Nummer einer Zahlungskarte aus',
  kept: () => 'bleibt als eigenes Feld',
  from_template: () => 'aus der Vorlage',
  template_ignores: () => 'lässt die Vorlage aus',
  template_skips_rows: () => 'sagt der Vorlage, welche Zeilen sie auslässt',
  template_decides: ({ fields }) => `bestimmt in der Vorlage: ${fields.join(', ')}`,
  template_ticked: () => 'Schlagwort, wo es angekreuzt ist',
  bad_custom_key: () => 'kein möglicher Name eines eigenen Feldes',
  values_contradict: () => 'die Werte passen nicht zum Namen',
  ids_are_given: () => 'Nummern vergibt der Dienst; sie zählen nur beim Ändern',
  field_from_template: ({ field }) => `${field} setzt die Vorlage`,
  field_from_other: ({ field, column }) => `${field} kommt aus Spalte ${column}`,
  currency_of: ({ header }) => `die Währung zu ${header}`,
  together_with: ({ header }) => `zusammen mit „${header}“`,
  quantity_unused: () => 'nicht benutzt; als Anzahl gewählt, macht sie aus einer Zeile mehrere Stücke',
  different_texts: ({ texts, cells }) =>
    `${texts === 1 ? '1 Text' : `${zahl(texts)} verschiedene Texte`} in ${cells === 1 ? '1 Zelle' : `${zahl(cells)} Zellen`}`,
  cells_are: ({ cells, of, what }, say) =>
    cells === of
      ? `alle ${zahl(of)} gefüllten Zellen sind ${say(what)}`
      : `${zahl(cells)} von ${zahl(of)} gefüllten Zellen sind ${say(what)}`,
  years: () => 'Jahre',
  dates_with_year: () => 'Daten mit einem Jahr',
  amounts: () => 'Beträge',
  amounts_with_currency: () => 'Beträge mit Währung',
  yes_or_no: () => 'Ja oder Nein',
  yes_or_no_packaging: () => 'Ja oder Nein, gelesen als „verpackt“ oder „lose“',
  words_of_grading: () => 'Wörter für Bewertungen',
  words_of_condition: () => 'Wörter für den Zustand',
  words_of_packaging: () => 'Wörter für die Verpackung',
  words_of_status: () => 'Wörter für den Status',
  approximate_too: ({ what, cells }, say) => `${say(what)}, ${zahl(cells)} davon ungefähr`,
  header_points: ({ what }, say) => `der Name deutet darauf, und ${say(what)}`,
  hundredths: ({ what }, say) => `Hundertstel (1250 ist 12,50), und ${say(what)}`,
  may_be_paid: ({ what }, say) => `der Name könnte auch den Kaufpreis meinen, und ${say(what)}`,
  both: ({ first, second }, say) => `${say(first)}; ${say(second)}`,
  rival: ({ what, header, column, field }, say) =>
    `${say(what)}; aber ${header === '' ? `Spalte ${column}` : `„${header}“ (Spalte ${column})`} ${field === 'estimated_value' ? 'enthält auch Geld' : 'könnte dasselbe sein'}`,
  ticked: ({ cells }) =>
    `Schlagwort, wo es angekreuzt ist: ${cells === 1 ? 'Die eine Zelle sagt' : `Alle ${zahl(cells)} Zellen sagen`} Ja oder Nein`,
};
