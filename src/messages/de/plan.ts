import type { PLAN } from '../params/plan.ts';
import type { TextsOf } from '../texts.ts';
import { alter, anzahl, dauer, unsent, zahl, zeilen, zeitpunkt } from './format.ts';

export const DE_PLAN: TextsOf<typeof PLAN> = {
  state_planned: () => 'geplant: Es wurde nichts gesendet',
  state_running: () => 'läuft',
  state_paused: () => 'angehalten; weitere Zeilen können gesendet werden',
  state_parked_limit: () => 'angehalten: Die Höchstzahl an Stücken ist erreicht',
  state_parked_unreachable: () => 'angehalten: Der Dienst ist nicht erreichbar oder meldet Fehler',
  state_parked_unauthorised: () => 'angehalten: Der Schlüssel wurde nicht angenommen',
  state_parked_refused: () => 'angehalten: Der Dienst nimmt die Zeilen so nicht an',
  state_parked_disk: () => 'angehalten: Die Festplatte ist voll',
  state_interrupted: () => 'unterbrochen',
  state_cancelled: () => 'abgebrochen',
  state_done: () => 'fertig',
  state_already_applied: () => 'schon übernommen: Es wurde nichts gesendet',
  job_stands: ({ job, state }, say) => `Job ${job}: ${say(state)}`,
  job_stopped: ({ state }, say) => `Stand des Jobs: ${say(state)}.`,
  job_rows: ({ read, archive, sheetRows, undoes, ...counts }) => {
    const parts = some(counts).map(
      ([kind, rows]) =>
        `${zahl(rows)} ${undoes !== undefined && kind === 'updated' ? 'zurückgenommen' : (ROWS[kind] ?? kind)}`,
    );
    const extra = archive === 0 ? '' : ` + ${anzahl(archive, 'Stück', 'Stücke')}, die in der Datei fehlen`;
    const from =
      undoes !== undefined
        ? `Stücke: ${zahl(read)} von Job ${undoes} geschrieben`
        : sheetRows === undefined
          ? `Zeilen: ${zahl(read - archive)} gelesen${extra}`
          : `Zeilen: ${zeilen(sheetRows)} = ${anzahl(read, 'Stück', 'Stücke')}`;
    return parts.length === 0 ? from : `${from} = ${parts.join(' + ')}`;
  },
  job_plan: ({ isUndo, ...counts }) => {
    const parts = some(counts).map(
      ([kind, rows]) =>
        `${zahl(rows)} ${isUndo && kind === 'update' ? 'zurückzunehmen' : (PLANS[kind] ?? kind)}`,
    );
    return `Plan: ${parts.join(', ') || 'nichts zu tun'}`;
  },
  because: ({ why }, say) => `Grund: ${say(why)}`,
  next_try: ({ at }) => `wartet, bis wieder Platz ist; nächster Versuch: ${zeitpunkt(at)}`,
  requests_made: ({ sent, limited, ms, perSecond }) => {
    const rate = perSecond > 0 ? ` (${perSecond.toFixed(1).replace('.', ',')}/s)` : '';
    const refused = limited > 0 ? `, davon ${zahl(limited)} vom Tempolimit abgelehnt` : '';
    return `Anfragen: ${zahl(sent)} in ${dauer(ms)}${rate}${refused}`;
  },
  items_doubled: ({ items }) =>
    `DOPPELT: ${anzahl(items.length, 'Stück entspricht einer Zeile', 'Stücke entsprechen Zeilen')}, die zweimal gesendet ${items.length === 1 ? 'wurde' : 'wurden'}: ${items.join(', ')}`,
  amount_in_wrong_currency: ({ item }) =>
    `FALSCHER BETRAG: Das Stück ${item} wurde angelegt, bevor seine Währung bekannt war. Korrigiere seinen Wert: Er ist nicht in der Währung der Datei.`,
  values_not_kept: ({ field, rows, row, found }) =>
    `ANDERS GESPEICHERT: In ${zeilen(rows)} hat der Server ${field} anders gespeichert, als es gesendet wurde; in Zeile ${row} steht ${found === '' ? 'nichts' : found}`,
  read_as_likely: ({ what }, say) => `wahrscheinliche Lesarten: ${say(what)}`,
  correction_made: ({ step, byRule, changes, more }, say) =>
    `Korrektur ${step}${byRule ? ', von shelflift' : ''}: ${changes.map(say).join('; ')}${more > 0 ? `; und ${anzahl(more, 'weitere', 'weitere')}` : ''}`,
  items_missing: ({ of, archive }) =>
    `in der Datei fehlen: ${archive === 0 ? 'keines' : zahl(archive)} von ${anzahl(of, 'Stück', 'Stücken')} der Sammlung mit dem Status keep, sell oder trade`,
  none_missing_known: ({ why }, say) => `fehlend: Es kann nichts archiviert werden (${say(why)})`,
  items_already_so: ({ items, more }, say) =>
    `schon auf diesem Stand: ${items.map(say).join(', ')}${more > 0 ? ` und ${anzahl(more, 'weiteres', 'weitere')}` : ''}`,
  name_of_row: ({ name, row }) => `${name} (Zeile ${row})`,
  check_first_rows: () => 'Prüfe diese und mach dann weiter:',
  file_results: ({ path }) => `Ergebnisse: ${path}`,
  file_rejects: ({ path }) => `Zu korrigieren: ${path}`,
  file_to_delete: ({ path }) => `archivierte Stücke, die du von Hand löschen kannst: ${path}`,
  file_plan: ({ path }) => `Plan: ${path}`,

  dry_run_over: () => 'Das war ein Probelauf: Es wurde nichts gesendet.',
  nothing_was_sent: () => 'Es wurde nichts gesendet.',
  nothing_to_send: () => 'Es gibt nichts zu senden.',
  rows_need_correction: ({ rows, matching }) =>
    `${zeilen(rows)} ${rows === 1 ? 'ist' : 'sind'} zu korrigieren${matching === 0 ? '' : `; ${anzahl(matching, 'stimmt', 'stimmen')} schon überein`}.`,
  belongs_to_cancelled_job: ({ job, isFile }) =>
    `${isFile ? 'Diese Datei' : 'Diese Änderung'} gehört schon zu Job ${job}, der abgebrochen wurde, bevor alle Zeilen gesendet waren.`,
  belongs_to_open_job: ({ job, isFile }) =>
    `${isFile ? 'Diese Datei' : 'Diese Änderung'} gehört schon zu Job ${job}, der noch nicht alle Zeilen gesendet hat.`,
  job_has_imported: ({ job }) => `Job ${job} hat diese Datei schon übernommen.`,
  rows_without_name: ({ rows }) =>
    `${zeilen(rows)} ${rows === 1 ? 'hat' : 'haben'} keinen Namen und ${rows === 1 ? 'wird' : 'werden'} ausgelassen.`,
  rows_were_refused: ({ rows }) => `${zeilen(rows)} ${rows === 1 ? 'wurde' : 'wurden'} abgelehnt.`,
  rows_are_held: ({ rows }) => `${zeilen(rows)} ${rows === 1 ? 'wartet' : 'warten'} auf deine Entscheidung.`,
  rows_are_invalid: ({ rows }) => `${zeilen(rows)} ${rows === 1 ? 'ist' : 'sind'} ungültig.`,
  rows_are_ready: ({ rows }) => `${zeilen(rows)} ${rows === 1 ? 'kann' : 'können'} gesendet werden.`,
  rows_not_taken_back: ({ rows, job }) =>
    `${zeilen(rows)} von Job ${job} ${rows === 1 ? 'ist vielleicht' : 'sind vielleicht'} beim Dienst und ${rows === 1 ? 'wurde' : 'wurden'} nicht zurückgenommen.`,
  rows_left_to_job: ({ rows, job }) =>
    `${zeilen(rows)} ${rows === 1 ? 'wurde' : 'wurden'} Job ${job} überlassen, der sie nicht gesendet hat, keine Antwort erhalten hat oder zurückgenommen wurde.`,
  job_runs_on: ({ host, pid }) => `Der Job läuft auf ${host}, Prozess ${pid}.`,
  job_was_cancelled: () => 'Der Job wurde abgebrochen.',
  job_had_ended: () => 'Der Job war schon zu Ende: Es wurde nichts abgebrochen.',
  cancellation_recorded: () =>
    'Der Abbruch ist vermerkt. Der Worker hält an, sobald die offenen Anfragen beantwortet sind.',
  results_missing: () => 'Die Ergebnisse wurden nicht geschrieben.',
  results_unwritten: ({ why }, say) => `Die Ergebnisse konnten nicht geschrieben werden: ${say(why)}`,

  plan_fields: ({ fields, more }, say) => `Felder: ${withMore(fields.map(say), more)}`,
  field_changes: ({ field, items, emptied: blank }) =>
    `${field} ${zahl(items)}${blank === 0 ? '' : ` (davon ${zahl(blank)} geleert)`}`,
  plan_words: ({ words, more }, say) => `Übergänge: ${withMore(words.map(say), more)}`,
  word_changes: ({ field, from = 'leer', to = 'leer', items }) =>
    `${field === 'status' ? '' : `${field} `}${from} → ${to} ${zahl(items)}`,
  value_of_new: ({ value, statuses }, say) =>
    `Wert der neuen Stücke: ${value}; ${statuses.map(say).join(', ')}`,
  value_changes: ({ currency, before, after, difference, statuses }, say) =>
    `Wert dieser Stücke in ${currency}: ${before} → ${after} (${difference.startsWith('-') ? '' : '+'}${difference}); ${statuses.map(say).join(', ')}`,
  value_of_status: ({ status, before, after }) =>
    before === undefined ? `${status} ${after}` : `${status} ${before} → ${after}`,
  rows_look_alike: ({ rows }) =>
    anzahl(
      rows,
      'Zeile gleicht einem Stück, das es schon gibt',
      'Zeilen gleichen Stücken, die es schon gibt',
    ),
  looks_like: ({ item, name, rows }) => `  gleicht dem Stück ${item} (${name}): ${zeilen(rows)}`,
  items_read: ({ items, requests, isEach, otherwise }) => {
    const [way, other] = isEach ? [EINZELN, SEITEN] : [SEITEN, EINZELN];
    return `gelesen: ${anzahl(items, 'Stück', 'Stücke')} ${way}, ${anzahl(requests, 'Anfrage', 'Anfragen')}${otherwise === undefined ? '' : ` (${other}: ${zahl(otherwise)})`}`;
  },
  plan_cost: ({ writes, reads, recheck, ms, perSecond }) => {
    const time =
      ms === undefined || perSecond === undefined
        ? 'Dauer noch nicht bekannt, weil das Tempo des Dienstes nicht bekannt ist'
        : `dauert etwa ${dauer(ms)} bei ${perSecond.toFixed(1).replace('.', ',')}/s`;
    const again =
      recheck === 0 ? '' : ` (davon ${zahl(recheck)}, um Stücke vor dem Ändern noch einmal zu prüfen)`;
    return `zu senden: ${anzahl(writes, 'Schreibzugriff', 'Schreibzugriffe')} und etwa ${anzahl(reads, 'Lesezugriff', 'Lesezugriffe')}${again}; ${time}`;
  },

  too_many_missing: ({ items, of, percent, most, ...job }) =>
    `${zahl(items)} von ${anzahl(of, 'Stück', 'Stücken')} (${percent}) ${items === 1 ? 'würde' : 'würden'} als fehlend archiviert; die Grenze ist ${most}. ${unsent(job)}`,
  bad_share: ({ option, found }) =>
    `${option} ist „${found}“; erwartet wird ein Anteil wie 20% oder eine Zahl.`,
  missing_unsafe: ({ why, ...job }, say) =>
    `Stücke, die in der Datei fehlen, können nicht archiviert werden (${say(why)}). ${unsent(job)}`,
  repeated_change: (params) => `${repeated(params)} ${unsent(params)}`,
  ask_repeated_change: (params) => `${repeated(params)} Ein zweites Mal ändern?`,
  not_confirmed: (job) => `Das Zurücknehmen wurde nicht bestätigt. ${unsent(job)}`,
  ask_undo: ({ changes, areCreates, source, at }) =>
    `${areCreates ? anzahl(changes, 'neues Stück', 'neue Stücke') : anzahl(changes, 'Änderung', 'Änderungen')} von „${source}“ (${zeitpunkt(at)}) zurücknehmen?`,
  undo_grew: (params) => `${grown(params)} ${unsent(params)}`,
  ask_undo_grew: (params) => `${grown(params)} Auch diese zurücknehmen?`,
  too_many_changes: (params) => `${tooMany(params)} ${unsent(params)}`,
  ask_too_many_changes: (params) => `${tooMany(params)} Weitermachen?`,
  field_emptied: (params) => `${emptied(params)} ${unsent(params)}`,
  ask_field_emptied: (params) => `${emptied(params)} Weitermachen?`,
  similar_items: (params) => `${similar(params)} ${unsent(params)}`,
  ask_similar_items: (params) => `${similar(params)} Trotzdem anlegen?`,
  keys_not_kept: (job) => `${KEYS} ${unsent(job)}`,
  ask_keys_not_kept: () => `${KEYS} Die übrigen Zeilen trotzdem senden?`,
  own_export: (params) => `${exported(params)} ${unsent(params)}`,
  ask_own_export: (params) => `${exported(params)} Alle noch einmal anlegen?`,

  candidate_item: ({ item, name, value = 'ohne Wert', status, age }) =>
    `${item}  ${name}, ${value}, ${status}, angelegt vor ${alter(age)}`,
  more_rows_wait: () => 'Weitere Zeilen warten.',
};

const EINZELN = 'einzeln';
const SEITEN = 'seitenweise aus der Liste';
const KEYS =
  'Der Dienst ändert die Schlüssel, mit denen verglichen wird. Ein späterer Import würde die Stücke daran nicht erkennen.';
const ROWS: Readonly<Record<string, string>> = {
  created: 'angelegt',
  updated: 'geändert',
  unchanged: 'unverändert',
  skipped: 'ausgelassen',
  invalid: 'ungültig',
  refused: 'abgelehnt',
  held: 'zu entscheiden',
  pending: 'offen',
};
const PLANS: Readonly<Record<string, string>> = {
  ...ROWS,
  create: 'anzulegen',
  update: 'zu ändern',
  archive: 'zu archivieren',
};

function some(counts: Readonly<Record<string, number | undefined>>): [kind: string, rows: number][] {
  return Object.entries(counts).filter((entry): entry is [string, number] => (entry[1] ?? 0) > 0);
}

function withMore(texts: readonly string[], more: number): string {
  return `${texts.join(', ')}${more > 0 ? ` und ${anzahl(more, 'weiteres', 'weitere')}` : ''}`;
}

interface Repeated {
  job: string;
  at: number;
  others: number;
  items: number;
  of: number;
}

function repeated({ job, at, others, items, of }: Repeated): string {
  const which =
    items === of ? 'an denselben Stücken' : `an ${zahl(items)} von ${anzahl(of, 'Stück', 'Stücken')}`;
  const more = others === 0 ? '' : ` und ${anzahl(others, 'früherer Job', 'frühere Jobs')}`;
  return `Job ${job} (${zeitpunkt(at)})${more} ${others === 0 ? 'hat' : 'haben'} dieselbe Änderung ${which} gemacht.`;
}

function grown({ job, rows }: { job: string; rows: number }): string {
  return `Job ${job} hat seit dem Planen ${anzahl(rows, 'weitere Zeile', 'weitere Zeilen')} geschrieben.`;
}

function tooMany({ items, most, of }: { items: number; most?: number; of?: number }): string {
  return of === undefined
    ? `${anzahl(items, 'Stück würde', 'Stücke würden')} geändert: mehr als ${zahl(most ?? 0)}.`
    : `Die Auswahl umfasst ${zahl(items)} von ${anzahl(of, 'Stück', 'Stücken')} (${Math.floor((items * 100) / of)} %).`;
}

function emptied({ items, field }: { items: number; field: string }): string {
  return `${field} würde bei ${anzahl(items, 'Stück', 'Stücken')} geleert.`;
}

function similar({ rows, item }: { rows: number; item: string }): string {
  return `${anzahl(rows, 'Zeile gleicht einem vorhandenen Stück', 'Zeilen gleichen vorhandenen Stücken')} (zum Beispiel ${item}).`;
}

function exported({ item }: { item: string }): string {
  return `Diese Datei ist ein Export von Stücken, die es schon gibt (etwa ${item}).`;
}
