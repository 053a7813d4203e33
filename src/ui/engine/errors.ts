/**
 * Errors in German, by their code. In English, the engine's own message is shown. A code that is neither here nor among
 * those that no screen can meet does not compile.
 */
import type { ErrorCode } from '../../error-codes.ts';

/** Of the command line, of its output, of files that only it reads, and of other programs. */
type Elsewhere =
  | 'cannot_stream'
  | 'limit_stdin_size'
  | 'bad_pair'
  | 'default_in_update'
  | 'bad_stamp'
  | 'usage'
  | 'unknown_option'
  | 'bad_option'
  | 'bad_source'
  | 'bad_row'
  | 'bad_number'
  | 'bad_by'
  | 'not_confirmed'
  | 'repeated_change'
  | 'bad_duration'
  | 'no_answer'
  | 'no_out'
  | 'two_outputs'
  | 'not_our_file'
  | 'no_stream'
  | 'unknown_format'
  | 'unknown_status'
  | 'no_live_changes'
  | 'changes_need_file'
  | 'changes_need_store'
  | 'other_selection'
  | 'changes_moved'
  | 'export_taken_over'
  | 'no_such_layout'
  | 'bad_layout'
  | 'bad_locale'
  | 'bad_period'
  | 'bad_zone'
  | 'period_not_over'
  | 'no_reading'
  | 'layout_and_columns'
  | 'double_column'
  | 'needs_xlsx'
  | 'too_many_sheets'
  | 'not_for_resource'
  | 'log_file_unwritable'
  | 'output_is_input'
  | 'not_comparable'
  | 'double_key'
  | 'layout_needs_field'
  | 'no_manifest'
  | 'bad_manifest'
  | 'bad_variable'
  | 'two_targets'
  | 'no_such_store'
  | 'store_not_empty'
  | 'store_in_use'
  | 'store_copy_differs'
  | 'backup_exists'
  | 'bad_rate_limit'
  | 'port_in_use'
  | 'cannot_listen'
  | 'too_many_missing'
  | 'missing_unsafe'
  | 'field_emptied'
  | 'is_a_dry_run'
  | 'is_a_folder'
  | 'no_such_schedule'
  | 'no_smtp'
  | 'no_secret'
  | 'package_missing'
  | 'spool_missing'
  | 'spool_damaged'
  | 'unsafe_folder'
  | 'claim_replaced'
  | 'mostly_rejected'
  | 'folder_away'
  | 'remote_away'
  | 'remote_missing'
  | 'remote_refused'
  | 'program_missing'
  | 'delivery_failed'
  | 'mapping_failed'
  | 'stream_failed'
  | 'job_cancelled';

const DAMAGED =
  'Die Datei ist beschädigt oder unvollständig. Öffne sie im Tabellenprogramm, speichere sie neu und wähle sie noch einmal.';
const AS_XLSX = 'Öffne sie im Tabellenprogramm, speichere sie als .xlsx und wähle sie noch einmal.';
const TOO_LARGE =
  'Die Datei überschreitet eine Grenze, die vor manipulierten Dateien schützt. Teile sie auf oder speichere sie als CSV.';
const STORE = 'shelflift kann seine eigenen Aufzeichnungen gerade nicht benutzen.';

export const GERMAN_ERRORS: Record<Exclude<ErrorCode, Elsewhere>, string> = {
  no_such_file: 'Diese Datei gibt es nicht.',
  not_readable:
    'Diese Datei lässt sich nicht lesen. Schließe sie in anderen Programmen und wähle sie noch einmal.',
  empty_file: 'Die Datei ist leer.',
  no_header:
    'Es ließ sich keine Zeile mit Spaltennamen finden. Klicke in der Tabelle auf die Nummer der richtigen Zeile.',
  header_is_data:
    'Die Zeile, die als Spaltennamen gilt, enthält Werte. Klicke auf die Nummer der richtigen Zeile, oder wähle „ohne Spaltennamen“.',
  no_rows: 'Die Datei enthält keine Tabelle oder keine Zeilen unter den Spaltennamen.',
  html: `Das ist eine Webseite, keine Tabelle. ${AS_XLSX}`,
  json: `Das ist eine JSON-Datei, keine Tabelle mit einem Objekt pro Zeile. ${AS_XLSX}`,
  xml_spreadsheet: `Das ist eine Tabelle in einem alten XML-Format. ${AS_XLSX}`,
  old_xls: `Das ist eine sehr alte Excel-Datei. ${AS_XLSX}`,
  xlsb: `Das ist eine binäre Excel-Datei (.xlsb). ${AS_XLSX}`,
  numbers:
    'Das ist eine Numbers-Datei. Exportiere sie in Numbers als Excel oder CSV und wähle die neue Datei.',
  binary: 'Das ist keine Tabelle. Wähle eine Datei mit der Endung .xlsx, .xls, .ods, .csv oder .txt.',
  password_protected: 'Die Arbeitsmappe hat ein Passwort. Gib es ein, oder speichere sie ohne Passwort.',
  wrong_password: 'Dieses Passwort öffnet die Datei nicht.',
  unknown_protection: `Die Arbeitsmappe ist auf eine Art geschützt, die shelflift nicht öffnen kann. Entferne den Schutz. ${AS_XLSX}`,
  truncated: DAMAGED,
  not_a_workbook: `Das ist keine Arbeitsmappe, auch wenn der Name so endet. ${AS_XLSX}`,
  damaged_workbook: DAMAGED,
  broken_xml: DAMAGED,
  bad_part_name: DAMAGED,
  no_such_sheet: 'Dieses Blatt gibt es in der Arbeitsmappe nicht.',
  no_visible_sheet: 'Die Arbeitsmappe hat kein sichtbares Blatt mit einer Tabelle.',
  bad_currency: 'Das ist keine Währung. Nimm drei Buchstaben, etwa EUR.',
  bad_delimiter: 'Dieses Trennzeichen ist nicht möglich.',
  bad_encoding_name: 'Diesen Zeichensatz kennt shelflift nicht.',
  broken_csv:
    'Die Textdatei ist nicht als Tabelle zu lesen. Prüfe das Trennzeichen und die Anführungszeichen.',
  broken_json: 'Eine Zeile der Datei ist kein gültiges JSON.',
  unclosed_quote: 'Ein Anführungszeichen in der Datei wird nie geschlossen. Schließe oder entferne es.',
  file_exists: 'Eine Datei dieses Namens gibt es schon.',
  cannot_write: 'Eine Datei konnte nicht geschrieben werden.',
  limit_columns: TOO_LARGE,
  limit_repeated_cells: TOO_LARGE,
  limit_rows: TOO_LARGE,
  limit_record_size: TOO_LARGE,
  limit_compound_size: TOO_LARGE,
  limit_spin_count: TOO_LARGE,
  limit_unordered_cells: TOO_LARGE,
  limit_zip_entries: TOO_LARGE,
  limit_part_size: TOO_LARGE,
  limit_inflation: TOO_LARGE,
  limit_shared_strings: TOO_LARGE,
  limit_shared_string_size: TOO_LARGE,
  limit_cell_formats: TOO_LARGE,
  limit_xml_text: TOO_LARGE,
  limit_xml_entities: TOO_LARGE,
  no_name_column: 'Keine Spalte enthält den Namen der Stücke. Wähle eine Spalte, die der Name ist.',
  transposed_table:
    'In der ersten Spalte stehen die Namen der Felder. Vertausche Zeilen und Spalten der Tabelle.',
  unsure_mapping: 'Manche Spalten sind nicht sicher erkannt. Prüfe sie.',
  unsure_encoding:
    'Es ist nicht sicher, welcher Zeichensatz es ist. Prüfe die Umlaute und wähle bei der Datei den richtigen.',
  unknown_field: 'Dieses Feld gibt es nicht.',
  unknown_column: 'Diese Spalte hat die Datei nicht.',
  duplicate_column: 'Zwei Spalten heißen gleich oder füllen dasselbe Feld. Lass eine davon aus.',
  missing_column:
    'Der Datei fehlt eine Spalte, die diese Vorlage braucht. Wähle eine andere Vorlage, oder keine.',
  bad_default: 'Dieser Wert passt nicht in das Feld.',
  bad_rate:
    'Dieser Kurs rechnet nichts um: Die Stücke stehen schon in dieser Währung, oder keine Spalte enthält Beträge.',
  match_without_mode: 'Woran Stücke erkannt werden, zählt nur beim Ändern.',
  no_match_column: 'Der Datei fehlt die Spalte, an der die Stücke erkannt werden. Wähle eine andere.',
  bad_choice: 'Diese Auswahl passt nicht zusammen.',
  no_collection: 'Wähle eine Sammlung, in die die Stücke kommen.',
  unknown_collection: 'Du hast keine Sammlung mit diesem Namen.',
  ambiguous_collection: 'Du hast mehrere Sammlungen mit diesem Namen.',
  no_such_recipe: 'Diese gespeicherten Entscheidungen gibt es nicht mehr.',
  bad_recipe: 'Unter diesem Namen lässt sich nichts speichern. Nimm Buchstaben, Ziffern und Leerzeichen.',
  no_such_template: 'Diese Vorlage gibt es nicht.',
  bad_template: 'Diese Vorlage ist nicht zu gebrauchen.',
  bad_where:
    'Diese Bedingung ist nicht zu verstehen. Schreib sie wie im Beispiel, eine pro Zeile: estimated_value>=50',
  mixed_currencies: 'Die Stücke stehen in verschiedenen Währungen. Wähle eine davon.',
  out_dir_unwritable: 'In den Ordner für die Ergebnisse kann nicht geschrieben werden.',
  no_api_url: 'Es ist noch kein Konto eingerichtet.',
  bad_address: 'Diese Adresse ist nicht zu gebrauchen. Sie beginnt mit https://',
  insecure_address:
    'Diese Adresse ist unverschlüsselt, und der Schlüssel wäre unterwegs zu lesen. Nimm https://',
  no_key: 'Es fehlt der Schlüssel.',
  bad_key: 'Das ist kein vollständiger Schlüssel. Kopiere ihn noch einmal, ohne Leerzeichen.',
  key_file_open_to_others: 'Die Datei mit dem Schlüssel können auch andere auf diesem Computer lesen.',
  key_file_unreadable: 'Die Datei mit dem Schlüssel lässt sich nicht lesen.',
  bad_config: 'Die Einstellungen enthalten einen Fehler.',
  config_unreadable: 'Die Einstellungen lassen sich nicht lesen.',
  config_exists: 'Es gibt schon Einstellungen.',
  no_such_profile: 'Dieses Konto ist nicht gespeichert.',
  profile_exists: 'Ein Konto dieses Namens ist schon gespeichert.',
  bad_profile_name: 'Dieser Name geht nicht. Nimm Buchstaben, Ziffern und Bindestriche.',
  store_not_ours: `${STORE} Die Datei gehört einem anderen Programm.`,
  store_newer: `${STORE} Sie stammen von einem neueren shelflift: Benutze dieses.`,
  store_older: `${STORE} Sie stammen von einem shelflift vor der ersten Ausgabe.`,
  store_locked: `${STORE} Ein anderes Programm benutzt sie. Versuche es gleich noch einmal.`,
  store_damaged: `${STORE} Sie sind beschädigt.`,
  store_unwritable: `${STORE} In ihren Ordner kann nicht geschrieben werden.`,
  bad_store_url: `${STORE} Ihre Adresse ist falsch.`,
  store_unreachable: `${STORE} Die Datenbank ist nicht erreichbar.`,
  store_unauthorised: `${STORE} Die Datenbank nimmt die Anmeldung nicht an.`,
  store_no_database: `${STORE} Die Datenbank gibt es nicht.`,
  store_no_rights: `${STORE} In der Datenbank fehlen Rechte.`,
  store_encoding: `${STORE} Die Datenbank muss UTF-8 benutzen.`,
  store_failed: `${STORE} Die Datenbank hat einen Fehler gemeldet.`,
  disk_full: 'Auf der Festplatte ist nicht genug Platz. Schaffe Platz und versuche es dann noch einmal.',
  no_such_job: 'Diesen Vorgang gibt es nicht mehr.',
  ambiguous_job: 'Diesen Vorgang gibt es nicht mehr.',
  unknown_item: 'Dieses Stück gibt es nicht.',
  ambiguous_item: 'Mehrere Stücke könnten gemeint sein.',
  not_a_plan: 'Dieser Vorgang ist kein Plan mehr: Es wurde schon etwas gesendet.',
  job_runs_elsewhere: 'Ein anderes shelflift arbeitet gerade daran. Versuche es gleich noch einmal.',
  list_lags: 'Die Liste der Stücke zeigt noch nicht, was schon angelegt ist. Versuche es später noch einmal.',
  list_moved: 'Die Liste der Stücke änderte sich beim Lesen zu schnell. Versuche es gleich noch einmal.',
  already_claimed: 'Diese Datei wird gerade schon übernommen.',
  no_such_row: 'Über diese Zeile ist schon entschieden.',
  bad_resolution: 'So lässt sich über diese Zeile nicht entscheiden. Es wurde nichts geändert.',
  own_export:
    'Das ist ein Export deiner eigenen Stücke. Ihn hinzuzufügen würde jedes Stück verdoppeln. Um Änderungen zu übernehmen, beginne auf der Startseite mit „Ändern“. Wirklich alles noch einmal hinzufügen?',
  foreign_export:
    'Das ist ein Export aus einem anderen Konto: Keines seiner Stücke gibt es hier. Es wurde nichts gesendet.',
  rows_sent_before:
    'Manche Zeilen hast du schon früher übernommen. Wähle bei der Datei: nur neue Zeilen, oder alle.',
  cannot_mend:
    'Dieser Vorgang lässt sich nicht mehr verbessern. Ändere die Zeilen in der Datei und wähle sie noch einmal.',
  bad_change: 'Diese Änderung ist so nicht möglich. Es wurde nichts geändert.',
  undo_grew: 'Der Import hat inzwischen mehr geschrieben. Sieh dir den neuen Plan an.',
  cannot_undo:
    'Das lässt sich nicht zurücknehmen: Es wurde nichts gesendet, oder es ist schon zurückgenommen.',
  similar_items:
    'Manche Zeilen sehen aus wie Stücke, die du schon hast. Sieh sie dir an und entscheide, was mit ihnen passiert.',
  too_many_changes: 'Das würde sehr viele Stücke ändern. Sieh dir den Plan genau an. Wirklich senden?',
  key_not_kept:
    'Der Dienst speichert den Schlüssel deiner Stücke in anderer Form, so dass sie nicht wiedergefunden würden. Wähle eine andere Spalte als Schlüssel.',
  other_currency:
    'Der Dienst führt die Stücke in einer anderen Währung als die Beträge der Datei. Gib Kurse an, dann setze fort.',
  store_behind:
    'Einige der Stücke gibt es beim Dienst schon, ohne dass dieser Speicher davon weiß. Prüfe die zurückgehaltenen Zeilen, dann setze fort.',
  too_many_refused: 'Der Dienst hat so viele Zeilen abgelehnt, dass shelflift angehalten hat.',
  parked_unauthorised: 'Der Dienst hat den Schlüssel nicht angenommen. Prüfe das Konto.',
  parked_unreachable: 'Der Dienst ist nicht erreichbar. Setze fort, wenn er wieder da ist.',
  parked_disk: 'Die Festplatte ist voll. Schaffe Platz, dann setze fort.',
  lease_lost: 'Ein anderes shelflift hat diesen Vorgang übernommen.',
  interrupted: 'Es wurde angehalten. Alles bisher ist aufgezeichnet.',
  unauthorized: 'Der Dienst hat den Schlüssel nicht angenommen. Prüfe, ob er vollständig ist und noch gilt.',
  missing_scope: 'Dem Schlüssel fehlt eine Berechtigung. Wer das Team verwaltet, kann sie hinzufügen.',
  limit_reached: 'Dein Tarif beim Dienst ist voll. Keine Zeile ist verloren.',
  not_found: 'Der Dienst kennt diese Adresse nicht. Prüfe die Adresse des Kontos.',
  invalid_request: 'Der Dienst hat die Anfrage abgelehnt.',
  rate_limited: 'Der Dienst bittet seit langem um eine Pause. Versuche es später noch einmal.',
  unexpected_response: 'Der Dienst hat etwas Unverständliches geantwortet. Versuche es später noch einmal.',
  not_this_api: 'Unter dieser Adresse antwortet etwas anderes. Prüfe die Adresse.',
  unreachable: 'Der Dienst ist nicht erreichbar. Prüfe die Adresse und die Verbindung ins Internet.',
  bad_certificate: 'Dem Zertifikat des Dienstes vertraut dieser Computer nicht. Prüfe die Adresse.',
  timeout: 'Der Dienst hat nicht rechtzeitig geantwortet. Versuche es noch einmal.',
  aborted: 'Es wurde angehalten.',
  bad_upload: 'Die Datei ist nicht vollständig angekommen. Wähle sie noch einmal.',
  no_such_upload: 'Diese Datei ist nicht mehr hier. Wähle sie noch einmal.',
  sandbox_in_use: 'Das Übungskonto wird gerade von einem anderen shelflift benutzt. Beende jenes zuerst.',
  sandbox_file_in_use: 'Das Übungskonto wird gerade von einem anderen Programm benutzt.',
  sandbox_file_unusable: 'Das Übungskonto lässt sich nicht öffnen: Seine Datei ist nicht zu gebrauchen.',
  sandbox_file_newer: 'Das Übungskonto stammt von einem neueren shelflift.',
  not_a_sandbox_file: 'Die Datei des Übungskontos gehört einem anderen Programm.',
  state_folder_unwritable:
    'In den Ordner, in dem shelflift seine Aufzeichnungen hat, kann nicht geschrieben werden.',
  defect: 'Bei uns ist etwas schiefgegangen. Es ist nichts verloren.',
};
