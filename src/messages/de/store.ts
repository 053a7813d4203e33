import type { STORE } from '../params/store.ts';
import type { TextsOf } from '../texts.ts';
import { anzahl, zahl, zeilen } from './format.ts';

export const DE_STORE: TextsOf<typeof STORE> = {
  stored_reference_missing: ({ table }) =>
    `eine Zeile von ${table} verweist auf eine Zeile, die es nicht gibt`,
  stored_job_state: ({ job, state }) => `Job ${job} hat den Zustand ${state}`,
  stored_job_unreadable: ({ job }) => `der Eintrag von Job ${job} ist nicht lesbar`,
  stored_row_state: ({ state, ...place }) => `${zeileVon(place)} hat den Zustand ${state}`,
  stored_row_action: ({ action, ...place }) => `${zeileVon(place)} hat die Aktion ${action}`,
  stored_row_without_item: (place) => `${zeileVon(place)} ist fertig, hat aber kein Stück`,
  stored_row_never_sent: ({ state, ...place }) =>
    `${zeileVon(place)} hat den Zustand ${state}, wurde aber nie gesendet`,
  stored_row_unreadable: ({ part, ...place }) => `${zeileVon(place)}: ${part} ist nicht lesbar`,
  stored_value_unreadable: ({ space, key }) => `${space} von ${key} ist nicht lesbar`,
  stored_rows_missing: ({ job, rows, last }) =>
    `Job ${job} hat ${zeilen(rows)}, und die letzte hat die Nummer ${last}`,
  stored_item_of_several: ({ item, owners }) =>
    `das Stück ${item} gehört zu ${owners} Zeilen, die neue Stücke anlegen`,
  stored_intent_out_of_order: ({ intent, address }) =>
    `die Nummer ${intent} einer Sendung an ${address} wurde zweimal vergeben oder ist größer als die letzte`,
  stored_job_sent_elsewhere: ({ job }) =>
    `Job ${job} hat Zeilen, die an eine andere Adresse oder vor seinem Beginn gesendet wurden`,
  stored_unreadable: ({ data }) =>
    `Der Speicher enthält Daten (${data}), die diese Version nicht lesen kann.`,
  restore_store: () => 'Stelle eine Kopie des Speichers wieder her.',
  to_check_store: () => 'Zum Prüfen',
  wait_for_program: () => 'Warte, bis das andere Programm fertig ist.',
  keep_damaged_store: () =>
    'Halte alle Jobs an und behalte eine Kopie der Datei. Stelle dann deine neueste Sicherung wieder her, oder rette, was lesbar ist: sqlite3 STORE .recover | sqlite3 NEW-STORE',
  to_list_damage: () => 'Schäden auflisten',
  start_database: () => 'Starte den Server, oder korrigiere die Adresse oder das Netz.',
  check_database_user: () =>
    'Prüfe Benutzer und Passwort in der Adresse, in PGPASSWORD oder ~/.pgpass, und die Regeln in pg_hba.conf.',
  check_database_name: () =>
    'Prüfe den Namen nach dem letzten / der Adresse, oder lege die Datenbank an: createdb NAME',
  grant_schema: () =>
    'Bitte jemanden mit Verwaltungsrechten, dies auszuführen: CREATE SCHEMA shelflift AUTHORIZATION user',
  create_utf8_database: () =>
    "Lege eine Datenbank an, die alle Zeichen speichern kann: CREATE DATABASE name ENCODING 'UTF8' TEMPLATE template0",
  free_disk: () => 'Schaffe Platz.',
  to_continue_job: () => 'Einen Job fortsetzen',
  store_newer: ({ store, version }) =>
    `${store} stammt von einer neueren Version von shelflift (${version}).`,
  use_newer_program: () => 'Benutze diese neuere Version.',
  store_older: ({ store, version }) =>
    `${store} stammt von einer Vorabversion von shelflift (Version ${version}) und lässt sich nicht lesen.`,
  finish_with_older: () => 'Führe seine Jobs mit jener Version zu Ende.',
  to_use_store: () => 'Einen anderen Speicher benutzen',
  check_store_folder: () => 'Prüfe den Ordner und seine Rechte.',
  restore_if_yours: () =>
    'War es dein Speicher, ist seine erste Seite beschädigt: Stelle eine Sicherung wieder her.',
  store_of_other_program: ({ store }) => `${store} ist die Datenbank eines anderen Programms.`,
  store_not_sqlite: ({ store }) => `${store} ist kein Speicher von shelflift: Es ist keine SQLite-Datenbank.`,
  store_says: ({ store, words }) => `Der Speicher ${store}: ${words}.`,
  store_locked: ({ store }) => `Den Speicher ${store} benutzt gerade ein anderes Programm.`,
  store_locked_waiting: ({ store, seconds }) =>
    `Den Speicher ${store} benutzt gerade ein anderes Programm. shelflift wartet bis zu ${seconds} s.`,
  store_away_waiting: ({ store, seconds }) =>
    `Der Speicher ${store} ist nicht erreichbar. shelflift wartet bis zu ${seconds} s.`,
  store_disk_full: ({ store }) => `Die Festplatte des Speichers ${store} ist voll.`,
  store_damaged: ({ store, words }) => `Der Speicher ${store} ist beschädigt: ${words}.`,
  store_unwritable: ({ store, words }) => `In den Speicher ${store} lässt sich nicht schreiben: ${words}.`,
  store_unreachable: ({ store, words }) => `Der Speicher ${store} ist nicht erreichbar: ${words}.`,
  store_failed: ({ store, words }) => `Der Speicher ${store} hat einen Fehler gemeldet: ${words}.`,
  no_such_store: ({ store }) => `Unter ${store} gibt es keinen Speicher.`,
  check_store_name: () => 'Prüfe den Namen des Speichers.',
  store_address_unreadable: () => 'Die Adresse des PostgreSQL-Speichers ist nicht zu lesen.',
  escape_in_address: () => 'Schreib in Benutzer, Passwort und Parametern @ : / # ? als %40 %3A %2F %23 %3F.',
  form_of_store_address: () => 'Die Form ist postgres://user:password@host:5432/database.',
  bad_schema: ({ store, schema }) =>
    `${store}: Das Schema ist „${schema}“; erwartet werden Kleinbuchstaben, Ziffern und _, etwa shelflift.`,
  name_schema_or_none: () => 'Nenne ein anderes Schema, oder lass es weg.',
  bad_reconnect: ({ store }) => `${store}: reconnect ist keine Anzahl von Sekunden.`,
  write_reconnect: () => 'Schreib ?reconnect=30, oder lass es weg.',
  store_encoding: ({ store, encoding }) =>
    `Die Datenbank von ${store} benutzt ${encoding}; erwartet wird UTF8.`,
  schema_not_ours: ({ store, schema }) =>
    `Das Schema ${schema} von ${store} enthält Tabellen eines anderen Programms.`,
  name_other_schema: () => 'Nenne ein anderes Schema: ?schema=shelflift',
  schema_not_creatable: ({ store, schema, role }) =>
    `${store}: ${role} darf das Schema ${schema} oder Tabellen darin nicht anlegen.`,
  have_schema_created: ({ schema, role }) =>
    `Bitte den Besitzer der Datenbank, dies auszuführen: CREATE SCHEMA ${schema} AUTHORIZATION ${role}`,
  fsync_off: () =>
    'sein Server wartet nicht auf die Festplatte (fsync ist aus): Nach einem Absturz können im Speicher Zeilen fehlen, die gesendet wurden',
  turn_fsync_on: () => 'Bitte jemanden mit Verwaltungsrechten, dies auszuführen: ALTER SYSTEM SET fsync = on',
  ambiguous_job: ({ reference, ids }) =>
    `Die IDs von ${ids.length} Jobs beginnen mit „${reference}“: ${ids.join(', ')}.`,
  no_such_job: ({ job }) => `Den Job „${job}“ gibt es in diesem Speicher nicht.`,
  to_list_jobs: () => 'Jobs auflisten',
  stopped_while_reading: ({ file }) =>
    `Der letzte Befehl (${file}) wurde angehalten, bevor alle seine Zeilen bekannt waren. Nichts wurde gesendet, und es gibt keinen Job.`,
  import_again_or_older: () =>
    'Führe diesen Befehl noch einmal aus, oder nenne einen älteren Job mit seiner ID.',
  no_job_yet: () => 'In diesem Speicher gibt es noch keinen Job. Probeläufe zählen nicht.',
  to_name_dry_run: () => 'Einen Probelauf mit seiner ID nennen',
  import_again_if_stopped: () =>
    'Einen Job gibt es, sobald seine ganze Datei gelesen ist. Wurde ein Import vorher angehalten, importiere die Datei noch einmal.',
  file_read_elsewhere: ({ job }) =>
    `Ein anderer Prozess liest die Datei des Jobs ${job} noch einmal. Dieser Prozess beendet sich.`,
  file_exists: ({ file }) => `${file} gibt es schon.`,
  name_other_backup: () => 'Nenne eine andere Datei. Eine vorhandene Sicherung wird nie überschrieben.',
  backup_incomplete: ({ store, problem }, say) =>
    `Die Sicherung ${store} ist nicht vollständig: ${say(problem)}.`,
  table_copied_wrong: ({ store, table, found, expected }) =>
    `${store} hat die Tabelle ${table} nicht so gespeichert, wie sie geschrieben wurde (${zahl(found)} von ${zeilen(expected)}). Nichts wurde kopiert.`,
  store_not_empty: ({ store, table }) => `Der Speicher ${store} ist nicht leer (${table}).`,
  copy_into_new: () => 'Kopiere in einen neuen Speicher: eine andere Datei, oder ein anderes ?schema=.',
  store_in_use: ({ store, why }, say) => `Der Speicher ${store} wird benutzt: ${say(why)}.`,
  changed_while_copied: () => 'er hat sich während des Kopierens geändert',
  job_runs_there: ({ job, host, pid }) => `Job ${job} läuft auf ${host}, pid ${pid}`,
  copy_when_ended: () =>
    'Nichts wurde kopiert. Warte, bis der Job zu Ende ist, oder halte ihn an. Kopiere dann noch einmal.',
  store_usable: ({ store, server, version, jobs }) =>
    `${store}${server === undefined ? '' : ` (${server})`}: ist beschreibbar, Version ${version}, ${jobs === undefined ? 'neu angelegt' : anzahl(jobs, 'Job', 'Jobs')}`,
  page_users_untold: () =>
    'Die Seite prüft den Link und das Cookie, aber nicht den Benutzer: Dieses System sagt nicht, wem eine Verbindung gehört.',
  space_free: ({ gigabytes, folder }) => `${zahl(Math.round(gigabytes * 10) / 10)} GB frei in ${folder}`,
  make_room: () => 'Schaffe Platz: Ein Job hält an, wenn sein Speicher nicht beschreibbar ist.',
  lease_lost: () => 'Ein anderer Prozess hat diesen Schlüssel übernommen. Dieser Prozess beendet sich.',
  job_cancelled_elsewhere: ({ job }) =>
    `Der Job ${job} wurde abgebrochen. Seine übrigen Zeilen werden nicht gesendet.`,
  already_claimed: ({ job }) => `Der Job ${job} sendet diesen Import schon.`,
};

function zeileVon({ row, job }: { row: number; job: number }): string {
  return `Zeile ${row} von Job Nummer ${job}`;
}
