/**
 * Unresolved Git merge conflicts: `<<<<<<<`, one version, `=======`, the other, `>>>>>>>`. Importing both versions of a
 * row would create two items, so neither is imported.
 */
import { message } from '../messages/message.ts';
import { type RawRow, rowProblem } from './raw-row.ts';

const MARKER = /^(?:<{7}|={7}|>{7}|\|{7})(?: |$)/u;
/** Rows after which a start marker without an end marker is ignored. */
const MAX_ROWS = 1000;

export class MergeConflict {
  private since: RawRow | undefined;
  private rows = 0;

  /** The problem of a row that is a conflict marker or is between two markers. Call it for the rows in order. */
  check(row: RawRow): RawRow['problem'] {
    const first = row.cells[0];
    // Runs on every row: checking the length and the first two characters avoids the expression.
    if (typeof first === 'string' && first.length > 6 && first[0] === first[1] && MARKER.test(first)) {
      const sign = first.slice(0, 7);
      if (sign === '<<<<<<<') this.since = row;
      else if (sign === '>>>>>>>') this.since = undefined;
      this.rows = 0;
      return rowProblem('merge_conflict', message('conflict_marker', { line: row.line ?? row.number, sign }));
    }
    if (this.since === undefined) return undefined;
    this.rows += 1;
    if (this.rows > MAX_ROWS) this.since = undefined;
    const began = this.since?.line ?? this.since?.number;
    return began === undefined
      ? undefined
      : rowProblem('merge_conflict', message('conflict_version', { line: began }));
  }
}
