import type { STORE } from '../params/store.ts';
import type { TextsOf } from '../texts.ts';

export const DE_STORE: TextsOf<typeof STORE> = {
  stored_unreadable: ({ what }) =>
    `Der Speicher enthält Daten (${what}), die diese Version nicht lesen kann.`,
  restore_store: () => 'Stelle eine Kopie des Speichers wieder her.',
  to_check_store: () => 'Zum Prüfen',
  wait_for_program: () => 'Warte, bis das andere Programm fertig ist.',
  keep_damaged_store: () =>
    'Halte alle Aufträge an und behalte eine Kopie der Datei. Stelle dann deine neueste Sicherung wieder her, oder rette, was lesbar ist: sqlite3 STORE .recover | sqlite3 NEW-STORE',
  to_list_damage: () => 'Schäden auflisten',
  start_database: () => 'Starte den Server, oder korrigiere die Adresse oder das Netz.',
  check_database_user: () =>
    'Prüfe Benutzer und Passwort in der Adresse, in PGPASSWORD oder ~/.pgpass, und die Regeln in pg_hba.conf.',
  check_database_name: () =>
    'Prüfe den Namen nach dem letzten / der Adresse, oder lege die Datenbank an: createdb NAME',
  grant_schema: () => 'Bitte jemanden mit Verwaltungsrechten um: CREATE SCHEMA shelflift AUTHORIZATION user',
  create_utf8_database: () =>
    "Lege eine an, die alle Zeichen aufnimmt: CREATE DATABASE name ENCODING 'UTF8' TEMPLATE template0",
  free_disk: () => 'Schaffe Platz.',
  to_continue_job: () => 'Einen Auftrag fortsetzen',
};
