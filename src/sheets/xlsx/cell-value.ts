import { type Cell, type CellError, NO_RESULT } from '../cell.ts';
import { decodeEscapes } from './escapes.ts';
import { isoToDate, numberCell } from '../workbook/serial-date.ts';
import type { XlsxBook } from './workbook.ts';

/** A `c` element's content before it is understood. */
export interface CellSource {
  /** Attribute `t` (ECMA-376 part 1, 18.18.11): n, s, str, inlineStr, b, e, d. */
  type: string;
  /** Attribute `s`, the style's index. */
  style: string;
  value: string;
  /** Text of `is`, if the cell has it. */
  inline: string | undefined;
  formula: boolean;
}

/** The cell's own value: a formula's cached result, a date if the number format shows one. */
export function cellValue(cell: CellSource, workbook: XlsxBook): Cell {
  const { value } = cell;
  switch (cell.type) {
    case 's':
      if (value === '') return null;
      return workbook.sharedStrings.get(Number(value)) ?? error('#REF!');
    case 'str':
      return decodeEscapes(value);
    case 'inlineStr':
      return decodeEscapes(cell.inline ?? value);
    case 'b':
      if (value === '') return cell.formula ? error(NO_RESULT) : null;
      return value === '1' || value === 'true';
    case 'e':
      return error(value === '' ? '#N/A' : value);
    case 'd':
      if (value === '') return cell.formula ? error(NO_RESULT) : null;
      return isoToDate(value) ?? value;
    default:
      return numberValue(cell, workbook);
  }
}

function numberValue(cell: CellSource, workbook: XlsxBook): Cell {
  if (cell.value === '') {
    if (cell.formula) return error(NO_RESULT);
    return cell.inline === undefined ? null : decodeEscapes(cell.inline);
  }
  const number = Number(cell.value);
  // Some programs omit the type although they write text.
  if (Number.isNaN(number)) return cell.value;
  const format = cell.style === '' ? undefined : workbook.formats[Number(cell.style)];
  return numberCell(number, format, workbook.epoch1904);
}

function error(text: string): CellError {
  return { kind: 'error', text };
}
