import type { Message } from '../params.ts';
import type { STAGING } from '../params/staging.ts';
import type { Say, TextsOf } from '../texts.ts';
import { anzahl, list, quoted, zahl, zeilen } from './format.ts';

export const DE_STAGING: TextsOf<typeof STAGING> = {
  no_table: ({ file }) => `${file} enthält keine Tabelle.`,
  unsure_encoding: ({ doubts }, say) => `${doubts.map(say).join(' ')} Es wurde nichts gesendet.`,
  read_like_this: ({ doubts }, say) => `${doubts.map(say).join(' ')}\nSo lesen?`,
  column_use: ({ header, column, field, reason, samples = [] }, say) =>
    `${header === '' ? `Spalte ${column}` : quoted(header)} → ${field} (${say(reason)})${samples.length === 0 ? '' : `: ${samples.map(quoted).join(', ')}`}`,
  columns_unsure: (params, say) => unsure(params, say),
  unsure_mapping: (params, say) => `${unsure(params, say)}\n  Es wurde nichts gesendet.`,
  name_column_unsure: (params, say) =>
    `${unsure(params, say)}\n  Es wurde nichts gesendet: Bestätige die Spalte mit dem Namen selbst; eine pauschale Zustimmung genügt dafür nicht.`,
  use_columns_so: (params, say) => `${unsure(params, say)}\nSo verwenden?`,
  columns_all_right: () =>
    'Alles richtig? Eingabetaste oder y: ja; n: nein, nichts senden; eine Nummer: diese Spalte ändern.',
  use_them_so: () => 'So verwenden.',
  send_nothing: () => 'Nichts senden.',
  do_not_use_as: ({ field }) => `Nicht als ${field} verwenden.`,
  use_instead: ({ header, column, field }) =>
    `Stattdessen Spalte ${column}${header === '' ? '' : ` ${quoted(header)}`} als ${field} verwenden.`,
  mapping_remembered: () => 'shelflift merkt sich diese Zuordnung für Dateien mit denselben Spaltennamen.',
  recipe_column_replaced: ({ field, sources, header, reason }, say) =>
    `Das Rezept liest ${field} aus ${sources.join(', ')}, doch die Datei hat keine solche Spalte. ${quoted(header)} wird wie ohne Rezept gelesen (${say(reason)}).`,
  recipe_column_missing: ({ field, sources, file, columns }, say) =>
    `Das Rezept liest ${field} aus ${sources.join(', ')}, doch ${file} hat keine solche Spalte. Die Spalten sind ${say(columns)}.`,
  use_for_recipe: ({ field, header, reason }, say) =>
    `Die Spalte des Rezepts für ${field} fehlt. Stattdessen ${quoted(header)} verwenden (${say(reason)})?`,
  bad_recipe: ({ name }) =>
    `${quoted(name)} ist als Name eines Rezepts nicht erlaubt. Erlaubt sind höchstens 60 Buchstaben, Ziffern, Leerzeichen, Punkte und Bindestriche.`,
  recipe_and_template: () => 'Ein Rezept und eine Vorlage legen beide fest, wie die Datei gelesen wird.',
  no_such_recipe: ({ name, near, recipes }) =>
    `In diesem Speicher gibt es kein Rezept ${quoted(name)}.${near === undefined ? '' : ` Meintest du ${near}?`}${recipes.length === 0 ? '' : ` Vorhandene Rezepte: ${recipes.join(', ')}.`}`,
  nothing_remembered: ({ name }) => `Unter ${quoted(name)} ist nichts gespeichert.`,
  rejects_column_missing: ({ job, file, field, header, letter }) =>
    `Job ${job} liest ${field} aus Spalte ${letter}${header === '' ? '' : ` ${quoted(header)}`}, doch ${file} hat keine solche Spalte.`,
  rejects_column_added: ({ job, file, columns }) =>
    `${file} hat ${columns.length === 1 ? 'eine Spalte, die' : 'Spalten, die'} Job ${job} nicht hat: ${columns.map(quoted).join(', ')}.`,
  read_differently: ({ file, jobs }) =>
    `Die Zeilen von ${file} wurden ${jobs.length === 1 ? 'von Job' : 'von den Jobs'} ${list(jobs)} unterschiedlich gelesen, mit Einstellungen oder Korrekturen, die verloren gingen.`,
  to_say_how_it_is_read: () =>
    'Importiere die Datei jedes Jobs für sich, oder wiederhole die Einstellungen, mit denen sie gelesen wurden.',
  to_correct_in_job: () => 'Um die Zeilen im Job zu korrigieren',
  to_delete_columns: ({ columns }) =>
    `Lösche ${columns === 1 ? 'sie' : 'diese Spalten'} aus der Datei, wenn du sie nicht brauchst.`,
  to_put_column_back: () =>
    'Füge die Spalte wieder ein. Leere ihre Zellen, wenn kein Wert gesendet werden soll.',
  rest_not_sent: ({ job, rows }) =>
    `${zeilen(rows)} von Job ${job} ${rows === 1 ? 'ist' : 'sind'} noch nicht gesendet und ${rows === 1 ? 'wird' : 'werden'} mit dieser Datei nicht gesendet. Führe auch diesen Job fort.`,
  reading_not_known: ({ jobs }) =>
    `Dieser Speicher weiß nicht, wie ${jobs.length === 1 ? 'Job' : 'die Jobs'} ${list(jobs)} die Zeilen gelesen ${jobs.length === 1 ? 'hat' : 'haben'}. Sie werden wie die einer neuen Datei gelesen. Wiederhole Einstellungen oder Korrekturen, die nötig waren.`,
  read_as_job: ({ job }) => `Die Datei wird mit den Einstellungen und Korrekturen von Job ${job} gelesen.`,
  missing_needs_upsert: () =>
    'Fehlende Stücke lassen sich nur im Modus upsert archivieren: Die Datei muss die ganze Sammlung enthalten.',
  missing_needs_collection: () =>
    'Fehlende Stücke lassen sich nur in einer Sammlung archivieren, aber es ist keine Sammlung angegeben.',
  bad_stamp: ({ stamp }) => `Der Stempel ist ${quoted(stamp)}; erwartet wird custom_fields.NAME.`,
  skipped_without_data: ({ blank, headers, totals, named }, say) =>
    `Zeilen ohne Daten übersprungen: ${[
      blank === 0 ? '' : `${zahl(blank)} leer`,
      headers === 0 ? '' : anzahl(headers, 'wiederholte Kopfzeile', 'wiederholte Kopfzeilen'),
      totals === 0
        ? ''
        : `${anzahl(totals, 'Summe oder Überschrift', 'Summen oder Überschriften')} (${named.map(say).join(', ')}${totals > named.length ? ' …' : ''})`,
    ]
      .filter((part) => part !== '')
      .join(', ')}.`,
  labelled_row: ({ label, row }) => `${quoted(label)} (Zeile ${row})`,
  rows_make_items: ({ rows, items }) =>
    `${zeilen(rows)} ${rows === 1 ? 'ergibt' : 'ergeben'} ${anzahl(items, 'Stück', 'Stücke')} (Spalte mit der Anzahl).`,
  rows_already_sent: ({ rows }) =>
    `${zeilen(rows)} übersprungen: Laut _state ${rows === 1 ? 'wurde sie gesendet oder gehört' : 'wurden sie gesendet oder gehören'} zu einem Job.`,
  sent_rows_edited: ({ count: all, rows }) =>
    `${zeilen(all)} (${rows.join(', ')}${all > rows.length ? ', …' : ''}) ${all === 1 ? 'wurde geändert, nachdem ein Job sie gesendet hatte: Ihr Stück behält' : 'wurden geändert, nachdem ein Job sie gesendet hatte: Ihre Stücke behalten'} die gesendeten Werte, bis du entscheidest.`,
  sent_rows_unknown: ({ rows, jobs }) =>
    `${anzahl(rows, 'übersprungene Zeile konnte', 'übersprungene Zeilen konnten')} nicht mit dem Gesendeten verglichen werden, weil ${jobs.length === 0 ? 'die Datei keinen Job nennt' : `dieser Speicher ${jobs.length === 1 ? 'den Job' : 'die Jobs'} ${jobs.join(', ')} für diese API nicht hat`}. Änderungen solcher Zeilen werden nicht gesendet; damit eine Zeile als neue gesendet wird, leere ihr _state.`,
  row_edited: ({ row, job }) => `die Zeile wurde mit anderen Werten gesendet (Zeile ${row} von Job ${job})`,
  to_decide_on_edited: () => 'Um diese Zeilen und die möglichen Entscheidungen zu sehen',
  template_skips: ({ rows, of, reasons, isMore }, say) =>
    `Die Vorlage überspringt ${zahl(rows)} von ${zeilen(of)}: ${reasons.map(say).join(', ')}${isMore ? ' …' : '.'}`,
  template_skips_all: ({ rows, reasons, isMore }, say) =>
    `Die Vorlage überspringt ${rows === 1 ? 'die einzige Zeile' : `alle ${zahl(rows)} Zeilen`} der Datei: ${reasons.map(say).join(', ')}${isMore ? ' …' : '.'} Es wird nichts gesendet.`,
  reason_of_rows: ({ reason, rows }, say) => `${say(reason)} (${zahl(rows)})`,
  equal_rows: ({ rows, pairs }) =>
    `${zeilen(rows)} der Datei ${rows === 1 ? 'gleicht einer früheren' : 'gleichen früheren'} (${pairs.join(', ')}${rows > pairs.length ? ', …' : ''}): Aus jeder wird ein eigenes Stück.`,
  already_sent: ({ state }) => `_state ist ${quoted(state)}`,
  to_agree: () => 'Um zuzustimmen',
  to_agree_in_dry_run: () => 'Beim Import wirst du gefragt. Um schon zuzustimmen',
  to_agree_and_remember: () =>
    'Wenn das stimmt und shelflift es sich für Dateien mit denselben Spaltennamen merken soll',
  to_map_columns: () => 'Um die Spalten selbst zuzuordnen',
  to_map_in_template: () => 'Um sie in einer Vorlage zuzuordnen, die du bearbeiten kannst',
  to_check_letters: () => 'Um die Buchstaben zu prüfen',
  if_letters_are_right: () => 'Wenn die Buchstaben stimmen',
  if_letters_are_wrong: () => 'Wenn die Buchstaben nicht stimmen',
  to_name_column: ({ field }) => `Um die Spalte für ${field} anzugeben`,
  give_one: () => 'Gib nur eines davon an.',
  for_example: () => 'Zum Beispiel',
  to_make_recipe: () => 'Um ein Rezept anzulegen',
  to_see_remembered: () => 'Um zu sehen, was gespeichert ist',
  remove_equal_row: () => 'Wenn eine Zeile doppelt eingetragen ist, entferne eine der beiden aus der Datei.',
  to_find_duplicates: () => 'Wenn die Zeile schon gesendet wurde, such die Stücke',
  unknown_collection: ({ name, near, collections, more }) =>
    `Es gibt keine Sammlung ${quoted(name)}. ${near === undefined ? '' : `Meintest du ${quoted(near)}? `}${chooseOf(collections, more)}`,
  ambiguous_collection: ({ name, found, ids, more }) =>
    `${zahl(found)} Sammlungen heißen ${quoted(name)}; nenne eine mit ihrer ID: ${withMore(ids, more)}.`,
  collection_not_readable: ({ name }) =>
    `${quoted(name)} lässt sich nicht nachschlagen, weil dem Schlüssel die Berechtigung collections:read fehlt; verwende eine ID.`,
  no_collection: ({ collections, more }) =>
    `Es ist keine Sammlung angegeben, weder für alle Zeilen noch in einer Spalte.${collections === undefined ? '' : ` ${chooseOf(collections, more)}`}`,
  give_collection: () => 'Um zu sagen, wohin die Stücke gehören',
  to_name_collection_column: () => 'Um die Sammlung aus einer Spalte zu nehmen',
  use_name_or_id: () => 'Verwende einen dieser Namen oder eine ID.',
  reading_items: ({ items, requests, isList }) =>
    `${anzahl(items, 'Stück wird', 'Stücke werden')} ${isList ? 'aus der Liste' : 'einzeln'} gelesen${isList ? '' : ', was weniger kostet als die Liste'}: ${anzahl(requests, 'Anfrage', 'Anfragen')}.`,
  amounts_not_compared: (params) =>
    `${amountsIn(params)} Die Sammlung hat noch kein Stück, mit dem sich das vergleichen ließe.`,
  amounts_and_items: ({ items, ...params }) =>
    `${amountsIn(params)} Die Werte der Stücke stehen in ${items.join(' oder ')}.`,
  amounts_and_no_scope: (params) =>
    `${amountsIn(params)} Die Währung der Stücke ist unbekannt, weil dem Schlüssel die Berechtigung items:read fehlt.`,
  rate_of_items: ({ currency }) =>
    `Der Kurs für ${currency} rechnet nichts um: Die Werte der Stücke stehen schon in ${currency}.`,
  what_a_rate_is: ({ currency }) =>
    `Lass den Kurs weg. Ein Kurs sagt, wie viel eine Einheit einer anderen Währung in ${currency} wert ist.`,
  cells_rewritten: ({ cells, field, from, to }) =>
    `${anzahl(cells, 'Zelle sieht', 'Zellen sehen')} so aus, als hätte ein Tabellenprogramm ihren Text geändert, etwa ${from} zu ${to} in ${field}. Der ursprüngliche Text bleibt.`,
  items_come_back: ({ items }) =>
    `${anzahl(items, 'Stück', 'Stücke')} ${items === 1 ? 'war' : 'waren'} als fehlend archiviert und ${items === 1 ? 'steht' : 'stehen'} wieder in der Datei: ${items === 1 ? 'Es bekommt seinen' : 'Sie bekommen ihren'} Status zurück.`,
  items_partly_changed: ({ field, items }) =>
    `${anzahl(items, 'Stück', 'Stücke')}: ${field} bleibt, wie es ist, weil es leer ist oder in einer anderen Währung steht; die anderen Änderungen werden ausgeführt.`,
  undone_items_back: ({ items, job, others }) =>
    `${anzahl(items, 'Stück, das', 'Stücke, die')} beim Zurücknehmen archiviert ${items === 1 ? 'wurde, kommt' : 'wurden, kommen'} aus dem Archiv zurück (angelegt von Job ${job}${others > 0 ? ` und ${anzahl(others, 'anderen Job', 'anderen Jobs')}` : ''}). Stücke, die seitdem noch einmal importiert wurden, gibt es dann doppelt.`,
  items_stay_archived: ({ items }) =>
    `${anzahl(items, 'Stück', 'Stücke')} der Datei ${items === 1 ? 'bleibt' : 'bleiben'} archiviert: ${items === 1 ? 'Es wurde' : 'Sie wurden'} nicht als fehlend archiviert.`,
  nothing_archived: ({ why }, say) => `Fehlende Stücke können nicht archiviert werden: ${say(why)}.`,
  other_collections_named: () => 'Zeilen nennen andere Sammlungen als die angegebene',
  rows_invalid: ({ rows }) => `${zeilen(rows)} ${rows === 1 ? 'ist' : 'sind'} ungültig oder mehrdeutig`,
  rows_held: ({ rows }) => `${zeilen(rows)} ${rows === 1 ? 'wartet' : 'warten'} auf deine Entscheidung`,
  rows_skipped: ({ rows }) =>
    `${zeilen(rows)} ${rows === 1 ? 'ist' : 'sind'} ausgelassen, sodass unklar ist, welche Stücke gemeint sind`,
  rows_without_id: ({ rows }) =>
    `${zeilen(rows)} ${rows === 1 ? 'hat' : 'haben'} keine ID, sodass ${rows === 1 ? 'ihr neues Stück eine ID bekommt, die in der Datei fehlt' : 'ihre neuen Stücke IDs bekommen, die in der Datei fehlen'}`,
  too_many_not_in_file: ({ items }) =>
    `mehr als ${anzahl(items, 'Stück fehlt', 'Stücke fehlen')} in der Datei`,
  file_may_lack_items: ({ file }) =>
    `${file} ist ein Export, während dessen sich die Liste geändert hat, also können darin Stücke fehlen`,
  file_is_partial: ({ file, filters }) =>
    `${file} ist ein Export eines Teils der Stücke (${filters.join(', ')}), also fehlen darin die anderen`,
};

function unsure(
  { columns, headerRow }: { columns: readonly Message[]; headerRow?: number },
  say: Say,
): string {
  const list = columns.map((column) => `\n  ${say(column)}`).join('');
  const header =
    headerRow === undefined
      ? ''
      : `\n  Zeile ${headerRow} wird als Kopfzeile gelesen, doch keiner ihrer Namen ist bekannt: Wenn sie Daten enthält, füge darüber eine Kopfzeile ein.`;
  return `${columns.length === 1 ? 'Eine Spalte ist' : `${zahl(columns.length)} Spalten sind`} vielleicht falsch zugeordnet:${list}${header}`;
}

function chooseOf(collections: readonly string[], more: number): string {
  return collections.length === 0
    ? 'Das Team hat keine Sammlungen.'
    : `Wähle eine Sammlung: ${withMore(collections, more)}.`;
}

function withMore(entries: readonly string[], more: number): string {
  return `${entries.join(', ')}${more > 0 ? ` und ${zahl(more)} weitere` : ''}`;
}

function amountsIn({
  column,
  header,
  currencies,
}: {
  column: string;
  header: string;
  currencies: readonly string[];
}): string {
  return `Die Beträge in Spalte ${column} (${header}) stehen in ${currencies.join(', ')}.`;
}
