import type { SETTINGS } from '../params/settings.ts';
import type { TextsOf } from '../texts.ts';
import { list, quoted } from './format.ts';

export const DE_SETTINGS: TextsOf<typeof SETTINGS> = {
  key_file_open_to_others: ({ file }) => `Andere Benutzer können die Schlüsseldatei ${file} lesen.`,
  make_key_file_private: ({ file }) =>
    `Mach sie privat: chmod 600 ${file}. Wenn andere diesen Rechner benutzen, erzeuge auch einen neuen Schlüssel.`,
  key_file_unreadable: ({ file }) => `Die Schlüsseldatei ${file} lässt sich nicht lesen.`,
  to_save_key: () => 'Schlüssel in einer Datei speichern',
  port_in_use: ({ port }) => `Port ${port} ist belegt.`,
  choose_port: () => 'Wähle einen anderen Port, oder 0 für einen freien.',
  cannot_listen: ({ host, port }) => `shelflift kann auf ${host}:${port} keine Verbindungen annehmen.`,
  log_file_unwritable: ({ file }) => `Die Logdatei ${file} lässt sich nicht schreiben.`,
  check_log_file: () => 'Prüfe den Ordner und seine Rechte, oder nenne eine andere Logdatei.',
  key_variable_unset: ({ profile, variable }) =>
    `Das Profil ${profile} liest seinen Schlüssel aus ${variable}; die Variable ist nicht gesetzt.`,
  set_variable: ({ variable }) => `Setze ${variable}.`,
  two_targets: ({ given }) => `Die Optionen ${list(given)} nennen verschiedene APIs.`,
  sandbox_ignores: ({ variables }) => `sandbox: nicht benutzt: ${variables.join(', ')}`,
  no_api_url: () => 'Es ist noch kein Konto eingerichtet: Die Adresse der API fehlt.',
  set_address_variable: () => 'Setze SHELFLIFT_API_URL auf die Adresse der API (ohne /api/public/v1).',
  to_name_address: () => 'Um die Adresse zu übergeben',
  to_add_profile: () => 'Adresse und Schlüssel speichern',
  to_try_sandbox: () => 'Ohne Server ausprobieren',
  no_key: () => 'Es ist kein API-Schlüssel gesetzt.',
  set_key_variable: () =>
    'Setze SHELFLIFT_API_KEY, oder setze SHELFLIFT_API_KEY_FILE auf eine Datei, die nur du lesen kannst. Eine Option für den Schlüssel gibt es nicht.',
  no_such_profile: ({ name }) => `Ein Profil ${quoted(name)} ist nicht gespeichert.`,
  profiles_are: ({ profiles }) => `Gespeichert sind ${profiles.join(', ')}.`,
  bad_profile_name: ({ name }) =>
    `${quoted(name)} kann kein Name eines Profils sein: Nimm Buchstaben, Ziffern, - . und _.`,
  sandbox_in_use: () => 'Ein anderer Prozess von shelflift benutzt gerade das Übungskonto.',
  wait_for_sandbox: () =>
    'Immer nur ein Befehl kann das Übungskonto benutzen. Warte, bis der andere zu Ende ist.',
  to_share_sandbox: () => 'Um ein Übungskonto mit mehreren Befehlen zu benutzen',
  waiting_for_sandbox: () => 'Ein anderer Prozess von shelflift benutzt das Übungskonto; shelflift wartet …',
  state_folder_unwritable: ({ folder }) => `Der Ordner ${folder} lässt sich nicht anlegen.`,
  set_state_folder: () => 'Setze XDG_STATE_HOME auf einen Ordner, in den du schreiben darfst.',
  bad_pair: ({ name, text, form }) => `${name} ist ${quoted(text)}; erwartet wird ${form}.`,
  sandbox_file_in_use: ({ file }) => `${file} wird von einem anderen Übungskonto benutzt.`,
  wait_for_other_sandbox: () => 'Warte, bis das andere beendet ist, oder sende deine Anfragen dorthin.',
  sandbox_file_unusable: ({ file }) => `${file} lässt sich nicht als Datei des Übungskontos benutzen.`,
  name_sandbox_file: () =>
    'Nenne eine Datei, die sich schreiben lässt, oder die Datei eines früheren Übungskontos.',
  sandbox_file_newer: ({ file }) => `${file} stammt von einem neueren shelflift.`,
  yaml_problems: ({ places, what }, say) =>
    what.map((problem, at) => `${places[at] ?? ''}: ${say(problem)}`).join('\n'),
  sandbox_option: ({ option, expected, found }) =>
    `${option}: erwartet wird ${expected}, gefunden wurde ${found}.`,
  bad_rate_limit: ({ found }) =>
    `Erwartet wird eine Begrenzung wie 100/60s (Anfragen je Zeitraum, beide mindestens 1), gefunden wurde ${found}.`,
  no_root: ({ folder }) => `${folder} ist kein Ordner, der für einen Assistenten freigegeben werden kann.`,
  outside_roots: ({ file }) => `${file} liegt in keinem Ordner, der diesem Assistenten offensteht.`,
  name_root: () =>
    'Bitte darum, dass die Datei in einen der freigegebenen Ordner gelegt oder ihr Ordner freigegeben wird.',
  assistant_keeps_file: ({ file }) => `${file} gibt es schon; ein Assistent ersetzt keine Datei.`,
};
