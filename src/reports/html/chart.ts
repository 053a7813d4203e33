/**
 * Charts as SVG without a view box: widths are percentages and text is in pixels, so that a chart fills its place
 * and stays readable on a phone. Colours come from classes because the page's policy allows no inline styles. Each
 * chart has a title and a description, and a table beside it with the same figures.
 */
import { chartRows, type ChartRows, numberAt } from '../chart-data.ts';
import type { Block, Chart, Column } from '../model.ts';
import { currencyText, type ValueFormat } from '../value-text.ts';
import { escapeHtml } from './escape.ts';

const BAR_ROW = 44;
const COLUMN_HEIGHT = 220;
const LINE_HEIGHT = 240;
/** Longest label on a phone, in Latin letters; others (Chinese, emoji) count as two. */
const LABEL = 26;

/** '' if there is nothing to show. @param id unique in the page */
export function svgChart(block: Block, columns: readonly Column[], id: string, format: ValueFormat): string {
  const { chart } = block;
  const data = chartRows(block, columns);
  if (chart === undefined || data === undefined) return '';
  const draw = { bars, columns: uprights, lines }[chart.kind];
  const { body, height } = draw(data, block, format);
  const title = titleOf(chart, block);
  const more = block.rows.length - data.rows.length;
  const caption =
    more > 0 ? `${title}: the first ${data.rows.length}; ${format.count(more)} more in the table` : title;
  return (
    `<figure><figcaption>${escapeHtml(caption)}</figcaption>` +
    `<svg role="img" aria-labelledby="${id}-t ${id}-d" width="100%" height="${height}">` +
    `<title id="${id}-t">${escapeHtml(title)}</title><desc id="${id}-d">${escapeHtml(describe(data, block, format))}</desc>` +
    `${body}</svg></figure>`
  );
}

function titleOf(chart: Chart, { currency }: Block): string {
  return currency === undefined || !/value|total/i.test(chart.title)
    ? chart.title
    : `${chart.title}, ${currencyText(currency)}`;
}

/** The chart in words; the table beside it has every figure. */
function describe({ rows, label, series }: ChartRows, { currency }: Block, format: ValueFormat): string {
  const [first] = series;
  if (first === undefined) return '';
  const say = (row: ChartRows['rows'][number]) =>
    `${labelAt(row, label, format)} ${textAt(row, first, currency, format) || 'unknown'}`;
  const values = rows.slice(0, 12).map(say).join('; ');
  return `${first.column.title}: ${values}${rows.length > 12 ? '; and so on' : ''}. The table has the same figures.`;
}

function labelAt(row: ChartRows['rows'][number], index: number, format: ValueFormat): string {
  const text = String(row.values[index] ?? '');
  return /^\d{4}-\d\d-\d\dT/.test(text) ? format.time(text) : text;
}

function textAt(
  row: ChartRows['rows'][number],
  { index, column }: ChartRows['series'][number],
  currency: string | undefined,
  format: ValueFormat,
): string {
  return format.text(row.values[index] ?? null, column.kind, currency);
}

function shorten(text: string): string {
  let width = 0;
  let short = '';
  for (const letter of text) {
    width += letter > '\u{10FF}' ? 2 : 1;
    if (width > LABEL) return `${short}…`;
    short += letter;
  }
  return text;
}

function percent(share: number): string {
  return `${(Math.min(1, Math.max(0, share)) * 100).toFixed(2)}%`;
}

interface Drawing {
  body: string;
  height: number;
}

/** Horizontal bars, with label and figure above each. */
function bars({ rows, label, series }: ChartRows, { currency }: Block, format: ValueFormat): Drawing {
  const [first] = series;
  if (first === undefined) return { body: '', height: 0 };
  const most = Math.max(...rows.map((row) => numberAt(row, first.index)));
  const body = rows.map((row, index) => {
    const y = index * BAR_ROW;
    const value = numberAt(row, first.index);
    return (
      `<text class="label" x="0" y="${y + 16}">${escapeHtml(shorten(labelAt(row, label, format)))}</text>` +
      `<text class="figure" x="100%" y="${y + 16}" text-anchor="end">${escapeHtml(textAt(row, first, currency, format) || '–')}</text>` +
      `<rect class="track" x="0" y="${y + 23}" width="100%" height="10" rx="5"/>` +
      (value > 0
        ? `<rect class="bar" x="0" y="${y + 23}" width="${percent(value / most)}" height="10" rx="5"/>`
        : '')
    );
  });
  return { body: body.join(''), height: rows.length * BAR_ROW };
}

/** Vertical columns in the order of the rows. If there are many, narrow screens hide every other label. */
function uprights({ rows, label, series }: ChartRows, _block: Block, format: ValueFormat): Drawing {
  const [first] = series;
  if (first === undefined) return { body: '', height: 0 };
  const most = Math.max(...rows.map((row) => numberAt(row, first.index)));
  const floor = COLUMN_HEIGHT - 26;
  const body = rows.map((row, index) => {
    const value = numberAt(row, first.index);
    const tall = value <= 0 ? 0 : Math.max(1, (value / most) * (floor - 24));
    const middle = percent((index + 0.5) / rows.length);
    const minor = rows.length > 7 && index % 2 === 1 ? ' minor' : '';
    return (
      `<rect class="bar" x="${percent((index + 0.16) / rows.length)}" y="${(floor - tall).toFixed(1)}" width="${percent(0.68 / rows.length)}" height="${tall.toFixed(1)}" rx="3"/>` +
      `<text class="figure small${minor}" x="${middle}" y="${(floor - tall - 6).toFixed(1)}" text-anchor="middle">${value > 0 ? escapeHtml(format.compact(value)) : ''}</text>` +
      `<text class="label small${minor}" x="${middle}" y="${COLUMN_HEIGHT - 6}" text-anchor="middle">${escapeHtml(shorten(labelAt(row, label, format)))}</text>`
    );
  });
  return {
    body: `${body.join('')}<line class="axis" x1="0" x2="100%" y1="${floor}" y2="${floor}"/>`,
    height: COLUMN_HEIGHT,
  };
}

/** Lines over time: horizontal positions follow the times, not the rows. */
function lines({ rows, label, series }: ChartRows, { currency }: Block, format: ValueFormat): Drawing {
  const times = rows.map((row) => Date.parse(String(row.values[label])));
  const [start, end] = [Math.min(...times), Math.max(...times)];
  const all = rows.flatMap((row) => series.map(({ index }) => numberAt(row, index)));
  const [low, high] = [Math.min(0, ...all), Math.max(...all)];
  const [top, floor] = [34, LINE_HEIGHT - 26];
  const y = (value: number) => floor - ((value - low) / (high - low || 1)) * (floor - top);
  const paths = series.map(({ index }, which) => {
    const points = rows.map((row, at) => {
      const across = ((times[at] ?? start) - start) / (end - start || 1);
      return `${(across * 1000).toFixed(1)},${(y(numberAt(row, index)) - top).toFixed(1)}`;
    });
    return `<polyline class="line s${which}" points="${points.join(' ')}" vector-effect="non-scaling-stroke"/>`;
  });
  const latest = rows.at(-1);
  // The legend shows the latest figures: beside the lines they would overlap.
  const legend = series.map((one, which) => {
    const figure =
      latest === undefined
        ? ''
        : ` <tspan class="latest">${escapeHtml(textAt(latest, one, currency, format))}</tspan>`;
    return (
      `<rect class="key s${which}" x="${which * 50}%" y="4" width="12" height="12" rx="3"/>` +
      `<text class="label small" x="${which * 50}%" dx="18" y="14">${escapeHtml(one.column.title)}${figure}</text>`
    );
  });
  const [first, last] = [rows[0], latest].map((row) =>
    row === undefined ? '' : labelAt(row, label, format),
  );
  return {
    body:
      `${legend.join('')}<svg x="0" y="${top}" width="100%" height="${floor - top}" viewBox="0 0 1000 ${floor - top}" preserveAspectRatio="none">${paths.join('')}</svg>` +
      `<line class="axis" x1="0" x2="100%" y1="${y(low).toFixed(1)}" y2="${y(low).toFixed(1)}"/>` +
      `<text class="label small" x="0" y="${LINE_HEIGHT - 6}">${escapeHtml(first ?? '')}</text>` +
      `<text class="label small" x="100%" y="${LINE_HEIGHT - 6}" text-anchor="end">${escapeHtml(last ?? '')}</text>`,
    height: LINE_HEIGHT,
  };
}
