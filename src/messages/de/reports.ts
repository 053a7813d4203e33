import type { REPORTS } from '../params/reports.ts';
import type { TextsOf } from '../texts.ts';
import { anzahl, list } from './format.ts';

export const DE_REPORTS: TextsOf<typeof REPORTS> = {
  bad_zone: ({ zone }) => `„${zone}“ ist keine Zeitzone; gültig ist zum Beispiel Europe/Berlin.`,
  not_a_month: ({ given }) => `„${given}“ ist kein Monat; gültig ist zum Beispiel 2026-10.`,
  not_a_day: ({ given }) => `„${given}“ ist kein Tag; gültig ist zum Beispiel 2026-10-31.`,
  not_a_period: ({ given }) =>
    `„${given}“ ist kein Zeitraum; gültig ist zum Beispiel 2026, 2026-10 oder 2026-10-31.`,
  period_not_over: ({ period, end }) =>
    `${period} ist noch nicht vorbei, sondern endet am ${end}. Vorher stehen die Zahlen nicht fest.`,
  no_reading: ({ at, days }, say) =>
    `Es gibt keine Aufzeichnung, die höchstens einen Tag vor oder nach ${at} liegt. ${say(days)}`,
  only_one_reading: ({ start, end, at }) =>
    `Die Aufzeichnung vom ${at} liegt sowohl ${start} als auch ${end} am nächsten; die Verkäufe dazwischen sind nicht bekannt.`,
  reading_incomplete: ({ at }) => `Einträge der Aufzeichnung vom ${at} wurden aus dem Speicher gelöscht.`,
  no_readings: () => 'Der Speicher hat keine brauchbare Aufzeichnung.',
  readings_of: ({ days, earlier }, say) =>
    `Der Speicher hat Aufzeichnungen von ${earlier ? 'früheren Tagen und von ' : ''}${days.map(say).join(', ')}.`,
  day_range: ({ from, to }) => `${from} bis ${to}`,
  report_without_time: ({ report }) => `Den Bericht ${report} gibt es nicht für diese Zeit.`,
  past_day_groups: () =>
    'Von einem vergangenen Tag sind nur Sammlungen und Status bekannt; nach anderen Feldern lässt sich nicht gruppieren.',
  sales_no_groups: () =>
    'Der Verkaufsbericht hat nur Summen; es gibt keine Stücke, die sich gruppieren ließen.',
  no_group_field: ({ field }) => `Es gibt kein Feld „${field}“, nach dem sich gruppieren lässt.`,
  to_group_by_near: () => 'Um nach dem ähnlichen Feld zu gruppieren',
  fields_to_group: ({ known }) => `Felder: ${list(known)}.`,
  bad_currency: ({ given }) =>
    `„${given}“ ist keine Währung nach ISO 4217 mit Untereinheit: Die Zahl ihrer Nachkommastellen ist nicht bekannt.`,
  give_currency: () =>
    'Gib einen Code aus drei Buchstaben an, zum Beispiel USD, EUR oder JPY, oder keine Währung für die rohen Beträge.',
  month_not_zip: ({ file }) => `Ein Monatsbericht ist ein Paket aus Dateien: ${file} endet nicht auf .zip.`,
  month_needs_store: () =>
    'Ein Monatsbericht braucht die Aufzeichnungen eines Speichers, aber es gibt keinen Speicher.',
  no_item_in_currency: ({ currency, others }) =>
    `Kein Stück hat einen Wert in ${currency}; ${anzahl(others, 'Stück hat', 'Stücke haben')} Werte in anderen Währungen.`,
  items_may_be_missing: () =>
    'Die Liste hat sich beim Lesen geändert; es können Stücke fehlen. Siehe Vollständigkeit.',
  collections_by_id: () =>
    'Sammlungen werden mit ihrer ID angezeigt: Der Schlüssel darf ihre Namen nicht lesen (collections:read).',
  other_currencies_left_out: ({ items, currency }) =>
    `${anzahl(items, 'Stück', 'Stücke')} in anderen Währungen als ${currency} ${items === 1 ? 'ist' : 'sind'} wie gewünscht ausgelassen.`,
  month_without_opening: ({ at, days }, say) =>
    `Es gibt keine Aufzeichnung mit Stücken, die höchstens einen Tag vor oder nach ${at} liegt; Zugänge und Abgänge sind deshalb nicht bekannt. ${say(days)}`,
  month_sales_unknown: ({ why }, say) => `Die Verkäufe des Monats sind nicht bekannt. ${say(why)}`,
  sales_not_permitted: () =>
    'Die Verkäufe sind nicht bekannt: Der Schlüssel darf sie nicht lesen (analytics:read).',
  keep_readings: () =>
    'Plane einen Bericht für jede Nacht, damit es von den kommenden Tagen Aufzeichnungen gibt.',
};
