import type { CELLS, WHOLE_COLUMNS } from '../params/cells.ts';
import type { TextsOf } from '../texts.ts';
import { quoted, zahl } from './format.ts';

export const DE_CELLS: TextsOf<typeof CELLS & typeof WHOLE_COLUMNS> = {
  filled_down: ({ column, text }) => `${column} von oben übernommen: ${quoted(text)}`,
  corrected: ({ column, letter = '', from, to }) =>
    `${column || `Spalte ${letter}`}: ${quoted(from)} zu ${quoted(to)} korrigiert`,
  taken_as_item: () => 'als Stück übernommen, obwohl die Zeile wie eine Summe oder Statistik aussieht',
  read_as: ({ field, text, value, isRange }) =>
    `${field}: ${quoted(text)} gelesen als ${value}${isRange ? ', die Untergrenze der Spanne' : ''}`,
  taken_as: ({ field, text, value }) =>
    `${field}: ${quoted(text)} wurde ${value === '' ? 'nach der wahrscheinlichsten Bedeutung' : `als ${value}`} gelesen; das Wort bleibt in einem eigenen Feld`,
  year_kept: ({ text }) =>
    `Das Jahr ${quoted(text)} bleibt in custom_fields.year: Der Dienst nimmt nur Jahre von 1968 bis 2100 an`,
  date_kept: ({ text }) =>
    `Das Jahr stammt aus ${quoted(text)}; der ganze Text bleibt in custom_fields.release_date`,
  filler_row: ({ text }) => `Die Zeile hat keinen Namen und keinen eingetragenen Wert, nur ${quoted(text)}`,
  converted: ({ field, currency, from, rate, to }) =>
    `${field} umgerechnet: ${currency} ${from} × ${rate} = ${to}`,
  likely_words: ({ column, header, cells, text, as }) =>
    `Spalte ${column} (${header}): ${cells === 1 ? '1 Wort ohne genaue Entsprechung wurde' : `${zahl(cells)} Wörter ohne genaue Entsprechung wurden`} in ${cells === 1 ? 'seiner' : 'ihrer'} wahrscheinlichsten Bedeutung gelesen${as === '' ? '' : ` (${quoted(text)} als ${as})`}; ${cells === 1 ? 'das Wort bleibt' : 'die Wörter bleiben'} in einem eigenen Feld`,
  years_kept: ({ column, header, cells, text }) =>
    `Spalte ${column} (${header}): ${cells === 1 ? '1 Jahr' : `${zahl(cells)} Jahre`} außerhalb von 1968 bis 2100 (${quoted(text)}) ${cells === 1 ? 'bleibt' : 'bleiben'} in custom_fields.year`,
  dates_kept: ({ column, header, cells, text }) =>
    `Spalte ${column} (${header}): Bei ${cells === 1 ? '1 Datum' : `${zahl(cells)} Datumsangaben`} zählt nur das Jahr; der ganze Text (${quoted(text)}) bleibt in custom_fields.release_date`,
  fillers_left_out: ({ column, header, cells, text }) =>
    `Spalte ${column} (${header}): ${cells === 1 ? '1 Zeile hat' : `${zahl(cells)} Zeilen haben`} keinen Namen und keinen eingetragenen Wert, nur ${quoted(text)}: ausgelassen`,
  cells_blank: ({ column, header, cells, texts }) =>
    `Spalte ${column} (${header}): ${cells === 1 ? '1 Zelle gilt' : `${zahl(cells)} Zellen gelten`} als leer (${texts.map(quoted).join(', ')})`,
  secret_not_sent: ({ column, header }) =>
    `Spalte ${column} (${header}) sieht nach Passwort, Zugangsschlüssel oder Nummer einer Zahlungskarte aus: Sie wird nicht gesendet`,
  decimal_decided: ({ column, header, isComma }) =>
    `Spalte ${column} (${header}) hat ${isComma ? 'ein Dezimalkomma' : 'einen Dezimalpunkt'}: Das zeigen die eindeutigen Beträge`,
  currency_not_sent: ({ column, header, values, currencies }) =>
    `${values === 1 ? '1 Wert' : `${zahl(values)} Werte`} in Spalte ${column} (${header}) ${values === 1 ? 'zeigt' : 'zeigen'} eine Währung (${currencies}), die nicht gesendet wird: Der Dienst bestimmt die Währung eines Stücks`,
  approximate_read: ({ column, header, values, ranges, text, as }) =>
    `Spalte ${column} (${header}): ${values === 1 ? '1 ungefährer Wert' : `${zahl(values)} ungefähre Werte`} gelesen${ranges === 0 ? '' : `, davon ${zahl(ranges)} mit der Untergrenze der Spanne`} (${quoted(text)} als ${as})`,
  long_numbers_kept: ({ column, header, text }) =>
    `Spalte ${column} (${header}): Ein Tabellenprogramm hat lange Zahlen gekürzt; sie bleiben, wie sie sind: ${quoted(text)}`,
  commas_in_tags: ({ column, header, cells, text }) =>
    `Spalte ${column} (${header}): ${cells === 1 ? 'Eine Zelle mit Komma ist ein Schlagwort' : `${zahl(cells)} Zellen mit Kommas sind je ein Schlagwort`}, etwa ${quoted(text)}; getrennt wird nur an ; und |.`,
};
