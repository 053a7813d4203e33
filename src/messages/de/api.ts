import type { API } from '../params/api.ts';
import type { TextsOf } from '../texts.ts';
import { anzahl, dauer, quoted, zahl } from './format.ts';

export const DE_API: TextsOf<typeof API> = {
  not_an_address: ({ text }) => `${quoted(text)} ist keine Adresse.`,
  address_without_https: ({ protocol }) =>
    `Die Adresse beginnt mit ${quoted(protocol)}; erwartet wird https:.`,
  address_with_password: () => 'Die Adresse enthält einen Benutzernamen oder ein Passwort.',
  address_with_query: () => 'Die Adresse enthält ein ? oder ein #.',
  give_base_address: () =>
    'Gib die Basisadresse an, etwa https://inventory.example.com (ohne /api/public/v1).',
  insecure_address: ({ host }) =>
    `Mit http:// ginge der Schlüssel unverschlüsselt an ${host}. Außerhalb dieses Rechners erlaubt shelflift nur https.`,
  use_https: ({ host }) => `Nimm https://${host}.`,
  request_stopped: ({ request }) => `${request} wurde angehalten, bevor die Antwort da war.`,
  request_not_sent: ({ request }) => `${request} wurde nicht gesendet.`,
  unreachable: ({ address, why }) => `${address} ist nicht erreichbar: ${why}.`,
  check_address_and_network: () => 'Prüfe die Adresse, das Netz und gegebenenfalls den Proxy.',
  trust_certificate: () =>
    'Prüfe die Adresse. Um dem Zertifikat deiner Organisation zu vertrauen, setze NODE_EXTRA_CA_CERTS=FILE.pem.',
  no_answer_within: ({ request, seconds }) => `${request}: keine Antwort in ${zahl(seconds)} s.`,
  answer_cut_off: ({ request, status, why }) =>
    `${request}: Die Antwort (Status ${status}) brach ab: ${why}.`,
  connection_broke: ({ request, why }) => `${request}: Die Verbindung brach ab: ${why}.`,
  key_empty: () => 'Der Schlüssel ist leer.',
  bad_key: () =>
    'Der Schlüssel enthält Zeichen, die kein Schlüssel hat, etwa ein Leerzeichen, einen Zeilenwechsel oder ein Anführungszeichen.',
  copy_key_again: () => 'Kopiere den Schlüssel noch einmal, ohne „Bearer“ und ohne Anführungszeichen.',
  answer_unreadable: ({ request, status, why }, say) =>
    `${request} ergab Status ${status}, aber die Antwort ist nicht zu lesen. ${say(why)}`,
  answer_no_json: ({ found }) => `Sie ist kein JSON: ${shown(found)}.`,
  answer_misfits: ({ path, problem }, say) => `${path}: ${say(problem)}.`,
  item_fields_unknown: ({ item, fields }) =>
    `Der Dienst lässt ${fields.join(', ')} in der Antwort zum Stück ${item} weg, und seine Liste zeigt dessen jetzigen Stand nicht. Eine Änderung könnte diese Felder löschen.`,
  api_rejects: ({ words }) => `Der Dienst hat die Anfrage abgelehnt${after(words)}`,
  unauthorized: ({ words }) => `Der Dienst hat den Schlüssel nicht angenommen${after(words)}`,
  check_key_sent: () =>
    'Prüfe SHELFLIFT_API_KEY oder die Schlüsseldatei. Vielleicht enthält der Schlüssel einen Tippfehler, wurde widerrufen oder gehört zu einem anderen Dienst.',
  plan_limit_reached: ({ words }) => `Die Höchstzahl an Stücken des Tarifs ist erreicht${after(words)}`,
  missing_scope: ({ request, words }) => `Dem Schlüssel fehlt die Berechtigung für ${request}${after(words)}`,
  give_scope: ({ scope }) =>
    `Gib dem Schlüssel die Berechtigung ${scope}, oder nimm einen anderen Schlüssel desselben Teams.`,
  not_found: ({ request, words }) => `${request}: nicht gefunden${after(words)}`,
  check_base_address: ({ address }) => `Prüfe die Adresse ${address}. Gib sie ohne /api/public/v1 an.`,
  rate_limited: ({ words }) => `Das Tempolimit wurde überschritten${after(words)}`,
  unexpected_status: ({ request, status, why }, say) =>
    `${request} ergab den unerwarteten Status ${status}. ${say(why)}`,
  answer_redirects: ({ host }) =>
    `Die Antwort leitet${host === undefined ? '' : ` nach ${host}`} weiter. shelflift folgt keiner Weiterleitung, wenn es einen Schlüssel sendet.`,
  answer_is: ({ found }) => `Die Antwort ist ${shown(found)}.`,
  to_check_address: () => 'Adresse prüfen',
  service_has_problem: () =>
    'Stimmt die Adresse, hat der Dienst gerade ein Problem: Versuche es später noch einmal.',
  connection_from: ({ address, key }) => `Adresse aus ${address}, Schlüssel aus ${key}`,
  address_answers: ({ address, took }) => `${address} antwortet in ${zahl(took)} ms`,
  not_this_api: ({ address, why }, say) =>
    `${address} antwortet, aber nicht so, wie der Dienst antworten müsste: ${say(why)}`,
  tls_not_needed: () => 'nicht nötig: Die Adresse liegt auf diesem Rechner',
  no_certificate: () => 'der Server hat kein Zertifikat vorgelegt',
  certificate_until: ({ protocol, day }) => `${protocol}, Zertifikat gültig bis ${day}`,
  tell_of_certificate: () => 'Sag den Betreibern des Dienstes, dass sein Zertifikat bald abläuft.',
  no_connection: () => 'es gab keine Verbindung',
  not_known_yet: () => 'noch nicht bekannt: der Dienst hat noch auf keine Anfrage geantwortet',
  key_accepted: () => 'angenommen',
  not_asked: () => 'nicht geprüft',
  scope_granted: () => 'erteilt',
  scope_lacking: () => 'dem Schlüssel fehlt diese Berechtigung',
  without_items_read: () =>
    'Ohne diese Berechtigung gibt es keine Exporte von Stücken und keine Änderungen, und verlorene Antworten bleiben ungeklärt.',
  without_collections_read: () => 'Ohne diese Berechtigung lassen sich Sammlungen nur mit ihrer ID nennen.',
  without_marketplace_read: () => 'Ohne diese Berechtigung gibt es keine Exporte von Angeboten.',
  without_analytics_read: () => 'Ohne diese Berechtigung gibt es keine Verkaufssummen.',
  ask_for_scope: () =>
    'Wer das Team verwaltet, kann dem Schlüssel diese Berechtigung in den Team-Einstellungen geben.',
  try_after_limit: () => 'Das Tempolimit ist erreicht: Versuche es später noch einmal.',
  ask_service: () =>
    'Versuche es noch einmal. Bleibt das Problem bestehen, wende dich mit der Nummer der Anfrage an den Dienst.',
  write_not_probed: () =>
    'lässt sich nicht prüfen, ohne zu schreiben: Die erste Zeile eines Imports zeigt es',
  to_send_one_row: () => 'Eine Zeile senden',
  no_date_header: () => 'der Dienst hat keine Uhrzeit mitgeschickt',
  clock_apart: ({ apart, isBehind }) => `dieser Rechner geht ${dauer(apart)} ${isBehind ? 'nach' : 'vor'}`,
  set_clock: () => 'Importe hängen nicht von der Uhr ab, Zeiten in Berichten schon: Stelle die Uhr.',
  no_rate_headers: () =>
    'der Dienst nennt kein Tempolimit: Das Tempo ergibt sich aus seinen Antworten „zu viele Anfragen“',
  rate_reading: ({ limit, window, left, full, wait }) =>
    [
      limit === undefined
        ? undefined
        : `${anzahl(limit, 'Anfrage', 'Anfragen')}${window === undefined ? '' : ` in ${dauer(window)}`}`,
      left === undefined ? undefined : `noch ${zahl(left)}`,
      full === undefined ? undefined : `wieder voll in ${dauer(full)}`,
      wait === undefined ? undefined : `Wartezeit ${dauer(wait)}`,
    ]
      .filter((part) => part !== undefined)
      .join(', '),
  request_stopped_early: () => 'Die Anfrage wurde angehalten, bevor sie gesendet war.',
};

/** The service's own words, if there are any. */
function after(words: string | undefined): string {
  return words === undefined ? '.' : `: ${words}`;
}

function shown(found: string): string {
  return found === '' ? 'leer' : quoted(found);
}
