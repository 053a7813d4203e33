/** Tables of a page: figures right-aligned, totals at the foot, and a sort value on each cell that needs one. */
import { foldRows } from '../fold-rows.ts';
import type { Block, Column, Row, Value } from '../model.ts';
import { currencyText, type ValueFormat, machineText } from '../value-text.ts';
import { escapeHtml } from './escape.ts';
import { counted } from '../../base/counted.ts';

/** Maximum number of rows to scroll through; the others are added up in one row. */
const MAX_ROWS = 100;

/** @param caption describes the table to people who cannot see it */
export function htmlTable(
  block: Block,
  columns: readonly Column[],
  caption: string,
  format: ValueFormat,
): string {
  const { rows, rest, left } = foldRows(block, columns, MAX_ROWS);
  const { currency, total } = block;
  const foot = [...(rest === undefined ? [] : [rest]), ...(total === undefined ? [] : [total])];
  const body = rows.map((row) => tableRow(row, columns, currency, format)).join('\n');
  const ends = foot.map((row) => tableRow(row, columns, currency, format)).join('\n');
  const more =
    left > 0 && rest === undefined
      ? `<p class="note">${counted(left, 'more row is', 'more rows are')} not shown. The .xlsx and .csv reports have more of them.</p>`
      : '';
  return (
    `<div class="scroll" tabindex="0" role="group" aria-label="${escapeHtml(caption)}"><table>` +
    `<caption>${escapeHtml(caption)}</caption>\n<thead><tr>${columns.map((column) => heading(column, currency)).join('')}</tr></thead>\n` +
    `<tbody>\n${body}\n</tbody>${ends === '' ? '' : `\n<tfoot>\n${ends}\n</tfoot>`}</table></div>${more}`
  );
}

function heading({ title, kind }: Column, currency: string | undefined): string {
  const unit = kind === 'money' && currency !== undefined ? ` (${currencyText(currency)})` : '';
  return `<th scope="col" class="${classOf(kind)}">${escapeHtml(title + unit)}</th>`;
}

function tableRow(
  row: Row,
  columns: readonly Column[],
  currency: string | undefined,
  format: ValueFormat,
): string {
  return `<tr>${columns.map((column, index) => cell(row.values[index] ?? null, column, index, currency, format)).join('')}</tr>`;
}

function cell(
  value: Value,
  { kind }: Column,
  index: number,
  currency: string | undefined,
  format: ValueFormat,
): string {
  const text = escapeHtml(format.text(value, kind, currency));
  if (index === 0)
    return `<th scope="row" class="${classOf(kind)}"${sortValue(value, kind, currency)}>${text}</th>`;
  return `<td class="${classOf(kind)}"${sortValue(value, kind, currency)}>${text}</td>`;
}

/** Text is sorted as displayed. */
function sortValue(value: Value, kind: Column['kind'], currency: string | undefined): string {
  if (kind === 'text' || value === null) return '';
  return ` data-v="${escapeHtml(machineText(value, kind, currency))}"`;
}

function classOf(kind: Column['kind']): string {
  return kind === 'text' ? 't' : kind === 'time' ? 'd' : 'n';
}
