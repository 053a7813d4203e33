/** Where a step's cell comes from if it is not simply one column: several joined, or the match of a pattern. */
import { message } from '../../messages/message.ts';
import { bareCell, type Cell, cellText, isMoney } from '../../sheets/cell.ts';
import { isBlankCell } from '../../sheets/raw-row.ts';
import { CastProblem, cut } from '../casts/cast.ts';
import { codesBeside } from '../casts/decimal.ts';
import { textPicker } from '../template/patterns.ts';
import type { ColumnOptions } from '../template/template-column.ts';

/** Returns the cell for a row, or its problem. */
export type CellSource = (cells: readonly Cell[]) => Cell | CastProblem;

/**
 * The source that a template describes; undefined if the cell is used unchanged.
 *
 * @param indexes the columns, in the order of the template
 * @param readsMoney a number beside a currency, or that a pattern picks as a whole, stays a number: it is no text with a
 *   decimal mark of its own
 */
export function cellSource(
  spec: ColumnOptions,
  indexes: readonly number[],
  readsMoney: boolean,
): CellSource | undefined {
  const texts = spec.join === undefined ? undefined : joinedCells(indexes, spec.with ?? ' ', spec.needsFirst);
  const joined = texts && readsMoney ? orMoney(indexes, texts) : texts;
  if (spec.pattern === undefined) return joined;
  const [first = -1] = indexes;
  const whole: CellSource = joined ?? ((cells) => cells[first] ?? null);
  const pick = textPicker(spec.pattern, spec.group);
  const { pattern, noMatch = 'issue' } = spec;
  return (cells) => {
    const cell = whole(cells);
    if (cell === null || cell instanceof CastProblem) return cell;
    if (typeof cell === 'object' && cell.kind === 'error') return cell;
    const text = cellText(cell).trim();
    if (text === '') return null;
    const found = pick(text);
    if (found !== undefined) {
      const wholes = readsMoney ? [cell, bareCell(cell)] : [];
      return wholes.find((each) => typeof each !== 'string' && cellText(each) === found) ?? found;
    }
    if (noMatch === 'keep') return cell;
    if (noMatch === 'blank') return null;
    return new CastProblem(
      'no_match',
      message('does_not_fit', { text: cut(text), pattern }),
      message('want_fitting', {}),
    );
  };
}

/** Joins the texts of the filled cells. If one cell is an error, so is the result. `needsFirst`: null if the first is blank. */
function joinedCells(indexes: readonly number[], between: string, needsFirst = false): CellSource {
  return (cells) => {
    const parts: string[] = [];
    for (const index of indexes) {
      const cell = cells[index] ?? null;
      if (cell !== null && typeof cell === 'object' && cell.kind === 'error') return cell;
      const part = cellText(cell).trim();
      if (part !== '') parts.push(part);
      else if (needsFirst && parts.length === 0) return null;
    }
    return parts.length === 0 ? null : parts.join(between);
  };
}

/** A number, and nothing but currencies beside it, is money; any other cells are joined. */
function orMoney(indexes: readonly number[], joined: CellSource): CellSource {
  return (cells) => {
    const text = joined(cells);
    const filled = indexes.map((index) => cells[index] ?? null).filter((cell) => !isBlankCell(cell));
    const [cell, second] = filled.filter((each) => typeof bareCell(each) === 'number');
    const amount = bareCell(cell ?? null);
    if (typeof text !== 'string' || typeof amount !== 'number' || second !== undefined) return text;
    const beside = filled.flatMap((each) =>
      isMoney(each) ? [each.currency] : each === cell ? [] : [cellText(each).trim()],
    );
    if (beside.length === 0) return amount;
    return codesBeside(beside) === undefined ? text : { kind: 'money', amount, currency: beside.join(' ') };
  };
}
