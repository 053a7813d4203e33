import type { STORY } from '../params/story.ts';
import type { TextsOf } from '../texts.ts';
import { anzahl, dauer, quoted } from './format.ts';

export const DE_STORY: TextsOf<typeof STORY> = {
  item_named: ({ item, name }) => `Stück ${item}${name === undefined ? '' : `: ${name}`}`,
  item_gone_values_last: () =>
    'Der Dienst hat dieses Stück nicht mehr; angezeigt werden die Werte, die dieser Speicher zuletzt gesetzt hat.',
  values_are_current: () => 'Angezeigt werden die aktuellen Werte des Dienstes.',
  values_set_last: ({ why }, say) =>
    `Angezeigt werden die Werte, die dieser Speicher zuletzt gesetzt hat${why === undefined ? '' : ` (nicht vom Dienst gelesen: ${say(why).replace(/\.$/, '')})`}.`,
  no_item_within: ({ time }) => `keine Antwort innerhalb von ${dauer(time)}`,
  head_value: () => 'WERT',
  head_why: () => 'WARUM',
  blank_and_never_set: ({ fields }) => `leer und von diesem Speicher nie gesetzt: ${fields.join(', ')}`,
  no_job_touched_item: () => 'Kein Job dieses Speichers hat es verändert.',
  title_story: () => 'VERLAUF',
  place_undo: ({ undone, job }) => `das Zurücknehmen von Job ${undone} (Job ${job})`,
  place_row: ({ row, file, sheet, request, job }) =>
    `${[
      ...(file === undefined ? [] : [`Zeile ${row ?? ''} von ${file}`]),
      ...(sheet === undefined ? [] : [`Blatt ${sheet}`]),
      ...(request === undefined ? [] : [quoted(`set ${request}`)]),
    ].join(', ')} (Job ${job})`,
  origin_created: ({ place }, say) => `angelegt durch ${say(place)}`,
  origin_undone: ({ place }, say) => `zurückgesetzt durch ${say(place)}`,
  origin_set: ({ place }, say) => `gesetzt durch ${say(place)}`,
  origin_perhaps: ({ place }, say) => `vielleicht durch ${say(place)}: Die Anfrage blieb ohne Antwort`,
  origin_elsewhere: ({ place, value }, say) =>
    `anderswo geändert; vorher ${value}, gesetzt durch ${say(place)}`,
  origin_pruned: ({ place, day }, say) =>
    `nicht bekannt, vielleicht durch ${say(place)}: Die Werte wurden ${day === undefined ? 'inzwischen' : `am ${day}`} gelöscht`,
  origin_not_sent: ({ place }, say) =>
    `nicht durch diesen Speicher: ohne dieses Feld angelegt durch ${say(place)}`,
  origin_unknown: () => 'nicht durch diesen Speicher: Kein Job hat es geschrieben',
  from_cell: ({ column, text }) => `Spalte ${column}: ${text}`,
  by_request: ({ id }) => `Anfrage ${id}`,
  by_look_up: () => 'durch Nachschlagen gefunden',
  effect_created: () => 'hat das Stück angelegt',
  effect_changed: () => 'hat es geändert',
  effect_perhaps: () => 'hat es vielleicht geändert: Die Anfrage blieb ohne Antwort',
  effect_perhaps_created: () => 'hat es vielleicht angelegt: Das ist noch nicht geklärt',
  effect_none: () => 'hat nichts geändert',
  sent_times: ({ times }) => `${anzahl(times, 'Mal', 'Mal')} gesendet`,
  undone_by_job: ({ job }) => `zurückgenommen von Job ${job}`,
  values_pruned: ({ day }) => `die Werte wurden ${day === undefined ? 'inzwischen' : `am ${day}`} gelöscht`,
  others_changed_it: ({ value }) => `nachdem andere es geändert hatten (vorher ${value})`,
  label_not_done: () => 'nicht ausgeführt',
};
