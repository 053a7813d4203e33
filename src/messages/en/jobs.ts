import type { JOBS } from '../params/jobs.ts';
import type { TextsOf } from '../texts.ts';
import { count, counted, quoted } from './format.ts';

export const EN_JOBS: TextsOf<typeof JOBS> = {
  already_imported: ({ job }) => `Job ${job} has already imported this file: an import would send nothing.`,
  left_out_of_public: ({ columns }) =>
    `${counted(columns.length, 'column')} that nothing maps (${columns.join(', ')}) ${columns.length === 1 ? 'is' : 'are'} left out, because everybody can see the collection.`,
  kept_columns: ({ columns }) =>
    `${counted(columns.length, 'column')} that nothing maps (${columns.join(', ')}) ${columns.length === 1 ? 'is kept as a custom field' : 'are kept as custom fields'}.`,
  held_for_quantity: ({ rows, key }) =>
    `${counted(rows, 'row is', 'rows are')} held, because more items have the same ${key} than the quantity says.`,
  no_item_matches: () => 'No item matches: there is nothing to change.',
  template_used: ({ template }) => `The columns are those of the template ${template}, which is used.`,
  template_matches: ({ template }) => `The columns are those of the template ${template}.`,
  answers_remembered: ({ day, columns }) =>
    `Columns as confirmed on ${day} for these headers: ${columns.join('; ')}.`,
  together_the_name: ({ headers, text }) =>
    `${headers.map(quoted).join(' and ')} together are the name, such as ${quoted(text)}.`,
  words_do_not_fit: ({ header, field, cells, of, texts }) =>
    `${quoted(header)} is not read as ${field}, because its words do not fit (${cells} of ${counted(of, 'cell')} ${cells === 1 ? 'does' : 'do'}: ${texts.map(quoted).join(', ')}).`,
  collections_not_known: ({ header, texts, collection }) =>
    `${quoted(header)} names no collection of your team (${texts.map(quoted).join(', ')}): the rows go to ${collection}, and the column is kept as a custom field.`,
  column_taken: ({ header, field, reason }, say) =>
    `${quoted(header)} → ${field} is likely, and used (${say(reason)}).`,
  column_guessed: ({ header, field, reason }, say) =>
    `${quoted(header)} → ${field} is a guess, and not used (${say(reason)}).`,
  updates_own_export: () =>
    'This file is an export of this account: its rows change the items that they name by id, and blank cells change nothing.',
  foreign_export: () =>
    'This file is an export, and none of the items that it names is in this account. Nothing was sent.',
  could_fill_down: ({ header, rows, blank }) =>
    `${header} is blank in ${count(blank)} of ${counted(rows, 'row')}, each time below a filled one.`,
};
