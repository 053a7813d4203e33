/** Reads which of several matching items a person has written into `_item_id` of our rejects file. */
import { message } from '../../messages/message.ts';
import { rowIssue } from '../issue.ts';
import { cellText } from '../../sheets/cell.ts';
import { cut } from '../casts/cast.ts';
import { isResultsFile } from '../../sheets/own-headers.ts';
import type { MappingOptions } from '../mapping.ts';
import type { ColumnStep } from './column-step.ts';
import type { HeaderRow } from './find-column.ts';

/**
 * An id counts only in a row that we rejected because several items match it, and only if the row's `_error` shows it.
 * Elsewhere in rows whose `_item_id` we left blank it is an issue: creating such a row could double the item.
 *
 * @returns undefined for files that are not ours
 */
export function chosenItemStep(
  { headers, letters }: HeaderRow,
  mode: MappingOptions['mode'],
): ColumnStep | undefined {
  const index = headers.indexOf('_item_id');
  if (index === -1 || !isResultsFile(headers)) return undefined;
  return (cells, row) => {
    const textOf = (header: string) => cellText(cells[headers.indexOf(header)] ?? null).trim();
    const found = textOf('_item_id');
    const id = found.toLowerCase();
    const state = textOf('_state');
    const wasBlank = state === 'invalid' || (state === 'refused' && textOf('_action') === 'create');
    // A row with an id column names its item in that column.
    if (id === '' || !wasBlank || row.id !== undefined) return;
    const shown = textOf('_error')
      .toLowerCase()
      .split(/[^0-9a-f-]+/);
    if (mode !== 'create' && textOf('_error_code') === 'ambiguous_match' && shown.includes(id)) {
      row.chosen = id;
      return;
    }
    const said = message('not_shown_for_row', { text: cut(found) });
    const about = {
      header: '_item_id',
      ...(letters[index] === undefined ? {} : { column: letters[index] }),
      found: cut(found),
      expected: message('want_id_shown', {}),
    };
    row.issues.push(rowIssue('not_a_candidate', said, about));
  };
}
