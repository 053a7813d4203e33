import type { SETTINGS } from '../params/settings.ts';
import type { TextsOf } from '../texts.ts';

export const DE_SETTINGS: TextsOf<typeof SETTINGS> = {
  bad_duration: ({ name, text }) =>
    `${name} ist „${text}“; erwartet wird eine Zahl mit Einheit wie 500ms, 10s, 5m oder 24h.`,
  key_file_open_to_others: ({ file }) => `Andere Benutzer können die Schlüsseldatei ${file} lesen.`,
  make_key_file_private: ({ file }) =>
    `Mach sie privat: chmod 600 ${file}. Wenn andere diesen Rechner benutzen, erzeuge auch einen neuen Schlüssel.`,
  key_file_unreadable: ({ file }) => `Die Schlüsseldatei ${file} lässt sich nicht lesen.`,
  check_key_file: () => 'Prüfe den Pfad.',
  to_save_key: () => 'Schlüssel in einer Datei speichern',
  port_in_use: ({ port }) => `Port ${port} ist belegt.`,
  choose_port: () => 'Wähle einen anderen Port, oder 0 für einen freien.',
  cannot_listen: ({ host, port }) => `Auf ${host}:${port} lässt sich nicht lauschen.`,
  log_file_unwritable: ({ file }) => `Die Logdatei ${file} lässt sich nicht schreiben.`,
  check_log_file: () => 'Prüfe den Ordner und seine Rechte, oder nenne eine andere Logdatei.',
  key_variable_unset: ({ profile, variable }) =>
    `Das Profil ${profile} liest seinen Schlüssel aus ${variable}; die Variable ist nicht gesetzt.`,
  set_variable: ({ variable }) => `Setze ${variable}.`,
};
