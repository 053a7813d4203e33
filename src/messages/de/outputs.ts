import type { OUTPUTS } from '../params/outputs.ts';
import type { TextsOf } from '../texts.ts';
import { anzahl, list, zahl, zeilen } from './format.ts';

export const DE_OUTPUTS: TextsOf<typeof OUTPUTS> = {
  label_error: () => 'Fehler',
  counted_items: ({ number }) => anzahl(number, 'Stück', 'Stücke'),
  counted_listings: ({ number }) => anzahl(number, 'Angebot', 'Angebote'),
  counted_collections: ({ number }) => anzahl(number, 'Sammlung', 'Sammlungen'),
  counted_sales: ({ number }) => anzahl(number, 'Verkaufsmeldung', 'Verkaufsmeldungen'),
  export_written: ({ what, file }, say) => `${say(what)} → ${file}`,
  read_completely: ({ passes }) => `vollständig (${anzahl(passes, 'Durchgang', 'Durchgänge')})`,
  list_moved_see_manifest: ({ passes }) =>
    `die Liste hat sich beim Lesen geändert: siehe Manifest (${anzahl(passes, 'Durchgang', 'Durchgänge')})`,
  rows_left_out_above: ({ rows }) => `ausgelassen: ${zeilen(rows)}, oben genannt`,
  totals_lack_values: ({ values }) =>
    `In den Summen ${values === 1 ? 'fehlt 1 Wert, der keine Zahl ist' : `fehlen ${zahl(values)} Werte, die keine Zahl sind`}.`,
  cells_left_blank: ({ cells }) =>
    `${cells === 1 ? '1 Zelle wurde' : `${zahl(cells)} Zellen wurden`} leer gelassen, weil ${cells === 1 ? 'ihr Text' : 'ihre Texte'} für eine Arbeitsmappe zu lang ${cells === 1 ? 'ist' : 'sind'}. Eine CSV-Datei kann ${cells === 1 ? 'ihn' : 'sie'} aufnehmen.`,
  manifest_is: ({ file }) => `Manifest: ${file}`,
  list_moved_no_file: ({ resource }) =>
    `Nichts wurde geschrieben: Die Liste (${resource}) hat sich beim Lesen geändert.`,
  only_for_csv: ({ options, file }) =>
    `${list(options)} ${options.length === 1 ? 'gilt' : 'gelten'} nur für CSV und ${options.length === 1 ? 'ändert' : 'ändern'} nichts an ${file}.`,
  not_for_workbook: ({ option, file }) =>
    `${option} ändert nichts an ${file}: Wie Zahlen und Datumsangaben in einer Arbeitsmappe aussehen, bestimmt das Programm, das sie öffnet.`,
  rows_kept_for_day: ({ rows, command }) =>
    `${anzahl(rows, 'gelesene Zeile wird', 'gelesene Zeilen werden')} 24 Stunden aufgehoben. Um dort weiterzumachen:\n  ${command}`,
  sales_as_reported: ({ at }) => `Verkäufe, wie am ${at} gemeldet`,
  file_as_written: ({ file, rows }) => `${file}: unverändert, ${zeilen(rows)}`,
  file_not_as_written: ({ file }) => `${file} wurde seit dem Schreiben geändert:`,
  report_of_inventory: ({ rows, file }) =>
    `Bestandsbericht über ${anzahl(rows, 'Stück', 'Stücke')} → ${file}`,
  report_of_listings: ({ rows, file }) =>
    `Angebotsbericht über ${anzahl(rows, 'Angebot', 'Angebote')} → ${file}`,
  report_of_sales: ({ rows, file }) =>
    `Verkaufsbericht aus ${anzahl(rows, 'Verkaufsmeldung', 'Verkaufsmeldungen')} → ${file}`,
  report_of_month: ({ rows, file }) => `Monatsbericht über ${anzahl(rows, 'Stück', 'Stücke')} → ${file}`,
  compared_with_reading: ({ at }) => `verglichen mit dem Stand vom ${at}`,
  list_moved_see_report: () =>
    'die Liste hat sich beim Lesen geändert: siehe „About this report“ in der Datei',
  no_program_for_file: ({ file }) =>
    `Es wurde kein Programm zum Öffnen gefunden. Der Bericht steht in ${file}`,
  file_bytes_differ: ({ found, written }) => `Die Datei hat ${found} Bytes; geschrieben wurden ${written}.`,
  file_hash_differs: ({ found, written }) =>
    `Die Datei wurde geändert: Ihr SHA-256-Wert ist ${found}, er war ${written}.`,
  file_no_table: () => 'Die Datei lässt sich nicht als Tabelle lesen.',
  file_rows_differ: ({ found, expected }) =>
    `Die Datei hat ${zeilen(found)}, nach dem Manifest ${zahl(expected)}.`,
  amounts_no_numbers: ({ amounts }) =>
    `Die Datei wurde geändert: ${anzahl(amounts, 'Betrag ist keine Zahl', 'Beträge sind keine Zahlen')}.`,
  rows_not_selected: ({ rows, where }) =>
    `${anzahl(rows, 'Zeile gehört', 'Zeilen gehören')} nicht zur Auswahl des Exports: ${where}.`,
  status_rows_differ: ({ status, found, expected }) =>
    `Zeilen mit dem Status ${status}: ${zahl(found)} in der Datei, nach dem Manifest ${zahl(expected)}.`,
  currency_values_differ: ({ currency, found = 'keine', expected = 'keine' }) =>
    `Werte in ${currency}: ${found} in der Datei, nach dem Manifest ${expected}.`,
  live_compared: ({ address, at, same }) =>
    `verglichen mit ${address}, Stand ${at}: ${anzahl(same, 'Zeile ist', 'Zeilen sind')} unverändert`,
  live_changed: ({ rows, ids }) => `seitdem geändert: ${withIds(rows, ids)}`,
  live_new: ({ rows, ids }) => `seitdem neu: ${withIds(rows, ids)}`,
  live_gone: ({ rows, ids }) => `gelöscht oder nicht mehr in der Auswahl: ${withIds(rows, ids)}`,
  live_other_team: () =>
    'die Sammlungen sind andere als zur Zeit des Exports: Der Schlüssel gehört zu einem anderen Team, oder es sind Sammlungen dazugekommen',
  live_moved: () => 'die Liste hat sich beim Lesen geändert',
  label_defect: () => 'Fehler in shelflift selbst',
  defect_lost_nothing: ({ option }) =>
    `Das ist ein Programmfehler von shelflift. Gespeicherte Daten gehen nicht verloren. ${option} zeigt, wo er liegt.`,
  request_id_is: ({ id }) => `Anfrage-ID: ${id}`,
  row_of_sheet: ({ row, sheet }) => `Zeile ${row}${sheet === undefined ? '' : ` von ${sheet}`}`,
  canary_row: ({ row, name, item, result }) => `Zeile ${row}: ${name} (${item ?? 'kein Stück'}): ${result}`,
  was_created: () => 'angelegt',
  label_undecided: () => 'zu entscheiden:',
  file_changed_since_export: ({ file }) => `${file} wurde seit dem Export geändert.`,
  file_has_changes_only: ({ file }) =>
    `${file} enthält nur Änderungen: Stücke, die nicht darin stehen, zählen als entfernt oder neu.`,
  list_moved_for_file: ({ file }) =>
    `Die Liste hat sich geändert, während ${file} entstand. Näheres steht im Manifest.`,
  columns_of_one_file: ({ columns, named, more }) =>
    `Nicht verglichen: ${anzahl(columns, 'Spalte, die', 'Spalten, die')} nur eine der Dateien hat (${named.join(', ')}${more ? ', …' : ''}).`,
  files_of_two_teams: () =>
    'Die Dateien stammen von verschiedenen Teams, oder dazwischen kamen Sammlungen dazu.',
  files_of_two_filters: () =>
    'Die Dateien wurden mit verschiedenen Filtern exportiert: Stücke, die nur eine davon auswählt, zählen als neu oder entfernt.',
  file_lacks_rows: ({ file, rows, exported }) =>
    `${file} hat ${zahl(rows)} von ${anzahl(exported, 'exportierten Zeile', 'exportierten Zeilen')}: Die Stücke der übrigen zählen als entfernt oder neu.`,
  rows_without_key: ({ rows, file, key }) =>
    `${zeilen(rows)} von ${file} ${rows === 1 ? 'hat' : 'haben'} kein ${key} und ${rows === 1 ? 'wird' : 'werden'} nicht verglichen.`,
  file_with_items: ({ file, items }) => `${file} (${anzahl(items, 'Stück', 'Stücke')})`,
  files_compared: ({ before, after, key }, say) => `${say(before)} → ${say(after)}, nach ${key}`,
  items_compared_counts: ({ added, gone, changed, unchanged }) =>
    `neu ${zahl(added)}, entfernt ${zahl(gone)}, geändert ${zahl(changed)}, unverändert ${zahl(unchanged)}`,
  field_in_items: ({ field, items }) => `${field} ${zahl(items)}`,
  fields_that_changed: ({ fields, more }, say) =>
    `Felder: ${fields.map(say).join(', ')}${more === undefined ? '' : ` und ${zahl(more)} weitere`}`,
  diff_changed: () => 'GEÄNDERT',
  diff_added: () => 'NEU',
  diff_gone: () => 'ENTFERNT',
  head_key: () => 'SCHLÜSSEL',
  written_to: ({ file }) => `geschrieben: ${file}`,
  items_being_read: ({ items }) => `Lesen: ${anzahl(items, 'Stück', 'Stücke')}`,
  items_look_the_same: ({ groups, items, all }) =>
    `${zahl(items)} von ${anzahl(all, 'Stück', 'Stücken')} sehen aus wie andere, in ${anzahl(groups, 'Gruppe', 'Gruppen')}`,
  more_groups: ({ groups }) => `… und ${anzahl(groups, 'weitere Gruppe', 'weitere Gruppen')}`,
  fill_duplicates_in: ({ file, command }) =>
    `geschrieben: ${file}. Fülle die Spalte action aus (keep, archive), danach: ${command}`,
  store_copied: ({ jobs, rows, from, to }) =>
    `${anzahl(jobs, 'Job', 'Jobs')} mit ${anzahl(rows, 'Zeile', 'Zeilen')} kopiert: ${from} → ${to}`,
  store_read_back: ({ sha256 }) => `zurückgelesen und verglichen: sha256 ${sha256}`,
  with_waiting_files: ({ files }) =>
    `mit ${anzahl(files, 'Datei, die', 'Dateien, die')} auf einen Import oder eine Zustellung ${files === 1 ? 'wartet' : 'warten'}`,
  go_on_with_one_store: () =>
    'Mach nur mit einem von beiden weiter: Ein Job, der in beiden fortgesetzt wird, sendet seine Zeilen zweimal.',
  store_backed_up: ({ file, jobs, rows, store }) =>
    `${file}: ${anzahl(jobs, 'Job', 'Jobs')} mit ${zeilen(rows)} aus ${store}, geprüft`,
  waiting_files_beside: ({ files, folder }) =>
    `mit ${anzahl(files, 'Datei, die', 'Dateien, die')} auf einen Import oder eine Zustellung ${files === 1 ? 'wartet' : 'warten'}, in ${folder}: Lass den Ordner neben der Datei`,
  store_is_whole: ({ store, jobs, rows }) =>
    `${store}: unversehrt; ${anzahl(jobs, 'Job', 'Jobs')} mit ${zeilen(rows)}`,
  store_not_whole: ({ store }) => `${store} ist beschädigt:`,
  store_pruned: ({ store, jobs, dryRuns, readings, megabytes }) =>
    `${store}: ${anzahl(jobs, 'Job', 'Jobs')}, ${anzahl(dryRuns, 'Probelauf', 'Probeläufe')} und ${anzahl(readings, 'Stand', 'Stände')} des Bestands bereinigt (${mb(megabytes)} an Zellen und gesendeten Daten)`,
  space_given_back: ({ megabytes }) => `${mb(megabytes)} an die Festplatte zurückgegeben`,
  store_in_use_elsewhere: () =>
    'nichts an die Festplatte zurückgegeben, weil ein anderer Prozess den Speicher geöffnet hat',
  last_is_job: ({ job, file }) => `last: Job ${job} von ${file}`,
};

/** `2 (ID, ID)`, `21 (ID, … …)`. */
function withIds(rows: number, ids: readonly string[]): string {
  return `${zahl(rows)}${ids.length === 0 ? '' : ` (${ids.join(', ')}${rows > ids.length ? ' …' : ''})`}`;
}

function mb(megabytes: number): string {
  return `${megabytes.toFixed(1).replace('.', ',')} MB`;
}
