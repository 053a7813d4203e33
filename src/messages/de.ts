/** What people read, in German. */
import type { Texts } from './texts.ts';

export const DE: Texts = {
  verbatim: ({ text }) => text,
  tab: () => 'Tabulator',
  decimal_comma: () => 'Dezimalkomma',
  decimal_point: () => 'Dezimalpunkt',
  decimal_both: () => 'Dezimalkomma und -punkt',
  sheet: ({ sheet }) => `Blatt „${sheet}“`,
  header_row: ({ row }) => `Spaltennamen in Zeile ${row}`,
  header_rows: ({ first, last }) => `Spaltennamen in den Zeilen ${first} und ${last}`,
  headless: () => 'ohne Spaltennamen',
  rows_given: ({ rows }) => zeilen(rows),
  rows_left_out_by_map: ({ rows }) => `Die eigene Zuordnung lässt ${zeilen(rows)} aus.`,
  column_unnamed: ({ column }) => `Spalte ${column} hat Werte, aber keinen Namen`,
  header_repeated: ({ header, columns }) => `Der Name „${header}“ steht in den Spalten ${columns.join(', ')}`,
  block_before_not_read: ({ column }) =>
    `Der Block neben der Tabelle, vor Spalte ${column}, wird nicht gelesen`,
  block_after_not_read: ({ column }) =>
    `Der Block neben der Tabelle, ab Spalte ${column}, wird nicht gelesen`,
  hidden_rows_read: ({ rows }) => `Ausgeblendete Zeilen wurden mitgelesen: ${zahl(rows)}`,
  hidden_columns_read: ({ columns }) => `Ausgeblendete Spalten wurden mitgelesen: ${columns.join(', ')}`,
  hidden_sheets_not_read: ({ sheets }) =>
    `Ausgeblendete Blätter wurden nicht gelesen: ${sheets.map(quoted).join(', ')}`,
  other_sheets_left_out: ({ sheets }) =>
    `Blätter mit anderen Spalten wurden ausgelassen: ${sheets.map(quoted).join(', ')}`,
  other_sheets_not_read: ({ sheet, others }) =>
    `Nur das Blatt „${sheet}“ wird gelesen. Die Arbeitsmappe enthält auch ${others.map(quoted).join(', ')}.`,
  late_accents: ({ encoding }) =>
    `Die ersten Umlaute kommen spät in der Datei und sind nicht UTF-8: Sie werden als ${encoding} gelesen`,
  odd_quotes: ({ rows, line }) =>
    `${zeilen(rows)} ${rows === 1 ? 'hat' : 'haben'} ungewöhnliche Anführungszeichen (zuerst Zeile ${line}): Um eine ganze Zelle wurden sie entfernt, sonst gelten sie als Text`,
  encoding_doubtful: ({ encoding, other }) =>
    `Der Text ist als ${encoding} gelesen und könnte auch ${other} sein. Prüfe die Umlaute.`,
  first_row_is_data: () =>
    'Die erste Zeile enthält Werte: Die Datei hat keine Spaltennamen, und die Spalten heißen nach ihren Buchstaben',

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
  together_with: ({ header }) => `zusammen mit „${header}“`,
  currency_of: ({ header }) => `die Währung zu ${header}`,
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

  filled_down: ({ column, text }) => `${column} von oben übernommen: ${quoted(text)}`,
  corrected: ({ column, from, to }) => `${column} verbessert von ${quoted(from)} zu ${quoted(to)}`,
  taken_as_item: () => 'als Stück übernommen, obwohl die Zeile wie eine Angabe über die Tabelle aussieht',
  read_as: ({ field, text, value, isRange }) =>
    `${field}: ${quoted(text)} gelesen als ${value}${isRange ? ', das untere Ende' : ''}`,
  taken_as: ({ field, text, value }) =>
    `${field}: ${quoted(text)} gilt als ${value === '' ? 'das Wahrscheinlichste' : value}; das Wort bleibt in einem eigenen Feld`,
  year_kept: ({ text }) =>
    `Das Jahr ${quoted(text)} bleibt in custom_fields.year: Der Dienst nimmt 1968 bis 2100`,
  date_kept: ({ text }) =>
    `Das Jahr ist das von ${quoted(text)}; der ganze Text bleibt in custom_fields.release_date`,
  converted: ({ field, currency, from, rate, to }) =>
    `${field} umgerechnet: ${currency} ${from} × ${rate} = ${to}`,

  secret_not_sent: ({ column, header }) =>
    `Spalte ${column} (${header}) sieht nach Passwort, Zugangsschlüssel oder Nummer einer Zahlungskarte aus: Sie wird nicht gesendet`,
  decimal_decided: ({ column, header, isComma }) =>
    `Spalte ${column} (${header}) hat ${isComma ? 'ein Dezimalkomma' : 'einen Dezimalpunkt'}: Das zeigen die eindeutigen Beträge`,
  currency_not_sent: ({ column, header, values, currencies }) =>
    `${values === 1 ? '1 Wert' : `${zahl(values)} Werte`} in Spalte ${column} (${header}) ${values === 1 ? 'zeigt' : 'zeigen'} eine Währung (${currencies}), die nicht gesendet wird: Der Dienst bestimmt die Währung eines Stücks`,
  approximate_read: ({ column, header, values, ranges, text, as }) =>
    `Spalte ${column} (${header}): ${values === 1 ? '1 ungefährer Wert' : `${zahl(values)} ungefähre Werte`} gelesen${ranges === 0 ? '' : `, davon ${zahl(ranges)} mit dem unteren Ende der Spanne`} (${quoted(text)} als ${as})`,
  likely_words: ({ column, header, cells, text, as }) =>
    `Spalte ${column} (${header}): ${cells === 1 ? '1 Wort ohne genaue Entsprechung gilt' : `${zahl(cells)} Wörter ohne genaue Entsprechung gelten`} als das, was ${cells === 1 ? 'es' : 'sie'} am ehesten ${cells === 1 ? 'meint' : 'meinen'}${as === '' ? '' : ` (${quoted(text)} als ${as})`}; ${cells === 1 ? 'das Wort bleibt' : 'die Wörter bleiben'} in einem eigenen Feld`,
  years_kept: ({ column, header, cells, text }) =>
    `Spalte ${column} (${header}): ${cells === 1 ? '1 Jahr' : `${zahl(cells)} Jahre`} außerhalb von 1968 bis 2100 (${quoted(text)}) ${cells === 1 ? 'bleibt' : 'bleiben'} in custom_fields.year`,
  dates_kept: ({ column, header, cells, text }) =>
    `Spalte ${column} (${header}): Von ${cells === 1 ? '1 Datum' : `${zahl(cells)} Daten`} gilt das Jahr, und der ganze Text (${quoted(text)}) bleibt in custom_fields.release_date`,
  long_numbers_kept: ({ column, header, text }) =>
    `Spalte ${column} (${header}): Ein Tabellenprogramm hat lange Zahlen gekürzt; sie bleiben, wie sie sind: ${quoted(text)}`,
  commas_in_tags: ({ column, header, cells, text }) =>
    `Spalte ${column} (${header}): ${cells === 1 ? 'Eine Zelle mit Komma ist ein Schlagwort' : `${zahl(cells)} Zellen mit Kommas sind je ein Schlagwort`}, etwa ${quoted(text)}; getrennt wird an ; und |.`,

  already_imported: () => 'Diese Datei ist schon übernommen: Es würde nichts gesendet.',
  left_out_of_public: ({ columns }) =>
    `Ausgelassen, weil alle die Sammlung sehen können: ${columns.join(', ')}`,
  kept_columns: ({ columns }) => `Als eigene Felder behalten: ${columns.join(', ')}`,
  held_for_quantity: ({ rows }) =>
    `${zeilen(rows)} ${rows === 1 ? 'wartet' : 'warten'} auf deine Entscheidung, weil es mehr Stücke gibt, als die Anzahl sagt.`,
  could_fill_down: ({ header, rows, blank }) =>
    `${header} ist in ${zahl(blank)} von ${zeilen(rows)} leer, jedes Mal unter einer gefüllten.`,
  template_used: ({ template }) => `Die Spalten sind die der Vorlage ${template}: Sie wird benutzt.`,
  template_matches: ({ template }) => `Die Spalten sind die der Vorlage ${template}.`,
  answers_remembered: ({ day, columns }) =>
    `Spalten wie am ${day} für diese Spaltennamen bestätigt: ${columns.join('; ')}.`,
  together_the_name: ({ headers, text }) =>
    `${headers.map(quoted).join(' und ')} sind zusammen der Name, etwa ${quoted(text)}.`,
  words_do_not_fit: ({ header, field, cells, of, texts }) =>
    `${quoted(header)} gilt nicht als ${field}, denn die Wörter passen nicht (${zahl(cells)} von ${of === 1 ? '1 Zelle' : `${zahl(of)} Zellen`}: ${texts.map(quoted).join(', ')}).`,
  collections_not_known: ({ header, texts, collection }) =>
    `${quoted(header)} nennt keine Sammlung deines Teams (${texts.map(quoted).join(', ')}): Die Zeilen kommen in ${collection}, und die Spalte bleibt als eigenes Feld.`,
  column_taken: ({ header, field, reason }, say) =>
    `${quoted(header)} → ${field} ist wahrscheinlich und wird benutzt (${say(reason)}).`,
  column_guessed: ({ header, field, reason }, say) =>
    `${quoted(header)} → ${field} ist nur vermutet und wird nicht benutzt (${say(reason)}).`,
  no_item_matches: () => 'Kein Stück passt: Es gibt nichts zu ändern.',

  to_read_as: ({ encoding }) => `Um es als ${encoding} zu lesen`,
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
  to_see_them: () => 'Um sie zu sehen',
  to_read_other_sheets: () => 'Um sie zu lesen',
};

/** Made when it is needed: language data takes 10 ms to read. */
let number: Intl.NumberFormat | undefined;

function zahl(value: number): string {
  number ??= new Intl.NumberFormat('de-DE');
  return number.format(value);
}

function zeilen(value: number): string {
  return `${zahl(value)} ${value === 1 ? 'Zeile' : 'Zeilen'}`;
}

function quoted(text: string): string {
  return `„${text}“`;
}
