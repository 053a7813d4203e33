/** The job's original workbook, with the cells marked that cannot be sent as they are. */
import { UsageError } from '../../base/errors.ts';
import { byHand, message } from '../../messages/message.ts';
import type { Message } from '../../messages/params.ts';
import type { JobRecord, Ledger, StoredIssue } from '../../ledger/ledger.ts';
import { hashFile } from '../../sheets/hash-file.ts';
import type { CellNote } from '../../sheets/xlsx/notes-xml.ts';
import { readJudging, tableOf } from '../job/judging.ts';
import { rowPages } from '../job/row-pages.ts';
import { MAX_RETURNED_CELLS } from './returned-workbook.ts';

/**
 * @param say the text of a problem in the person's language
 * @throws UsageError, SheetError `cannot_mark`, if only a rejects file can be made; `cannot_mend`
 */
export async function markedWorkbook(
  job: JobRecord,
  ledger: Ledger,
  say: (issue: StoredIssue) => string,
): Promise<Buffer> {
  const { tables } = await readJudging(job, ledger);
  const { file, format, sha256 } = job.source;
  if (format !== 'xlsx') throw cannotMark(file, message('is_no_plain_xlsx', {}));
  if ((await hashFile(file)) !== sha256) throw cannotMark(file, message('was_changed_since', {}));
  const { markWorkbook } = await import('../../sheets/xlsx/mark-workbook.ts');
  const { columnOf } = await import('../../sheets/xlsx/row-collector.ts');
  const sheets = new Map<string, CellNote[]>();
  let count = 0;
  for await (const rows of rowPages(ledger, job.id, { states: ['invalid'] })) {
    for (const row of rows) {
      if (row.copy > 0 || row.attempts > 0) continue;
      const first = tableOf(tables, row)?.letters[0] ?? 'A';
      const sheet = row.sheet ?? '';
      const notes = sheets.get(sheet) ?? [];
      sheets.set(sheet, notes);
      for (const [letter, issues] of Map.groupBy(row.issues, (issue) => issue.letter ?? first)) {
        count += 1;
        if (count > MAX_RETURNED_CELLS)
          throw cannotMark(file, message('too_many_to_mark', { most: MAX_RETURNED_CELLS }));
        notes.push({ row: row.sheetRow, column: columnOf(letter), text: issues.map(say).join('\n') });
      }
    }
  }
  return markWorkbook(file, sheets, job.id);
}

function cannotMark(file: string, why: Message): UsageError {
  return new UsageError('cannot_mark', message('cannot_mark', { file, why }), {
    position: { file },
    actions: [byHand('correct_rejects_file', {})],
  });
}
