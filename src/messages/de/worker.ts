import type { WORKER } from '../params/worker.ts';
import type { TextsOf } from '../texts.ts';
import { anzahl, list, zahl, zeilen, zeitpunkt } from './format.ts';

export const DE_WORKER: TextsOf<typeof WORKER> = {
  worker_ends: () => 'Der Worker beendet sich.',
  worker_asked_to_stop: () => 'Der Worker wurde angehalten.',
  claim_replaced: ({ file }) => `${file} ist nicht mehr die übernommene Datei und bleibt unangetastet.`,
  move_into_folder: ({ folder }) => `Verschiebe die Datei nach ${folder}, um sie zu importieren.`,
  unsafe_link: ({ path }) => `${path} ist ein Link; dort wird nichts gelesen oder geschrieben.`,
  unsafe_not_a_folder: ({ path }) => `${path} ist kein Ordner; dort wird nichts gelesen oder geschrieben.`,
  unsafe_owner: ({ path, user }) =>
    `${path} gehört dem Benutzer mit der ID ${user}; dort wird nichts gelesen oder geschrieben.`,
  unsafe_open: ({ path }) =>
    `${path} ist für andere Benutzer offen; dort wird nichts gelesen oder geschrieben.`,
  file_not_taken: ({ name, why }, say) => `${name} kann nicht übernommen werden: ${say(why)}`,
  folders_away: ({ problems }, say) => problems.map(say).join('; '),
  nothing_new: ({ source }) => `Unter ${source} gibt es nichts Neues.`,
  submitted_copy_gone: () => 'Die Kopie der eingereichten Datei ist nicht mehr im Spool.',
  move_folder_away: () => 'Verschiebe ihn. Der Worker legt dann einen eigenen Ordner an.',
  copy_missing: ({ file }) => `Die Kopie von ${file} fehlt.`,
  drop_file_again: () => 'Lege die Datei noch einmal in den Ordner.',
  submit_file_again: () => 'Reiche die Datei noch einmal ein.',
  import_yielded: () => 'Der Import hat einem Export mit demselben Schlüssel Platz gemacht.',
  no_such_schedule: ({ schedule }) => `Es gibt keinen Zeitplan „${schedule}“.`,
  no_schedules: () => 'Die Konfiguration enthält keine Zeitpläne.',
  schedules_are: ({ names }, say) => `Die Zeitpläne sind ${say(names)}.`,
  config_missing: ({ file }) => `${file} gibt es nicht.`,
  config_unreadable: ({ file }) => `${file} lässt sich nicht lesen.`,
  to_name_config: () => 'Um die Datei mit Profilen und Zeitplänen zu nennen',
  webhook_secret_short: () =>
    'Das Geheimnis des Webhooks ist zu kurz: erwartet werden whsec_ und mindestens 24 Zeichen.',
  folder_not_mounted: ({ folder }) => `Der Ordner ${folder} liegt nicht auf einem eingehängten Laufwerk.`,
  folder_unmounted: ({ folder, mount }) =>
    `Der Ordner ${folder} ist nicht eingehängt: Die letzte Datei ging auf das Laufwerk unter ${mount}. Damit auch ohne dieses Laufwerk geschrieben wird, setze mounted: false.`,
  folder_missing: ({ folder }) => `Den Ordner ${folder} gibt es nicht.`,
  no_smtp: () => 'Für E-Mails braucht die Konfiguration smtp.',
  schema_no_rights: ({ store, role, schema }) =>
    `${store}: ${role} darf das Schema ${schema} nicht benutzen.`,
  ask_schema_owner: ({ role }) =>
    `Bitte den Eigentümer, ${role} in die Rolle aufzunehmen, der das Schema gehört.`,
  run_was_cancelled: () => 'Der Lauf wurde abgebrochen.',
  spool_damaged: ({ file }) =>
    `Die Kopie von ${file} im Spool ist beschädigt: Ihr SHA-256-Wert hat sich geändert.`,
  missing_needs_person: () =>
    'Wenn fehlende Stücke archiviert werden, ändern sich Stücke, die in der Datei nicht stehen; deshalb muss ein Mensch den Plan ansehen.',
  to_see_plan: () => 'Um zuerst den Plan zu sehen',
  keys_missing: ({ problems }, say) => problems.map(say).join('\n'),
  to_see_lines: () => 'Um die Zeile zu jedem Problem zu sehen',
  health_address_taken: ({ address }) =>
    `Die Adresse ${address} für Zustandsabfragen (health) lässt sich nicht benutzen: Ein anderes Programm belegt sie, oder sie gehört nicht zu diesem Rechner.`,
  to_serve_health_elsewhere: () => 'Um eine andere zu wählen',
  answers_status: ({ host, status }) => `${host} antwortet mit Status ${status}.`,
  host_has_no_file: ({ host, status }) =>
    `${host} antwortet mit Status ${status}: Die Datei gibt es dort nicht.`,
  host_away: ({ host, reason }) =>
    `${host} ist nicht erreichbar${reason === undefined ? '' : `: ${reason}`}.`,
  address_refused: ({ address, problem }, say) => `${address}: ${say(problem)}.`,
  private_address: ({ host }) =>
    `${host} ist eine private Adresse dieses Rechners oder Netzes. Dorthin wurde nichts gesendet.`,
  allow_private: () => 'Ist das beabsichtigt, setze neben die Adresse allowPrivate: true.',
  secret_missing: ({ variable }) =>
    `Die Konfiguration nimmt ein Geheimnis aus ${variable}; die Variable ist nicht gesetzt.`,
  set_secret: ({ variable }) => `Setze ${variable}, oder ${variable}_FILE auf eine Datei mit dem Geheimnis.`,
  package_missing: ({ name }) => `Dafür fehlt das Paket ${name}.`,
  install_package: ({ name }) =>
    `Installiere es neben shelflift: npm install ${name}. Wenn shelflift global installiert ist, installiere auch das Paket global.`,
  rclone_missing: () => 'Dafür fehlt das Programm rclone.',
  install_rclone: () =>
    'Installiere es: apt-get install rclone, oder https://rclone.org/install. Danach: rclone config',
  rclone_ended: ({ exit, reason }) =>
    `rclone endete mit ${exit === undefined ? 'einem Signal' : `Code ${exit}`}: ${reason ?? 'ohne Angabe von Gründen'}.`,
  add_rclone_remote: () =>
    'Richte das Ziel ein: rclone config. Liegt dessen Konfiguration anderswo, setze RCLONE_CONFIG.',
  correct_what_it_says: () => 'Behebe das gemeldete Problem.',
  source_too_slow: ({ source, minutes }) =>
    `${source} ließ sich nicht innerhalb von ${anzahl(minutes, 'Minute', 'Minuten')} lesen.`,
  source_is_folder: ({ source }) => `${source} ist ein Ordner, keine Datei.`,
  source_unknown: ({ source }) => `rclone sagt nicht, ob ${source} eine Datei ist.`,
  source_missing: ({ source }) => `Die Datei ${source} gibt es nicht.`,
  source_too_large: ({ source, megabytes }) => `${source} ist größer als ${megabytes} MB.`,
  redirects_too_often: ({ host, times }) => `${host} leitet mehr als ${times}-mal weiter.`,
  redirects_nowhere: ({ host }) => `${host} leitet weiter, ohne eine Adresse zu nennen.`,
  redirects_insecure: ({ host, to }) => `${host} leitet zu ${to} weiter; shelflift folgt nur https:.`,
  redirects_elsewhere: ({ host, to }) =>
    `${host} leitet zu ${to} weiter, einem anderen Rechner. Dort wurde nichts gelesen.`,
  publish_sheet: () =>
    'Veröffentliche die Tabelle: Datei, Freigeben, Im Web veröffentlichen, als CSV. Nimm dann die Adresse, die Google zeigt.',
  allow_redirect: ({ host }) => `Ist das gewollt, setze neben die Adresse: redirects: [${host}].`,
  sent_compressed: ({ host, encoding }) => `${host} schickt die Datei komprimiert (${encoding}).`,
  sent_web_page: ({ host }) => `${host} schickt eine Webseite, keine Tabelle.`,
  use_file_address: () => 'Nimm die Adresse der Datei selbst.',
  net_refused: ({ where }, say) => `${say(where)} lehnt die Verbindung ab.`,
  net_broken: ({ where }, say) => `${say(where)} hat die Verbindung abgebrochen.`,
  net_silent: ({ where }, say) => `${say(where)} antwortet nicht.`,
  net_unreachable: ({ where }, say) => `${say(where)} ist nicht erreichbar.`,
  net_unknown: ({ where }, say) => `${say(where)} ist nicht bekannt: Prüfe die Schreibweise und das Netz.`,
  net_no_lookup: ({ where }, say) => `${say(where)} lässt sich nicht nachschlagen: Prüfe das Netz.`,
  net_login: ({ where }, say) => `${say(where)} hat Namen oder Passwort nicht angenommen.`,
  net_missing: ({ where }, say) => `${say(where)} gibt es nicht.`,
  net_below_file: ({ where }, say) => `${say(where)} liegt unter einer Datei statt in einem Ordner.`,
  net_not_allowed: ({ where }, say) =>
    `${say(where)} ist nicht beschreibbar: Dieser Benutzer darf das nicht.`,
  net_read_only: ({ where }, say) =>
    `${say(where)} ist nicht beschreibbar: Das Laufwerk ist schreibgeschützt.`,
  net_disk_full: ({ where }, say) => `${say(where)} ist nicht beschreibbar: Das Laufwerk ist voll.`,
  net_quota: ({ where }, say) => `${say(where)} ist nicht beschreibbar: Das Kontingent ist erschöpft.`,
  net_disk_silent: ({ where }, say) => `${say(where)} ist nicht beschreibbar: Das Laufwerk antwortet nicht.`,
  net_remounted: ({ where }, say) =>
    `${say(where)} ist nicht beschreibbar: Das Laufwerk wurde neu eingehängt.`,
  net_not_connected: ({ where }, say) =>
    `${say(where)} ist nicht beschreibbar: Das Laufwerk ist nicht verbunden.`,
  the_server: ({ detail }) => `Der Server (${detail})`,
  schedule_named: ({ name }) => `Zeitplan ${name}`,
  folder_named: ({ path }) => `Ordner ${path}`,
  made_not_delivered: ({ file, to }) =>
    `${file} wurde erstellt, aber nicht zugestellt${to === undefined ? '' : ` (${to})`}.`,
  changes_only_in_this_file: ({ to }) =>
    `Ein anderes Ziel hat diese Datei erhalten; ihre Änderungen stehen daher in keiner späteren. Noch nicht zugestellt an: ${to.join(', ')}.`,
  no_reason_said: () => 'Ein Grund wurde nicht genannt.',
  to_fetch_again: () => 'Um die korrigierte Datei abzurufen und zu übernehmen',
  to_try_again: () => 'Für einen neuen Versuch',
  retried_automatically: () => 'Der Versuch wird automatisch wiederholt.',
  retried_at: ({ time }) => `Der Versuch wird automatisch wiederholt. Nächster Versuch: ${zeitpunkt(time)}.`,
  to_retry_now: () => 'Um es sofort zu versuchen',
  to_try_file_again: () => 'Für einen neuen Versuch lege die Datei in den Ordner.',
  key_in_config: ({ key, value }) => `${key}: ${value} in shelflift.yaml`,
  mail_fails: ({ subject }, say) => `shelflift: ${say(subject)} schlägt fehl`,
  mail_works_again: ({ subject }, say) => `shelflift: ${say(subject)} funktioniert wieder`,
  mail_failed_works_again: ({ subject }, say) =>
    `shelflift: ${say(subject)} schlug fehl und funktioniert wieder`,
  several_gaps: ({ gaps }, say) => gaps.map(say).join(' '),
  mail_asks_to_check: ({ subject }, say) => `shelflift: Bitte prüfen: ${say(subject)}`,
  mail_left_rows_out: ({ subject }, say) => `shelflift: ${say(subject)} hat Zeilen ausgelassen`,
  it_works_again: ({ subject }, say) => `${say(subject)}: funktioniert wieder`,
  not_imported_so_far: ({ files, more }) =>
    `Bisher nicht importiert: ${files.join(', ')}${more ? ' und andere' : ''}. Sie liegen mit den Gründen im Ordner failed.`,
  since_then: ({ time, notice }) => `Erster Fehlschlag: ${zeitpunkt(time)}\n${notice}`,
  same_reason: ({ others }, say) => `Aus demselben Grund: ${others.map(say).join(', ')}.`,
  to_check_file: () => 'Zum Prüfen beide Anhänge in einen Ordner speichern',
  to_import_from_folder: ({ folder }) =>
    `Um die Datei aus diesem Ordner zu importieren, korrigiere sie und verschiebe sie zurück nach ${folder}. Nach einer Änderung in shelflift.yaml verschiebe sie unverändert zurück.`,
  to_import_rest_from_folder: ({ folder, job }) =>
    `Aus der unveränderten Datei sendet shelflift nichts mehr, weil ihr Job abgebrochen wurde. Um die übrigen Zeilen aus diesem Ordner zu importieren, korrigiere oder ergänze eine Zeile und verschiebe die Datei zurück nach ${folder}. Um die übrigen Zeilen der unveränderten Datei zu senden, bitte die Person, die den Worker betreibt, den Rest von Job ${job} zu senden.`,
  file_grew: () =>
    'Die Datei wurde noch geschrieben, als sie gelesen wurde. Sie wird noch einmal übernommen; gesendet werden nur Zeilen, die noch nicht gesendet wurden.',
  rows_not_imported: ({ rows, of, invalid, refused, held }) =>
    `${zahl(rows)} von ${zeilen(of)} ${rows === 1 ? 'wurde' : 'wurden'} nicht importiert: ${(
      [
        [invalid, 'ungültig'],
        [refused, 'abgelehnt'],
        [held, 'zurückgehalten'],
      ] as const
    )
      .flatMap(([number, kind]) => (number === 0 ? [] : [`${zahl(number)} ${kind}`]))
      .join(', ')}.`,
  correct_rows_in: ({ file }) => `Korrigiere die Zeilen in ${file}, und lege diese Datei in den Ordner.`,
  imported_before: ({ job }) => `Dieser Inhalt wurde schon importiert, von Job ${job}.`,
  change_files_alike: ({ name }) =>
    `Mehrere Läufe erstellen eine Datei namens ${name}. Eine Datei mit Änderungen lässt sich nicht noch einmal erstellen, deshalb ersetzt keine eine andere: Spätere bekommen -2, -3 … im Namen. Mit der Uhrzeit des Laufs im Namen lassen sie sich unterscheiden.`,
  file_renamed: ({ name, as }) =>
    `Den Namen ${name} hat schon eine andere Datei, und eine Datei mit Änderungen lässt sich nicht noch einmal erstellen. Deshalb wurde nichts ersetzt: Diese Datei heißt ${as}.`,
  left_out_by_layout: ({ rows }) =>
    `${zeilen(rows)} ausgelassen, weil das Layout ihre Werte nicht aufnimmt. Näheres steht im Manifest.`,
  list_moved_unwritten: () =>
    'Die Liste hat sich beim Lesen geändert, und requireStable ist gesetzt; deshalb wurde nichts geschrieben.',
  schedule_gone: ({ schedule }) => `Der Zeitplan ${schedule} steht nicht mehr in der Konfiguration.`,
  run_cancelled: () => 'Der Lauf wurde abgebrochen. Schon gesendete Zeilen bleiben bestehen.',
  deliveries_failed: ({ problems }, say) => problems.map(say).join('; '),
  recipients_refused: ({ refused }) =>
    `Der Mailserver hat die E-Mail an ${list(refused)} abgelehnt; die übrigen Empfänger haben sie.`,
  delivery_gone: () => 'Diese Zustellung steht nicht mehr in der Konfiguration.',
  file_gone: () => 'Die Datei, die zugestellt werden soll, oder ihren Zeitplan gibt es nicht mehr.',
  correct_at_source: ({ source }) => `Korrigiere die Zeilen in ${source}. Der nächste Lauf importiert sie.`,
  rows_not_sendable: ({ rows, of }) =>
    `${zahl(rows)} von ${zeilen(of)} ${rows === 1 ? 'lässt' : 'lassen'} sich so nicht senden, deshalb wurde nichts gesendet.`,
};
