import type { DIALOGUE } from '../params/dialogue.ts';
import type { TextsOf } from '../texts.ts';
import { anzahl, quoted, zahl, zeilen, zeitpunkt } from './format.ts';

export const DE_DIALOGUE: TextsOf<typeof DIALOGUE> = {
  key_in_file: ({ file }) => `Datei ${file}`,
  key_in_variable: ({ variable }) => `Variable ${variable}`,
  ask_api_address: () => 'Adresse des Dienstes',
  ask_api_key: () => 'Schlüssel (wird nicht angezeigt):',
  profile_added: ({ profile, address, key }, say) =>
    `Profil ${profile}: ${address}, Schlüssel aus: ${say(key)}`,
  profile_is_default: ({ command }) => `Es gilt, wenn kein anderes genannt ist. Um es zu prüfen: ${command}`,
  to_use_profile: ({ option, command }) => `Benutze es mit ${option} oder mache es zum Standard: ${command}`,
  no_profiles_yet: ({ command }) => `Es gibt noch keine Profile. Um ein Profil anzulegen: ${command}`,
  default_is_now: ({ profile, address }) => `Standard ist jetzt ${profile}: ${address}`,
  answers_for_headers: ({ command }) =>
    `Antworten für Dateien mit bestimmten Spaltennamen (${command} löscht sie):`,
  is_forgotten: ({ name }) => `Die Antworten unter ${name} sind gelöscht.`,
  mode_and_match: ({ mode, match }) => `Modus: ${mode}, Stücke gefunden über ${match}`,
  rows_checked: ({ read, valid, items, invalid, skipped }) =>
    `${zeilen(read)}: ${zahl(valid)} gut${items === undefined ? '' : ` (${anzahl(items, 'Stück', 'Stücke')})`}, ${zahl(invalid)} ungültig, ${zahl(skipped)} ausgelassen`,
  label_before: () => 'vorher',
  label_after: () => 'nachher',
  label_skipped: () => 'ausgelassen',
  label_wrong: () => 'falsch',
  column_without_header: ({ letter }) => `Spalte ${letter}`,
  template_inferred: ({ file, used, all }) =>
    `${file}: ${zahl(used)} von ${anzahl(all, 'Spalte', 'Spalten')} ${used === 1 ? 'wird' : 'werden'} benutzt. Sieh dir die Datei an, dann:`,
  made_for_template: ({ option }) => `${option} ist für diese Spalten gemacht.`,
  form_without_list: ({ file, why }, say) =>
    `${file}: Die Sammlungen sind nicht bekannt${why === undefined ? '' : ` (${say(why).replace(/\.$/, '')})`}, deshalb hat die Spalte für die Sammlung keine Auswahlliste`,
  form_with_list: ({ file, collections }) =>
    `${file}: ${anzahl(collections, 'Sammlung', 'Sammlungen')} in der Auswahlliste`,
  form_needs_no_template: ({ command }) =>
    `Wenn die Datei ausgefüllt ist, braucht der Import keine Vorlage: ${command}`,
  page_already_runs: () => 'shelflift läuft schon.',
  page_runs: () => 'shelflift läuft im Browser; Strg-C oder der Knopf unten auf der Seite beendet es.',
  no_browser_found: () =>
    'Es wurde kein Browser gefunden. Öffne die Adresse oben in einem Browser; sie gilt nur einmal.',
  sandbox_runs: () => 'Das Übungskonto läuft; Strg-C beendet es.',
  in_other_terminal: () => 'In einem anderen Terminal:',
  sandbox_address: () => 'Adresse',
  sandbox_key: () => 'Schlüssel',
  opens_this_sandbox: ({ key }) => `${key} (alle Berechtigungen; gilt nur hier)`,
  sandbox_control: () => 'Steuerung',
  only_this_machine: ({ address }) => `${address} (nur auf diesem Rechner)`,
  sandbox_data: () => 'Daten',
  kept_in_memory: () => 'im Arbeitsspeicher; nach dem Beenden sind sie verloren',
  sandbox_team: ({ id }) => `Team ${id}`,
  items_and_collections: ({ items, names }) => `${anzahl(items, 'Stück', 'Stücke')}; Sammlungen: ${names}`,
  sandbox_rate_limit: () => 'Tempolimit',
  requests_in_time: ({ requests, seconds, kind }) =>
    `${anzahl(requests, 'Anfrage', 'Anfragen')} in ${seconds} s je Schlüssel (${kind})`,
  sandbox_plan_limit: () => 'Höchstzahl',
  items_of_team: ({ items }) => `${anzahl(items, 'Stück', 'Stücke')} je Team`,
  sandbox_latency: () => 'Verzögerung',
  sandbox_list_lag: () => 'Rückstand der Listen',
  sandbox_clock: () => 'Abweichung der Uhr',
  sandbox_storing: () => 'Speicherverhalten',
  sandbox_faults: () => 'Störungen',
  file_queued: ({ job, file }) => `eingereiht: ${job} (${file})`,
  to_watch_it: ({ command }) => `Fortschritt verfolgen: ${command}`,
  output_of_other_left_out: ({ file, source }) =>
    `${file} gehört zu ${source}, das auch angegeben ist, und wurde ausgelassen. Um die Datei zu importieren, gib sie allein an.`,
  for_other_files: ({ option }) => `Für andere Dateien dieser Art: ${option}`,
  recipe_replaced: ({ name, file, at }) =>
    `Das Rezept ${quoted(name)} las Dateien anders: Es stammte von ${file} (${zeitpunkt(at)}). Es wurde ersetzt.`,
  recipe_saved: ({ option }) => `Gespeichert. Um die nächste Datei dieser Art zu lesen: ${option}`,
  answers_kept_for_headers: ({ command }) =>
    `Deine Antworten sind für Dateien mit diesen Spaltennamen gespeichert (${command}).`,
  ask_send_now: ({ number, areItems, left }) =>
    `${areItems ? anzahl(number, 'Stück', 'Stücke') : zeilen(number)} jetzt senden${left === 0 ? '' : ` und ${zeilen(left)} für später lassen`}?`,
  can_be_sent_now: ({ number, areItems, left }) =>
    `${areItems ? anzahl(number, 'Stück kann', 'Stücke können') : anzahl(number, 'Zeile kann', 'Zeilen können')} jetzt gesendet werden${left === 0 ? '' : `; ${anzahl(left, 'Zeile ist', 'Zeilen sind')} noch zu klären`}.`,
  answer_not_usable: ({ text }) =>
    `${quoted(text)} passt hier nicht. Nur die Eingabetaste: später entscheiden.`,
  choose_number_or_later: ({ choices }) => `[1-${choices}, Eingabetaste: später entscheiden]`,
  answer_with_number: ({ choices }) => `Bitte antworte mit einer Zahl von 1 bis ${choices}.`,
  yes_or_no_keys: () => '[j/N]',
  answer_yes_or_no: () => 'Bitte antworte mit j oder n.',
  paste_then_ctrl_d: () => 'Füge die Tabelle ein, und drücke dann in einer neuen Zeile Strg-D.',
  paste_then_ctrl_z: () =>
    'Füge die Tabelle ein, und drücke dann in einer neuen Zeile Strg-Z und die Eingabetaste.',
  stopping_after_current: () =>
    'Beenden: Laufende Anfragen werden noch abgeschlossen. Noch einmal Strg-C beendet sofort; auch das ist ungefährlich.',
  sign_failed: () => 'FEHLER',
  sign_warning: () => 'Warnung',
  ask_file_password: ({ file }) => `Passwort von ${file}:`,
  ask_other_file_password: ({ file }) => `Dieses Passwort öffnet die Datei nicht. Passwort von ${file}:`,
};
