import type { FILES } from '../params/files.ts';
import type { TextsOf } from '../texts.ts';
import { anzahl, quoted, zahl, zeilen } from './format.ts';

export const DE_FILES: TextsOf<typeof FILES> = {
  verbatim: ({ text }) => text,
  place_in_file: ({ file, sheet, row, line, column, header }) =>
    [
      file,
      sheet && `Blatt ${quoted(sheet)}`,
      row && `Zeile ${row}`,
      line !== row && line && `Textzeile ${line}`,
      column === undefined
        ? header && `Spalte ${quoted(header)}`
        : `Spalte ${column}${header === undefined ? '' : ` (${header})`}`,
    ]
      .filter((part) => part !== undefined && part !== false)
      .join(', '),
  tab: () => 'Tabulator',
  decimal_comma: () => 'Dezimalkomma',
  decimal_point: () => 'Dezimalpunkt',
  decimal_both: () => 'Dezimalkomma und -punkt',
  sheet: ({ sheet }) => `Blatt „${sheet}“`,
  header_row: ({ row }) => `Spaltennamen in Zeile ${row}`,
  header_rows: ({ first, last }) => `Spaltennamen in den Zeilen ${first} und ${last}`,
  headless: () => 'ohne Spaltennamen',
  rows_given: ({ rows }) => zeilen(rows),
  rows_left_out_by_map: ({ rows }) => `Die Zuordnungsfunktion hat ${zeilen(rows)} ausgelassen.`,
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
  hidden_rows_read: ({ rows }) =>
    `${anzahl(rows, 'ausgeblendete Zeile wurde', 'ausgeblendete Zeilen wurden')} mitgelesen`,
  hidden_columns_read: ({ columns }) => `Ausgeblendete Spalten wurden mitgelesen: ${columns.join(', ')}`,
  currency_by_format: ({ columns, currencies }) =>
    `Spalte ${columns.join(', ')}: Nur das Format der Zellen zeigt eine Währung (${currencies.join(', ')}). Die Zahlen werden ohne sie gelesen.`,
  hidden_sheets_not_read: ({ sheets }) =>
    `Ausgeblendete Blätter wurden nicht gelesen: ${sheets.map(quoted).join(', ')}`,
  other_sheets_left_out: ({ sheets }) =>
    `Blätter mit anderen Spalten wurden ausgelassen: ${sheets.map(quoted).join(', ')}`,
  other_sheets_not_read: ({ sheet, others }) =>
    `Nur das Blatt „${sheet}“ wird gelesen. Die Arbeitsmappe enthält auch ${others.map(quoted).join(', ')}.`,
  late_accents: ({ encoding }) =>
    `Umlaute stehen erst weit hinten in der Datei und sind nicht in UTF-8 gespeichert: Sie werden als ${encoding} gelesen`,
  odd_quotes: ({ rows, line }) =>
    `${zeilen(rows)} ${rows === 1 ? 'hat' : 'haben'} ungewöhnliche Anführungszeichen (zuerst Zeile ${line}): Anführungszeichen um eine ganze Zelle wurden entfernt, alle anderen gelten als Text`,
  encoding_doubtful: ({ encoding, other }) =>
    `Der Text wurde als ${encoding} gelesen und könnte auch ${other} sein. Prüfe die Umlaute.`,
  first_row_is_data: () =>
    'Die erste Zeile enthält Werte: Die Datei hat keine Spaltennamen, und die Spalten werden nach ihren Buchstaben benannt',
  item_per_piece: ({ header, from, to }) =>
    `In ${quoted(header)} steht ${from === to ? zahl(to) : `${zahl(from)} bis ${zahl(to)}`}: ein Stück je Exemplar anlegen? Sonst wird jede Zeile ein Stück, und die Zahl bleibt in einem eigenen Feld.`,
  is_first_row_data: ({ what }, say) =>
    `Vielleicht hat die Datei keine Spaltennamen: ${say(what)}. Die erste Zeile als Daten lesen?`,
  disk_full: ({ file }) => `Die Festplatte ist voll: ${file} wurde nicht geschrieben.`,
  free_space_for_file: () =>
    'Schaffe Platz und versuche es noch einmal. Eine vorhandene Datei ist unverändert.',
  cannot_write: ({ file, why }, say) => `${file} lässt sich nicht schreiben: ${say(why)}.`,
  folder_does_not_exist: () => 'ihren Ordner gibt es nicht',
  folder_is_a_file: () => 'ihr Ordner ist eine Datei',
  folder_has_that_name: () => 'ein Ordner heißt schon so',
  user_may_not_write: () => 'dieser Benutzer darf dort nicht schreiben',
  disk_is_read_only: () => 'die Festplatte ist schreibgeschützt',
  name_is_too_long: () => 'ihr Name ist zu lang',
  open_elsewhere: () => 'sie ist in einem anderen Programm geöffnet',
  no_header: ({ row }) => `Zeile ${row} enthält keine Spaltennamen.`,
  give_header_number: () =>
    'Nenne die Nummer, die das Tabellenprogramm neben der Zeile mit den Spaltennamen zeigt.',
  all_cells_blank: () => 'Alle Zellen dieser Datei sind leer.',
  check_right_file: () => 'Prüfe, ob es die richtige Datei ist und ob sie vollständig gespeichert ist.',
  no_rows: ({ row }) => `In Zeile ${row} stehen Spaltennamen, aber darunter folgen keine Zeilen.`,
  parts_missing: ({ file }) => `${file} ist unvollständig: Es fehlen Teile.`,
  download_again: () => 'Lade die Datei noch einmal herunter, oder kopiere sie neu.',
  damaged_workbook: ({ file }) => `${file} ist beschädigt.`,
  download_or_repair: () =>
    'Lade die Datei noch einmal herunter, oder kopiere sie neu. Oder öffne sie im Tabellenprogramm, das sie vielleicht repariert, und speichere sie als .xlsx.',
  input_too_long: ({ file, gigabytes }) => `${file} ist größer als ${gigabytes} GB.`,
  save_input_as_file: () => 'Speichere die Eingabe als Datei, und nenne die Datei.',
  delimiter_too_long: ({ text }) =>
    `Das Trennzeichen muss ein einziges Zeichen oder „tab“ sein, nicht ${quoted(text)}.`,
  record_too_long: ({ line, byte, millions }) =>
    `Der Datensatz, der in Zeile ${line} (Byte ${byte}) beginnt, ist länger als ${millions} Millionen Zeichen.`,
  close_likely_quote: () =>
    'Die Ursache ist meist ein Anführungszeichen in dieser Zeile, das nie geschlossen wird. Schließe es, oder verdopple es ("").',
  quote_takes_rest: ({ line, byte }) =>
    `Ein Anführungszeichen in Zeile ${line} (Byte ${byte}) wird nie geschlossen; dadurch wurde der Rest der Datei zu einer einzigen Zelle.`,
  close_quote: () =>
    'Schließe das Anführungszeichen in dieser Zeile, oder verdopple es (""), wenn es zum Text gehört.',
  rows_not_split: ({ line, byte }) =>
    `Die Datei lässt sich bei Zeile ${line} (Byte ${byte}) nicht in Zeilen teilen.`,
  look_at_line: () =>
    'Sieh dir diese Zeile in einem Texteditor an, oder speichere die Tabelle im Tabellenprogramm noch einmal als CSV.',
  encoding_not_known: ({ text, known }) =>
    `Der Zeichensatz ${quoted(text)} ist unbekannt. Möglich sind ${known.join(', ')}, latin1 und andere wie windows-1250, iso-8859-2, koi8-r, gb18030, big5, euc-kr.`,
  no_such_file: ({ file }) => `Die Datei ${file} gibt es nicht.`,
  is_a_folder: ({ file }) => `${file} ist ein Ordner, keine Tabelle.`,
  name_file_in_folder: () => 'Nenne eine Datei darin.',
  may_not_read: ({ file }) => `Du darfst ${file} nicht lesen.`,
  change_permissions: () => 'Ändere ihre Rechte, oder kopiere sie in einen eigenen Ordner.',
  file_in_use: ({ file }) => `${file} wird von einem anderen Programm benutzt.`,
  close_file_there: () => 'Schließe sie dort und versuche es noch einmal.',
  empty_file: ({ file }) => `${file} ist leer.`,
  resave: () => 'Öffne sie im Tabellenprogramm, speichere sie als .xlsx oder CSV und nimm die neue Datei.',
  json: ({ file }) => `${file} ist eine JSON-Datei, keine Tabelle.`,
  export_as_table: () =>
    'Ein Export als CSV oder XLSX lässt sich wieder einlesen; NDJSON ist für andere Programme.',
  xml_spreadsheet: ({ file }) =>
    `${file} ist eine Tabelle in einem alten XML-Format, das shelflift nicht lesen kann.`,
  no_spreadsheet: ({ file, format }) =>
    format === undefined
      ? `${file} ist weder Text noch eine Tabelle, die shelflift lesen kann.`
      : `${file} hat das Format ${format} und ist keine Tabelle, die shelflift lesen kann.`,
  export_from_program: () =>
    'Exportiere die Tabelle als .xlsx oder CSV aus dem Programm, das sie geschrieben hat.',
  old_xls: ({ file }) => `${file} ist eine sehr alte Excel-Datei, die shelflift nicht lesen kann.`,
  compound_too_large: ({ file, bytes, gigabytes }) =>
    `${file} ist ${zahl(bytes)} Byte groß; shelflift liest bis zu ${gigabytes} GB.`,
  too_many_rows: ({ most }) => `Eine Tabelle hat mehr als ${zahl(most)} Zeilen.`,
  row_too_wide: ({ row, columns, most }) =>
    columns === undefined
      ? `Zeile ${row} hat mehr als ${zahl(most)} Spalten.`
      : `Zeile ${row} hat ${zahl(columns)} Spalten; ein Blatt hat höchstens ${zahl(most)}.`,
  row_beyond_last: ({ sheet, row, last }) =>
    `Das Blatt ${quoted(sheet)} hat eine Zeile mit der Nummer ${row}; die letzte mögliche ist ${last}.`,
  cell_beyond_last: ({ sheet, cell, last }) =>
    `Das Blatt ${quoted(sheet)} hat eine Zelle ${cell}; die letzte mögliche Spalte ist ${last}.`,
  too_many_merged: ({ most }) => `Mehr als ${zahl(most)} Zellen gehören zu verbundenen Zellen.`,
  too_many_repeated: ({ sheet, most }) =>
    `Das Blatt ${quoted(sheet)} wiederholt ausgefüllte Zellen mehr als ${zahl(most)} Mal.`,
  cell_too_long: ({ file, most }) => `Eine Zelle von ${file} hat mehr als ${zahl(most)} Zeichen.`,
  text_too_long: ({ sheet }) =>
    `Das Blatt ${quoted(sheet)} enthält einen Text, der für eine Zelle zu lang ist.`,
  part_text_too_long: ({ part }) =>
    `Der Teil ${quoted(part)} enthält einen Text, der für eine Zelle zu lang ist.`,
  part_mostly_blank: ({ part }) => `Der Teil ${quoted(part)} besteht fast nur aus Leerzeichen.`,
  part_too_large: ({ part, bytes, gigabytes }) =>
    `Der Teil ${quoted(part)} ist entpackt ${zahl(bytes)} Byte groß; shelflift liest bis zu ${gigabytes} GB.`,
  part_inflates: ({ part, times, bytes, most }) =>
    `Der Teil ${quoted(part)} wird beim Entpacken ${zahl(times)}-mal so groß (${zahl(bytes)} Byte); erlaubt ist das ${zahl(most)}-Fache.`,
  hashed_too_often: ({ file, times, most }) =>
    `Das Passwort von ${file} muss ${times}-mal gehasht werden; shelflift tut das höchstens ${zahl(most)}-mal.`,
  too_many_formats: ({ most }) => `Die Arbeitsmappe hat mehr als ${zahl(most)} Zellformate.`,
  rows_out_of_order: ({ sheet, most }) =>
    `Die Zeilen des Blatts ${quoted(sheet)} stehen nicht in ihrer Reihenfolge, und es hat mehr als ${zahl(most)} Zellen.`,
  too_many_shared_texts: ({ most }) =>
    `Die Arbeitsmappe hat mehr als ${zahl(most)} gemeinsame Texte („shared strings“).`,
  shared_texts_too_large: ({ megabytes }) =>
    `Die gemeinsamen Texte („shared strings“) der Arbeitsmappe sind größer als ${megabytes} MB.`,
  too_many_parts_in_zip: ({ most }) => `Die Zip-Datei hat mehr als ${zahl(most)} Teile.`,
  save_needed_sheet: () =>
    'Wenn du der Datei traust, öffne sie im Tabellenprogramm und speichere nur das Blatt, das du brauchst, als CSV.',
  ods_has_password: ({ file }) => `${file} ist eine OpenDocument-Tabelle mit Passwort.`,
  save_without_password: () =>
    'Öffne sie im Tabellenprogramm, entferne das Passwort und speichere sie noch einmal.',
  csv_has_no_sheets: ({ file, sheet }) =>
    `Ein Blatt ${quoted(sheet)} gibt es nicht: ${file} ist eine CSV-Datei, die keine Blätter hat.`,
  name_no_sheet: () => 'Nenne kein Blatt.',
  unknown_protection: ({ file, scheme }) =>
    `${file} ist auf eine Art geschützt, die shelflift nicht öffnen kann (${scheme}).`,
  workbook_has_password: ({ file }) => `${file} ist eine Arbeitsmappe mit Passwort.`,
  give_password: () =>
    'Gib das Passwort ein. Ein Befehl fragt im Terminal danach oder liest es aus SHELFLIFT_FILE_PASSWORD.',
  wrong_password: ({ file }) => `Mit diesem Passwort lässt sich ${file} nicht öffnen.`,
  check_password: () => 'Prüfe das Passwort (SHELFLIFT_FILE_PASSWORD); achte auf Groß- und Kleinschreibung.',
  line_is_no_json: ({ line }) => `Zeile ${line} ist kein JSON.`,
  part_outside: ({ name }) =>
    `Ein Teil dieser Arbeitsmappe heißt ${quoted(name)} und verweist auf einen Ort außerhalb des Archivs.`,
  do_not_open: () =>
    'Kein Tabellenprogramm schreibt so eine Datei. Öffne sie nicht; frag nach, woher sie kommt.',
  part_missing: ({ name }) => `Der Arbeitsmappe fehlt der Teil ${quoted(name)}.`,
  let_program_repair: () =>
    'Öffne sie im Tabellenprogramm, das sie vielleicht repariert, und speichere sie noch einmal.',
  zip_damaged: ({ file }) => `${file} beginnt wie eine Arbeitsmappe, ist aber unvollständig oder beschädigt.`,
  zip_has_password: ({ file }) => `${file} ist ein Zip mit Passwort.`,
  no_worksheet: () => 'Die Arbeitsmappe hat kein Blatt.',
  all_sheets_hidden: ({ sheets }) => `Alle Blätter sind ausgeblendet: ${sheets.map(quoted).join(', ')}.`,
  to_name_sheet: () => 'Um eines zu wählen',
  unhide_sheet: () => 'Blende es im Tabellenprogramm ein.',
  no_such_sheet: ({ sheet, sheets }) =>
    `Ein Blatt ${quoted(sheet)} gibt es nicht. Die Arbeitsmappe hat ${sheets.map(quoted).join(', ')}.`,
  xml_entities: ({ part }) => `Der Teil ${quoted(part)} deklariert XML-Entitäten (DOCTYPE).`,
  broken_xml: ({ part }) => `Der Teil ${quoted(part)} der Arbeitsmappe ist kein gültiges XML.`,
  cannot_stream: () => 'Eine Arbeitsmappe lässt sich nicht auf die Standardausgabe schreiben.',
  name_xlsx_file: () => 'Nenne eine Datei, die auf .xlsx endet, oder wähle CSV oder NDJSON.',
  numbers: ({ file }) => `${file} ist eine Numbers-Datei.`,
  export_from_numbers: () => 'Exportiere sie in Numbers als Excel oder CSV und wähle die neue Datei.',
  xlsb: ({ file }) => `${file} ist eine binäre Excel-Datei (.xlsb), die shelflift nicht lesen kann.`,
  unpack_first: () => 'Steckt die Tabelle in einem Zip-Archiv, packe es aus und nimm die Tabelle selbst.',
  too_many_columns: ({ most, columns }) =>
    `Ein Blatt hat Platz für ${anzahl(most, 'Spalte', 'Spalten')}; die Tabelle hat ${zahl(columns)}.`,
  choose_fewer_columns: () => 'Wähle weniger Spalten, oder schreibe CSV.',
  link_leads_nowhere: () => 'sie ist ein Link auf eine Datei, die es nicht gibt',
  link_of_others: ({ target }) =>
    `sie ist ein Link auf ${target}, und Link und Ziel gehören nicht beide diesem Benutzer`,
  folder_link_of_others: ({ folder }) => `${folder} ist ein Link, der einem anderen Benutzer gehört`,
  not_a_regular_file: () => 'sie ist keine gewöhnliche Datei',
};
