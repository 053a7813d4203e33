import type { MATCHES } from '../params/matches.ts';
import type { TextsOf } from '../texts.ts';
import { anzahl, quoted, zahl } from './format.ts';

export const DE_MATCHES: TextsOf<typeof MATCHES> = {
  ambiguous_match: (params) => itemsWith(params),
  surplus_items: ({ quantity, ...params }) =>
    `${itemsWith(params)}; die Anzahl der Zeile ist ${zahl(quantity)}`,
  not_a_candidate: ({ key, item }) => `Stück ${item} hat in ${key} einen anderen Wert`,
  blank_key: ({ key }) => `${key} ist leer, also lässt sich kein Stück finden`,
  key_changed: ({ key, now, items }) =>
    `das Stück, das mit diesem ${key} angelegt wurde, hat inzwischen ${now.map(quoted).join(', ')}: ${items.join(', ')}`,
  new_item_without_collection: () => 'kein Stück passt, und ein neues braucht eine Sammlung',
  row_without_collection: () =>
    'keine Sammlung: Die Zelle ist leer, und es ist keine Sammlung für alle Zeilen angegeben',
  not_missing: () =>
    'das Stück fehlt nicht mehr: Sein Schlüssel steht in der Datei, oder es ist nicht mehr in der Sammlung',
  left_out_by_person: () => 'von Hand ausgelassen',
  skipped_by_person: () => 'von Hand übersprungen',
  kept_by_person: () => 'jemand hat entschieden, das Stück so zu lassen, wie es ist',
  left_out_of_quantity: ({ quantity }) => `ausgelassen: Die Anzahl ist ${zahl(quantity)}`,
  action_says_keep: () => 'In der Spalte action steht keep oder nichts.',
  action_not_known: ({ text }) => `${quoted(text)} ist keine Aktion: erwartet wird keep oder archive`,
  server_merges: ({ field }) =>
    `${field} ließ sich nicht entfernen, weil dieser Server custom_fields zusammenführt; alles andere wurde geändert`,
  value_not_kept: ({ field, sent, found }) =>
    `der Server hat ${field} nicht so gespeichert, wie es gesendet wurde: Aus ${sent} wurde ${value(found)}`,
  drifted: ({ changes, means }, say) =>
    `${changes.map(say).join('; ')}${means === undefined ? '' : `: ${say(means)}`}`,
  changed_since_plan: ({ field, was, now, planned }) =>
    `${field} war beim Planen ${value(was)} und ist jetzt ${value(now)}${planned === undefined ? '' : ` (geplant: ${value(planned)})`}`,
  changed_since_job: ({ field, set, now, before }) =>
    `${field} wurde vom Job auf ${value(set)} gesetzt und ist jetzt ${value(now)}${before === undefined ? '' : ` (vor dem Job: ${value(before)})`}`,
  differs_from_file: ({ field, now, row }) =>
    `${field} ist jetzt ${value(now)} und in der Datei ${value(row)}`,
  changed_since_export: ({ exported, changed }) =>
    `das Stück wurde um ${changed} geändert, nach dem Export (${exported}); die Datei enthält vielleicht ältere Werte`,
  left_selection: ({ where }) => `das Stück passt nicht mehr zu ${quoted(where)}`,
  no_copy_left: ({ items }) => `es ist kein gleiches Stück mehr da: ${items.join(', ')}`,
  file_may_have_item: () => 'inzwischen steht das Stück vielleicht in der Datei',
  no_item_when_planned: () => 'als der Plan entstand, hatte kein Stück diesen Schlüssel',
  may_be_other_item: () => 'die Zeile meint inzwischen vielleicht ein anderes Stück',
  key_may_not_be_kept: ({ key, sent, stored }) =>
    `der Server speichert ${key} vielleicht anders: ${quoted(sent)} ${stored === '' ? 'hat er nicht gespeichert' : `wurde bei ihm zu ${quoted(stored)}`}`,
};

function itemsWith({ key, count, items }: { key: string; count: number; items: readonly string[] }): string {
  return `${anzahl(count, 'Stück hat', 'Stücke haben')} denselben Wert in ${key}: ${items.join(', ')}`;
}

function value(text: string): string {
  return text === '' ? 'leer' : text;
}
