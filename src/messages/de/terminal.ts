import type { TERMINAL } from '../params/terminal.ts';
import type { TextsOf } from '../texts.ts';
import { anzahl, dauer, zahl, zeilen } from './format.ts';

export const DE_TERMINAL: TextsOf<typeof TERMINAL> = {
  label_note: () => 'Hinweis',
  label_warning: () => 'Warnung',
  detected_as: ({ parts }, say) => `erkannt: ${parts.map(say).join(' · ')}`,
  columns_used: ({ pairs }) => `Spalten: ${pairs.join(', ')}`,
  columns_ignored: ({ columns, more }) =>
    `nicht benutzt: ${columns.join(', ')}${more === undefined ? '' : ` und ${zahl(more)} weitere`}`,
  problems_of_rows: ({ rows, problem, column, expected, places, isMore }, say) =>
    [
      `${zeilen(rows)}: ${say(problem).replace(/\.$/, '')}`,
      column === undefined ? '' : ` (Spalte ${column})`,
      expected === undefined ? '' : `; erwartet: ${say(expected)}`,
      `; ${rows === 1 ? 'Zeile' : 'Zeilen'} ${places.map(say).join(', ')}${isMore ? ' …' : ''}`,
    ].join(''),
  row_on_line: ({ row, line }) => `${row} (Textzeile ${line})`,
  values_and_more: ({ values, more }) =>
    `${values.join(', ')}${more > 0 ? ` und ${anzahl(more, 'weiterer', 'weitere')}` : ''}`,
  rows_being_read: ({ rows }) => `Lesen: ${zeilen(rows)}`,
  rows_checked_again: ({ done, total }) => `Noch einmal prüfen: ${zahl(done)} von ${zahl(total)}`,
  items_compared: ({ done, total }) =>
    `Mit den Stücken vergleichen: ${zahl(done)}${total === undefined ? '' : ` von ${zahl(total)}`}`,
  being_sent: ({ done, total, areItems, percent, perSecond, left }) =>
    [
      `Senden: ${zahl(done)} von ${areItems ? anzahl(total, 'Stück', 'Stücken') : zeilen(total)} (${percent} %)`,
      perSecond === undefined ? '' : `, ${perSecond.toFixed(1).replace('.', ',')}/s`,
      left === undefined ? '' : `, noch ${dauer(left)}`,
    ].join(''),
  waits_for_limit: ({ wait, until }) =>
    `Tempolimit: noch ${dauer(wait)} warten${until === undefined ? '' : `, bis ${until}`}`,
  answers_were_lost: ({ answers, wait }) =>
    `${anzahl(answers, 'Antwort ging', 'Antworten gingen')} verloren: shelflift wartet ${dauer(wait)}, bis der Server fertig ist, und schlägt sie dann nach`,
  no_answer_since: ({ since, next, why }, say) =>
    `keine Antwort vom Dienst seit ${since}; nächster Versuch in ${dauer(next)}. ${say(why)}`,
  waits_for_lane: ({ job, host, process, since }) =>
    `wartet auf Job ${job}, der denselben Schlüssel benutzt (${host}, Prozess ${process}, seit ${since})`,
  changed_by_others: ({ row, name, item, change }, say) =>
    `von jemand anderem geändert: Zeile ${row}, ${name} (${item}): ${say(change)}`,
  export_continues: ({ since, rows, option }) =>
    `Der Export, der am ${since} unterbrochen wurde, geht weiter: ${anzahl(rows, 'Zeile ist', 'Zeilen sind')} schon gelesen (${option} liest alles noch einmal)`,
  tries_again: ({ why, wait, number }, say) =>
    `${say(why)} Nächster Versuch in ${dauer(wait)} (Versuch ${number}).`,
  list_being_read: ({ seen, entries, percent, pages, selected, perSecond, left }) =>
    [
      entries === undefined
        ? `Lesen: ${zahl(seen)}`
        : `Lesen: ${zahl(seen)} von ${zahl(entries)} (${percent} %)`,
      anzahl(pages, 'Seite', 'Seiten'),
      ...(selected === undefined ? [] : [`${zeilen(selected)} ausgewählt`]),
      ...(perSecond === undefined ? [] : [`${zahl(perSecond)}/s`]),
      ...(left === undefined ? [] : [`noch ${dauer(left)}`]),
    ].join(', '),
  rows_being_written: ({ rows }) => `Schreiben: ${zeilen(rows)}`,
  plan_updates: () => 'ÄNDERUNGEN',
  plan_creates: () => 'NEUE STÜCKE',
  plan_archives: () => 'ZU ARCHIVIEREN',
  plan_held: () => 'ZU ENTSCHEIDEN',
  plan_invalid: () => 'UNGÜLTIG',
  plan_skipped: () => 'AUSGELASSEN',
  plan_unchanged: () => 'UNVERÄNDERT',
  head_row: () => 'ZEILE',
  head_item: () => 'STÜCK',
  head_name: () => 'NAME',
  head_field: () => 'FELD',
  head_change: () => 'ALT → NEU',
  rows_not_shown: ({ rows, option }) => `… und ${zahl(rows)} weitere (${option} zeigt alle)`,
  rest_not_shown: ({ option }) => `… (${option} zeigt alles)`,
  totals_only: ({ totals, option }) => `${totals} (${option} zeigt alle)`,
  blank_value: () => 'leer',
  same_as_earlier_row: () => 'gleicht einer früheren Zeile',
  stays_as_it_is: () => 'bleibt, wie es ist',
};
