/** Ticked columns, one tag each: `Vintage: x, Signed: , Boxed: yes` gives vintage and boxed. */
import { message } from '../../messages/message.ts';
import { rowIssue } from '../issue.ts';
import { cellText } from '../../sheets/cell.ts';
import { cut } from '../casts/cast.ts';
import { notYesOrNo, yesOrNo } from '../casts/yes-no.ts';
import type { ColumnStep } from './column-step.ts';
import type { TickedColumn } from './columns.ts';
import type { HeaderRow } from './find-column.ts';
import { textForm } from '../text-form.ts';
import { isBlankWord } from '../word-lists.ts';

/**
 * One step for all ticked columns. It runs after the tags column, whose tags come first; none occurs twice. If nothing
 * is ticked and the row has no other tags, tags are left alone.
 */
export function tickedStep(ticked: readonly TickedColumn[], table: HeaderRow): ColumnStep {
  return (cells, row) => {
    let tags: string[] | undefined;
    for (const { index, tag } of ticked) {
      const text = cellText(cells[index] ?? null).trim();
      if (text === '' || isBlankWord(text)) continue;
      const answer = yesOrNo(text);
      if (answer === undefined) {
        const { code, what, expected } = notYesOrNo(text);
        const about = {
          field: 'tags',
          header: table.headers[index] ?? '',
          column: table.letters[index] ?? '',
          found: cut(text),
          ...(expected === undefined ? {} : { expected }),
        };
        row.issues.push(rowIssue(code, message('cell_problem', { field: 'tags', what }), about));
      } else if (answer) {
        tags ??= Array.isArray(row.fields.tags?.value) ? [...(row.fields.tags.value as string[])] : [];
        if (!tags.includes(tag)) tags.push(tag);
      }
    }
    if (tags !== undefined) row.fields.tags = { value: tags, text: textForm('tags', tags) };
  };
}
