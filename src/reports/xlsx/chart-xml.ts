/**
 * Charts for spreadsheet programs (DrawingML, ECMA-376 part 1, 21.2). They take their figures from cells and carry
 * a copy for programs that do not calculate. Elements must be in the order of the schema; otherwise Excel offers to
 * repair the workbook.
 */

/** A range of cells, and its values. */
export interface CellRange {
  /** `'By brand'!$F$5:$F$16` */
  reference: string;
  values: readonly (string | number | null)[];
}

export interface ChartSpec {
  kind: 'bars' | 'columns' | 'lines';
  title: string;
  /** Alternative text for people who cannot see the chart. */
  description: string;
  categories: CellRange;
  series: readonly { name: CellRange; values: CellRange; numberFormat: string }[];
  /** Number format of categories that are numbers (times). */
  categoryFormat?: string;
  /** 0-based cell of the upper left corner. */
  at: { column: number; row: number };
}

const COLOURS = ['1F7A83', 'B8741A', '6B5B95', '8A8D3B'];
/** Size of a chart in cells. */
const SIZE = { columns: 9, rows: 20 };

const NAMESPACES =
  'xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

/** The part `xl/charts/chartN.xml`. */
export function chartXml(chart: ChartSpec): string {
  const drawn = chart.kind === 'lines' ? lineChart(chart) : barChart(chart);
  const legend =
    chart.series.length > 1 ? '<c:legend><c:legendPos val="b"/><c:overlay val="0"/></c:legend>' : '';
  return (
    `${HEAD}<c:chartSpace ${NAMESPACES}><c:roundedCorners val="0"/><c:chart>` +
    `<c:title><c:tx><c:rich><a:bodyPr/><a:p><a:pPr><a:defRPr sz="1200" b="1"/></a:pPr><a:r><a:rPr lang="en-US" sz="1200" b="1"/><a:t>${escapeXml(chart.title)}</a:t></a:r></a:p></c:rich></c:tx><c:overlay val="0"/></c:title>` +
    `<c:autoTitleDeleted val="0"/><c:plotArea><c:layout/>${drawn}${axes(chart)}</c:plotArea>${legend}` +
    '<c:plotVisOnly val="1"/><c:dispBlanksAs val="gap"/></c:chart></c:chartSpace>'
  );
}

function barChart(chart: ChartSpec): string {
  const series = chart.series.map(
    (one, index) =>
      `<c:ser>${identity(one, index)}<c:spPr><a:solidFill><a:srgbClr val="${colour(index)}"/></a:solidFill></c:spPr><c:invertIfNegative val="0"/>${figures(chart, one)}</c:ser>`,
  );
  return `<c:barChart><c:barDir val="${chart.kind === 'bars' ? 'bar' : 'col'}"/><c:grouping val="clustered"/><c:varyColors val="0"/>${series.join('')}<c:gapWidth val="60"/><c:axId val="1"/><c:axId val="2"/></c:barChart>`;
}

function lineChart(chart: ChartSpec): string {
  const series = chart.series.map(
    (one, index) =>
      `<c:ser>${identity(one, index)}<c:spPr><a:ln w="28575"><a:solidFill><a:srgbClr val="${colour(index)}"/></a:solidFill></a:ln></c:spPr><c:marker><c:symbol val="circle"/><c:size val="5"/></c:marker>${figures(chart, one)}<c:smooth val="0"/></c:ser>`,
  );
  return `<c:lineChart><c:grouping val="standard"/><c:varyColors val="0"/>${series.join('')}<c:marker val="1"/><c:axId val="1"/><c:axId val="2"/></c:lineChart>`;
}

function identity({ name }: ChartSpec['series'][number], index: number): string {
  return `<c:idx val="${index}"/><c:order val="${index}"/><c:tx>${texts(name)}</c:tx>`;
}

function figures(
  { categories, categoryFormat }: ChartSpec,
  { values, numberFormat }: ChartSpec['series'][number],
): string {
  const names = categoryFormat === undefined ? texts(categories) : numbers(categories, categoryFormat);
  return `<c:cat>${names}</c:cat><c:val>${numbers(values, numberFormat)}</c:val>`;
}

/** Horizontal bars run from top to bottom, like the rows of their table. */
function axes({ kind, categoryFormat, series }: ChartSpec): string {
  const [across, up] = kind === 'bars' ? ['l', 'b'] : ['b', 'l'];
  const format = escapeXml(series[0]?.numberFormat ?? 'General');
  // Bar lengths match the figures only on an axis from 0; by default, programs start the axis higher.
  const figures = series.flatMap(({ values }) => values.values);
  const least =
    kind !== 'lines' && figures.every((value) => value === null || Number(value) >= 0)
      ? '<c:min val="0"/>'
      : '';
  const ticks = '<c:majorTickMark val="none"/><c:minorTickMark val="none"/><c:tickLblPos val="nextTo"/>';
  const grid =
    '<c:majorGridlines><c:spPr><a:ln w="6350"><a:solidFill><a:srgbClr val="D9D9D9"/></a:solidFill></a:ln></c:spPr></c:majorGridlines>';
  return (
    `<c:catAx><c:axId val="1"/><c:scaling><c:orientation val="${kind === 'bars' ? 'maxMin' : 'minMax'}"/></c:scaling><c:delete val="0"/><c:axPos val="${across}"/><c:numFmt formatCode="${escapeXml(categoryFormat ?? 'General')}" sourceLinked="0"/>${ticks}<c:crossAx val="2"/><c:crosses val="autoZero"/><c:auto val="0"/><c:lblAlgn val="ctr"/><c:lblOffset val="100"/><c:noMultiLvlLbl val="1"/></c:catAx>` +
    `<c:valAx><c:axId val="2"/><c:scaling><c:orientation val="minMax"/>${least}</c:scaling><c:delete val="0"/><c:axPos val="${up}"/>${grid}<c:numFmt formatCode="${format}" sourceLinked="0"/>${ticks}<c:crossAx val="1"/><c:crosses val="${kind === 'bars' ? 'max' : 'autoZero'}"/><c:crossBetween val="between"/></c:valAx>`
  );
}

function texts({ reference, values }: CellRange): string {
  const points = values.map(
    (value, index) => `<c:pt idx="${index}"><c:v>${escapeXml(String(value ?? ''))}</c:v></c:pt>`,
  );
  return `<c:strRef><c:f>${escapeXml(reference)}</c:f><c:strCache><c:ptCount val="${values.length}"/>${points.join('')}</c:strCache></c:strRef>`;
}

function numbers({ reference, values }: CellRange, format: string): string {
  const points = values.map((value, index) =>
    typeof value === 'number' ? `<c:pt idx="${index}"><c:v>${value}</c:v></c:pt>` : '',
  );
  return `<c:numRef><c:f>${escapeXml(reference)}</c:f><c:numCache><c:formatCode>${escapeXml(format)}</c:formatCode><c:ptCount val="${values.length}"/>${points.join('')}</c:numCache></c:numRef>`;
}

/** The part `xl/drawings/drawingN.xml`: the position of each chart; `rId1` is the first. */
export function drawingXml(charts: readonly ChartSpec[]): string {
  const anchors = charts.map(({ at, title, description }, index) => {
    const corner = (name: string, column: number, row: number) =>
      `<xdr:${name}><xdr:col>${column}</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>${row}</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:${name}>`;
    return (
      `<xdr:twoCellAnchor>${corner('from', at.column, at.row)}${corner('to', at.column + SIZE.columns, at.row + SIZE.rows)}` +
      `<xdr:graphicFrame macro=""><xdr:nvGraphicFramePr><xdr:cNvPr id="${index + 2}" name="${escapeXml(title)}" descr="${escapeXml(description)}"/><xdr:cNvGraphicFramePr/></xdr:nvGraphicFramePr>` +
      '<xdr:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/></xdr:xfrm><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/chart">' +
      `<c:chart xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" r:id="rId${index + 1}"/>` +
      '</a:graphicData></a:graphic></xdr:graphicFrame><xdr:clientData/></xdr:twoCellAnchor>'
    );
  });
  return `${HEAD}<xdr:wsDr xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main">${anchors.join('')}</xdr:wsDr>`;
}

/** Columns that a chart covers. */
export const CHART_COLUMNS = SIZE.columns;
/** Rows that a chart covers, with the gap to the next one below it. */
export const CHART_ROWS = SIZE.rows + 1;

function colour(index: number): string {
  return COLOURS[index % COLOURS.length] ?? '1F7A83';
}

/** XML cannot contain control characters or lone surrogates. */
export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(new RegExp(String.raw`[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]`, 'gu'), '\uFFFD')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
