import type { FILES } from '../params/files.ts';
import type { TextsOf } from '../texts.ts';
import { quoted, zahl, zeilen } from './format.ts';

export const DE_FILES: TextsOf<typeof FILES> = {
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
  html_too_deep: ({ file }) =>
    `${file} ist eine Webseite (HTML) mit über 2.000 ineinander geschachtelten Elementen.`,
  html_too_large: ({ file }) => `${file} ist eine Webseite (HTML) von über 64 MB.`,
  html_without_table: ({ file }) =>
    `${file} ist trotz seines Namens eine Webseite (HTML) und enthält keine Tabelle mit Zeilen unter der Kopfzeile.`,
  save_as_workbook: () => 'Öffne sie in einer Tabellenkalkulation und speichere sie als .xlsx oder CSV.',
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
};
