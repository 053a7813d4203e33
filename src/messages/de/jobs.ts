import type { JOBS } from '../params/jobs.ts';
import type { MessageParams } from '../params.ts';
import type { Say, TextsOf } from '../texts.ts';
import { anzahl, list, quoted, unsent, zahl, zeilen, zeitpunkt } from './format.ts';

export const DE_JOBS: TextsOf<typeof JOBS> = {
  already_imported: () => 'Diese Datei ist schon übernommen: Es würde nichts gesendet.',
  left_out_of_public: ({ columns }) =>
    `Ausgelassen, weil alle die Sammlung sehen können: ${columns.join(', ')}`,
  kept_columns: ({ columns }) => `Als eigene Felder behalten: ${columns.join(', ')}`,
  held_for_quantity: ({ rows }) =>
    `${zeilen(rows)} ${rows === 1 ? 'wartet' : 'warten'} auf deine Entscheidung, weil es mehr Stücke gibt, als die Anzahl sagt.`,
  no_item_matches: () => 'Kein Stück passt: Es gibt nichts zu ändern.',
  template_used: ({ template }) => `Die Spalten passen zur Vorlage ${template}; die Vorlage wird benutzt.`,
  template_matches: ({ template }) => `Die Spalten passen zur Vorlage ${template}.`,
  answers_remembered: ({ day, columns }) =>
    `Spalten wie am ${day} für diese Spaltennamen bestätigt: ${columns.join('; ')}.`,
  together_the_name: ({ headers, text }) =>
    `${headers.map(quoted).join(' und ')} sind zusammen der Name, etwa ${quoted(text)}.`,
  words_do_not_fit: ({ header, field, cells, of, texts }) =>
    `${quoted(header)} gilt nicht als ${field}, denn von ${anzahl(of, 'Zelle', 'Zellen')} (${texts.map(quoted).join(', ')}) ${cells === 1 ? 'enthält' : 'enthalten'} nur ${zahl(cells)} ein Wort, das zum Feld passt.`,
  choose_collections: ({ header, texts, collection }) =>
    `${quoted(header)} nennt keine Sammlung deines Teams (${texts.map(quoted).join(', ')}). Für jeden Namen eine Sammlung wählen? Sonst kommen alle Zeilen nach ${collection}, und die Namen bleiben in einem eigenen Feld.`,
  collections_not_known: ({ header, texts, collection }) =>
    `${quoted(header)} nennt keine Sammlung deines Teams (${texts.map(quoted).join(', ')}): Die Zeilen kommen in ${collection}, und die Spalte bleibt als eigenes Feld.`,
  column_taken: ({ header, field, reason }, say) =>
    `${quoted(header)} → ${field} ist wahrscheinlich und wird benutzt (${say(reason)}).`,
  column_guessed: ({ header, field, reason }, say) =>
    `${quoted(header)} → ${field} ist nur vermutet und wird nicht benutzt (${say(reason)}).`,
  updates_own_export: () =>
    'Diese Datei ist ein Export dieses Kontos: Ihre Zeilen ändern die Stücke, deren ID sie nennen, und leere Zellen ändern nichts.',
  foreign_export: () =>
    'Diese Datei ist ein Export, und keines der Stücke, die sie nennt, gibt es in diesem Konto. Es wurde nichts gesendet.',
  names_items_here: ({ header, item }) =>
    `Die Spalte ${quoted(header)} enthält IDs von Stücken dieses Kontos (etwa ${item}): Als neue Stücke wären sie doppelt da. Es wurde nichts gesendet.`,
  plan_for_people: () =>
    'Diese Datei ist ein Plan oder ein Vergleich, den shelflift zum Lesen geschrieben hat: Ihre Zellen lassen sich nicht als Werte übernehmen. Um einen Plan zu senden, wende seinen Job an. Es wurde nichts gesendet.',
  formatted_export: () =>
    'Die Werte dieses Exports sind zum Lesen formatiert: Beträge sind gerundet, und eine Zahl wie 1.250 kann 1250 sein. Mach den Export noch einmal ohne Locale, bearbeite diese Datei und importiere sie. Es wurde nichts gesendet.',
  could_fill_down: ({ header, rows, blank }) =>
    `${header} ist in ${zahl(blank)} von ${zeilen(rows)} leer, jedes Mal unter einer gefüllten Zelle.`,

  is_a_dry_run: ({ job }) => `Job ${job} ist ein Probelauf: Er wurde nie gestartet.`,
  not_a_plan: ({ job, file, state }, say) =>
    `Der neueste Job, ${job} von ${file}, ist kein Plan. Sein Stand: ${say(state)}.`,
  job_is_unchanged: ({ job, why }, say) => `${say(why)} Job ${job} ist unverändert.`,
  job_runs_elsewhere: ({ job, host, pid, since }) =>
    `Job ${job} läuft schon auf ${host}, Prozess ${pid}, seit dem ${zeitpunkt(since)}.`,
  interrupted: () => 'Vor dem Ende angehalten.',
  out_dir_unwritable: ({ folder, why }, say) =>
    `Die Ergebnisse können nicht nach ${folder} geschrieben werden: ${say(why)}. Es wurde nichts gesendet.`,
  other_address: ({ job, address, target }) =>
    `Job ${job} gehört zu ${address}, aber dieser Lauf würde an ${target} senden.`,
  other_team: () =>
    'Keine Sammlung des Jobs gehört zum Team dieses Schlüssels: Der Schlüssel gehört einem anderen Team, oder die Sammlungen wurden gelöscht.',
  item_of_other_team: ({ item }) => `Das Stück ${item} des Jobs gehört nicht zum Team dieses Schlüssels.`,
  collection_removed: ({ name, id, job }) =>
    `Die Sammlung ${name} (${id}) von Job ${job} wurde gelöscht: Dorthin kann keine Zeile gesendet werden.`,
  too_young_to_prune: ({ days, hours }) =>
    `Die vorherigen Werte werden nach einer Änderung mindestens ${anzahl(days, 'Tag', 'Tage')} aufbewahrt (${hours}h).`,
  rate_with_comma: ({ pair, better }) => `Kurs ${pair}: Schreib den Kurs mit einem Dezimalpunkt: ${better}.`,
  not_a_rate: ({ pair }) => `Kurs ${pair}: Erwartet werden eine Währung und ein Kurs, etwa USD=0.92.`,
  rates_idle: ({ codes }) =>
    `${codes.length === 1 ? 'Der Kurs' : 'Die Kurse'} für ${list(codes)} ${codes.length === 1 ? 'rechnet' : 'rechnen'} nichts um: Keine Spalte ist dem Feld estimated_value zugeordnet.`,
  job_without_columns: ({ job, isSet }) =>
    `Die Zeilen von Job ${job} können nicht korrigiert werden: ${isSet ? 'Er hat keine Datei mit Zeilen' : 'Er nimmt einen anderen Job zurück'}.`,
  job_pruned: ({ job }) =>
    `Die Zeilen von Job ${job} können nicht korrigiert werden: Seine Werte wurden gelöscht.`,
  results_kept_aside: ({ name, aside }) =>
    `Es gab schon eine Datei ${name}, die nicht von diesem Job ist oder seitdem geändert wurde. Sie heißt jetzt ${aside}.`,
  rejects_removed: ({ path }) => `${path} war veraltet und wurde gelöscht.`,
  list_of_other_undo: ({ wanted, path }) =>
    `In ${wanted} stehen die Stücke, die ein anderer Job rückgängig gemacht hat. Die Stücke dieses Jobs stehen in ${path}.`,
  file_was_changed: ({ wanted, path }) =>
    `${wanted} wurde geändert oder mit einem anderen Speicher geschrieben und bleibt, wie sie ist. Die neue Datei ist ${path}.`,
  plan_is_source: ({ file }) =>
    `Der Plan kann nicht nach ${file} geschrieben werden: Das ist die Datei, die übernommen wird.`,
  nothing_to_undo: ({ job }) => `Job ${job} hat nichts gesendet: Es gibt nichts zurückzunehmen.`,
  files_pruned: ({ job }) =>
    `Die Dateien von Job ${job} können nicht noch einmal geschrieben werden, weil die Werte seiner Zeilen gelöscht wurden. Früher geschriebene Dateien sind unverändert.`,
  before_images_pruned: ({ job, at }) => `Die Werte aus der Zeit vor Job ${job} wurden am ${at} gelöscht.`,
  rows_not_written: ({ job, rows }) =>
    `Job ${job} hat für Zeile ${rows} nichts geschrieben: Es gibt nichts zurückzunehmen. Es wurde nichts geändert.`,
  dupes_format: ({ file }) => `${file}: Erwartet wird ein Name, der auf .csv oder .xlsx endet.`,
  marked_format: ({ file }) => `${file}: Erwartet wird ein Name, der auf .xlsx oder .html endet.`,
  not_a_resolution: ({ found }) =>
    `„${found}“ ist keine Entscheidung; erwartet wird theirs, mine, created:ITEM_ID, retry oder skip.`,
  one_row_an_item: () => 'Ein Stück gehört zu einer Zeile: Gib mit created:ITEM_ID nur eine Zeile an.',
  row_changes_item: ({ rows }) =>
    `${oneOf(rows)} ändert ein vorhandenes Stück: Möglich sind theirs, mine und skip.`,
  row_waits_for_plan: ({ rows }) =>
    `${oneOf(rows)} wartet, bis der Job neu geplant ist: Möglich sind retry und skip.`,
  row_was_moved: ({ rows, job }) =>
    `${oneOf(rows)} von Job ${job} hat inzwischen ein anderer Prozess bearbeitet; es wurde nichts geändert.`,
  item_was_taken: ({ item }) =>
    `Eine andere Zeile hat im selben Moment das Stück ${item} bekommen; was aus beiden Zeilen wurde, ist nun unklar.`,
  item_has_a_row: ({ item }) =>
    `Das Stück ${item} gehört schon zu einer anderen Zeile; es wurde nichts geändert.`,
  no_item_to_resolve: ({ item }) => `Es gibt kein Stück ${item}; es wurde nichts geändert.`,
  item_not_known: ({ row }) =>
    `Welches Stück Zeile ${row} meint, ist nicht bekannt: Möglich sind created:ITEM_ID, retry und skip.`,
  row_not_sendable: ({ row, why }, say) =>
    `Zeile ${row} kann so nicht gesendet werden: ${say(why).replace(/\.$/, '')}.`,
  row_written_in_sheets: ({ row, sheets }) =>
    `Mehrere Blätter haben eine gesendete Zeile ${row}: ${sheets.join(', ')}.`,
  row_in_sheets: ({ row, sheets }) =>
    `In ${anzahl(sheets.length, 'Blatt', 'Blättern')} gibt es eine Zeile ${row}, über die du entscheiden musst: ${sheets.join(', ')}.`,
  no_such_row: ({ row, job }) => `Bei Zeile ${row} von Job ${job} gibt es nichts zu entscheiden.`,
  item_has_all: () => 'das Stück der Zeile hat schon alle diese Werte',
  not_an_item_id: ({ text }) => `„${text}“ ist nicht die ID eines Stücks.`,
  item_untouched: ({ item, isGone }) =>
    `Kein Job dieses Speichers hat das Stück ${item} verändert${isGone ? ', und der Dienst kennt es nicht' : ''}.`,
  ambiguous_item: ({ text, items, all }) =>
    `Die IDs von ${anzahl(all, 'Stück', 'Stücken')} beginnen mit „${text}“: ${items.join(', ')}${all > items.length ? ' …' : '.'}`,
  rows_sent_before: (params, say) => `${sentBefore(params, say)}. ${unsent(params)}`,
  rows_sent_before_note: ({ held, ...params }, say) => `${sentBefore(params, say)}${heldText(held)}.`,
  rows_changed_since: ({ changed, held }) =>
    `${anzahl(changed, 'Zeile unterscheidet sich', 'Zeilen unterscheiden sich')} von dem, was schon gesendet wurde${heldText(held)}.`,
  rows_left_out: ({ rows, held }) =>
    held > 0
      ? `${zeilen(rows)} ${rows === 1 ? 'gleicht einer' : 'gleichen solchen'}, die jemand in einem früheren Job ausgelassen hat${heldText(held)}.`
      : `${zeilen(rows)} ${rows === 1 ? 'wird' : 'werden'} wieder ausgelassen: Jemand hat sie in einem früheren Job ausgelassen.`,
  job_has_not_sent: ({ job, rows }) => `Job ${job} hat ${zahl(rows)} davon noch nicht gesendet`,
  ask_rows_sent_before: (params, say) => `${sentBefore(params, say)}. Was soll angelegt werden?`,
  ask_skip_sent_before: (params, say) =>
    `${sentBefore(params, say)}. ${params.areItems ? 'Die Stücke' : 'Die Zeilen'} auslassen, die schon gesendet wurden?`,
  create_only_new: ({ fresh, areItems }) =>
    fresh === 0
      ? 'nichts, weil nichts neu ist (empfohlen)'
      : `nur ${areItems ? anzahl(fresh, 'neues Stück', 'neue Stücke') : anzahl(fresh, 'neue Zeile', 'neue Zeilen')} (empfohlen)`,
  create_all: ({ planned, areItems }) =>
    `alle ${areItems ? anzahl(planned, 'Stück', 'Stücke') : zeilen(planned)}`,
  create_none: () => 'abbrechen',
  hashes_lost: ({ job, file }) =>
    `Welche Zeilen Job ${job} von ${file} gesendet hat, ist nicht bekannt: Seine Werte wurden gelöscht, und die Prüfsummen seiner Zeilen fehlen.`,
  indexing_rows: ({ job }) =>
    `Die Zeilen von Job ${job} werden einmal erfasst, um sie in späteren Dateien zu erkennen.`,
  waits_for_job: ({ job }) =>
    `Job ${job} legt gerade Stücke an, deren Schlüssel auch in dieser Datei stehen. Dieser Job wartet auf ihn.`,
  row_changed: ({ field, text, row, job, file }) =>
    `${field} ${text} wurde schon mit anderen Werten gesendet (Zeile ${row} von ${file} in Job ${job})`,
  code_rewritten: ({ field, text, code, row, job, file }) =>
    `${field} ${text} war vielleicht ${code}, bevor ein Tabellenprogramm die Datei gespeichert hat (Zeile ${row} von ${file} in Job ${job})`,
  row_perhaps_undone: ({ row, job, file, undo }) =>
    `vielleicht gibt es das Stück schon (Zeile ${row} von ${file} in Job ${job}): Es ist nicht sicher, welche Zeilen Job ${undo} zurückgenommen hat`,
  row_left_out: ({ row, job, file }) => `von Hand ausgelassen (Zeile ${row} von ${file} in Job ${job})`,
  row_left_in_doubt: ({ row, job, file }) =>
    `vielleicht gibt es das Stück schon (Zeile ${row} von ${file} in Job ${job}): Die Antwort ging verloren, und jemand hat die Zeile ausgelassen`,
  row_is_back: ({ row, job, file, undo }) =>
    `das Stück gibt es schon (Zeile ${row} von ${file} in Job ${job}): Job ${undo} hatte es archiviert, und jemand hat es wieder aus dem Archiv geholt`,
  row_held_there: ({ row, job, file }) =>
    `vielleicht gibt es das Stück schon (Zeile ${row} von ${file} in Job ${job}): Entscheide zuerst über jene Zeile`,
  row_in_other_columns: ({ row, job, file }) =>
    `dieselben Werte wurden schon in anders benannten Spalten gesendet (Zeile ${row} von ${file} in Job ${job})`,
  item_has_all_values: ({ row, job, file }) =>
    `das Stück der Zeile hat schon alle diese Werte; die Zeile wurde schon gesendet (Zeile ${row} von ${file} in Job ${job})`,
  row_not_sent_yet: ({ row, job, file }) =>
    `die Zeile kam schon vor (Zeile ${row} von ${file} in Job ${job}, der sie noch nicht gesendet hat)`,
  it_was_sent_before: ({ row, job, file }) =>
    `die Zeile wurde schon gesendet (Zeile ${row} von ${file} in Job ${job})`,
  imported_by_job: ({ job }) => `Job ${job} hat diese Datei schon übernommen`,
  key_held_elsewhere: ({ row, job }) =>
    `Zeile ${row} von Job ${job}, die auf eine Entscheidung wartet, hat vielleicht dieses Stück angelegt: Entscheide zuerst über sie`,
  key_left_elsewhere: ({ row, job }) =>
    `Zeile ${row} von Job ${job} hat vielleicht dieses Stück angelegt: Die Antwort ging verloren, und jemand hat die Zeile ausgelassen. Wenn es das Stück nicht gibt, sende diese Zeile`,
  key_lost_elsewhere: ({ row, job }) =>
    `Zeile ${row} von Job ${job}, deren Antwort verloren ging, hat vielleicht dieses Stück mit einer anderen Form des Schlüssels angelegt: Setz erst jenen Job fort`,
  key_unsent_elsewhere: ({ row, job }) =>
    `Zeile ${row} von Job ${job}, die noch nicht gesendet ist, legt ein Stück mit diesem Schlüssel an`,
  results_stream_failed: ({ why }) => `Der Stream für die Ergebnisse ist ausgefallen: ${why}`,
};

function oneOf(rows: readonly string[]): string {
  return rows.length === 1 ? `Zeile ${rows[0] ?? ''}` : `Eine der Zeilen ${rows.join(', ')}`;
}

type SentBefore = MessageParams<'ask_rows_sent_before'>;

function sentBefore(
  { sent, planned, areItems, job, file, byJob, others, waiting, changed, left, fresh }: SentBefore,
  say: Say,
): string {
  const [eine, mehrere] = areItems ? (['Stück', 'Stücke'] as const) : (['Zeile', 'Zeilen'] as const);
  const every =
    planned === 1 ? `${areItems ? 'Das' : 'Die'} ${eine}` : `Alle ${anzahl(planned, eine, mehrere)}`;
  const by =
    others === 0
      ? `von Job ${job} aus ${file}`
      : `${anzahl(byJob, eine, mehrere)} von Job ${job} aus ${file}, der Rest von ${anzahl(others, 'anderen Job', 'anderen Jobs')}`;
  const some =
    sent === planned ? every : `${zahl(sent)} von ${anzahl(planned, eine, areItems ? 'Stücken' : mehrere)}`;
  return [
    `${some} ${sent === 1 ? 'wurde' : 'wurden'} schon gesendet (${by})`,
    ...waiting.map(say),
    ...(changed === 0 ? [] : [`${zahl(changed)} ${changed === 1 ? 'hat' : 'haben'} sich seitdem geändert`]),
    ...(left === 0 ? [] : [`${zahl(left)} ${left === 1 ? 'wurde' : 'wurden'} von Hand ausgelassen`]),
    fresh === 0 ? 'nichts ist neu' : `${zahl(fresh)} ${fresh === 1 ? 'ist' : 'sind'} neu`,
  ].join('; ');
}

function heldText(held: number | undefined): string {
  if (held === undefined) return '';
  return held === 0
    ? '; schon Gesendetes wird ausgelassen'
    : `; ${zeilen(held)} ${held === 1 ? 'wartet' : 'warten'} auf deine Entscheidung`;
}
