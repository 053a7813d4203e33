import type { STORY } from '../params/story.ts';
import type { TextsOf } from '../texts.ts';
import { counted, duration, quoted } from './format.ts';

export const EN_STORY: TextsOf<typeof STORY> = {
  item_named: ({ item, name }) => `item ${item}${name === undefined ? '' : `: ${name}`}`,
  item_gone_values_last: () =>
    'The API no longer has this item; the values shown are the last ones that this store set.',
  values_are_current: () => 'The values are the current ones in the API.',
  values_set_last: ({ why }, say) =>
    `The values are the last ones that this store set${why === undefined ? '' : ` (not read from the API: ${say(why).replace(/\.$/, '')})`}.`,
  no_item_within: ({ time }) => `no answer within ${duration(time)}`,
  head_value: () => 'VALUE',
  head_why: () => 'WHY',
  blank_and_never_set: ({ fields }) => `blank, and never set by this store: ${fields.join(', ')}`,
  no_job_touched_item: () => 'No job of this store has changed it.',
  title_story: () => 'STORY',
  place_undo: ({ undone, job }) => `the undo of job ${undone} (job ${job})`,
  place_row: ({ row, file, sheet, request, job }) =>
    `${[
      ...(file === undefined ? [] : [`row ${row ?? ''} of ${file}`]),
      ...(sheet === undefined ? [] : [`sheet ${sheet}`]),
      ...(request === undefined ? [] : [quoted(`set ${request}`)]),
    ].join(', ')} (job ${job})`,
  origin_created: ({ place }, say) => `created by ${say(place)}`,
  origin_undone: ({ place }, say) => `undone by ${say(place)}`,
  origin_set: ({ place }, say) => `set by ${say(place)}`,
  origin_perhaps: ({ place }, say) => `perhaps ${say(place)}, whose request was not answered`,
  origin_elsewhere: ({ place, value }, say) => `changed elsewhere; ${say(place)} set it to ${value}`,
  origin_pruned: ({ place, day = 'an unknown day' }, say) =>
    `not known: the values of ${say(place)} were pruned on ${day}`,
  origin_not_sent: ({ place }, say) => `not by this store: ${say(place)} created the item without this field`,
  origin_unknown: () => 'not by this store: no job wrote it',
  from_cell: ({ column, text }) => `column ${column}: ${text}`,
  by_request: ({ id }) => `request ${id}`,
  by_look_up: () => 'found by looking it up',
  effect_created: () => 'created the item',
  effect_changed: () => 'changed it',
  effect_perhaps: () => 'may have changed it: the request was not answered',
  effect_perhaps_created: () => 'may have created it: not confirmed yet',
  effect_none: () => 'changed nothing',
  sent_times: ({ times }) => `sent ${counted(times, 'time')}`,
  undone_by_job: ({ job }) => `undone by job ${job}`,
  values_pruned: ({ day = 'an unknown day' }) => `its values were pruned on ${day}`,
  others_changed_it: ({ value }) => `after others had changed it from ${value}`,
  label_not_done: () => 'not done',
};
