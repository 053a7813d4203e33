/**
 * Adds charts to a workbook that exceljs has written: exceljs 4.4.0 can neither make charts nor keep those of a
 * file it reads. The package is a zip of parts (ECMA-376 part 2): the sheet refers to a drawing, which refers to a
 * chart, each a part of its own.
 */
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { type ChartSpec, chartXml, drawingXml } from './chart-xml.ts';

const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const TYPES = 'application/vnd.openxmlformats-officedocument';

/** @param charts number of the sheet (from 1, in the order they were added) → its charts */
export function addCharts(
  workbook: Uint8Array,
  charts: ReadonlyMap<number, readonly ChartSpec[]>,
): Uint8Array {
  // exceljs writes folders as zip entries; a package (part 2, 7.3.4) has only parts.
  const parts: Record<string, Uint8Array> = unzipSync(workbook, {
    filter: ({ name }) => !name.endsWith('/'),
  });
  const types: string[] = [];
  let chartNumber = 0;
  for (const [sheet, specs] of charts) {
    if (specs.length === 0) continue;
    const relations = specs.map((spec) => {
      chartNumber += 1;
      const name = `charts/chart${chartNumber}.xml`;
      parts[`xl/${name}`] = strToU8(chartXml(spec));
      types.push(override(`/xl/${name}`, `${TYPES}.drawingml.chart+xml`));
      return { type: `${OFFICE}/chart`, target: `../${name}` };
    });
    const drawing = `drawings/drawing${sheet}.xml`;
    parts[`xl/${drawing}`] = strToU8(drawingXml(specs));
    parts[`xl/drawings/_rels/drawing${sheet}.xml.rels`] = relationsXml(relations);
    types.push(override(`/xl/${drawing}`, `${TYPES}.drawing+xml`));
    const place = `xl/worksheets/_rels/sheet${sheet}.xml.rels`;
    if (parts[place] !== undefined) throw new TypeError(`sheet ${sheet} has relations of its own`);
    parts[place] = relationsXml([{ type: `${OFFICE}/drawing`, target: `../${drawing}` }]);
    // The drawing comes after page set-up and footers (18.3.1.99), and nothing that we write comes after it.
    edit(parts, `xl/worksheets/sheet${sheet}.xml`, '</worksheet>', '<drawing r:id="rId1"/></worksheet>');
  }
  edit(parts, '[Content_Types].xml', '</Types>', `${types.join('')}</Types>`);
  return zipSync(parts, { level: 6 });
}

function override(part: string, type: string): string {
  return `<Override PartName="${part}" ContentType="${type}"/>`;
}

function relationsXml(relations: readonly { type: string; target: string }[]): Uint8Array {
  const each = relations.map(
    ({ type, target }, index) => `<Relationship Id="rId${index + 1}" Type="${type}" Target="${target}"/>`,
  );
  return strToU8(
    `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<Relationships xmlns="${RELATIONS}">${each.join('')}</Relationships>`,
  );
}

function edit(parts: Record<string, Uint8Array>, name: string, from: string, to: string): void {
  const part = parts[name];
  const text = part === undefined ? '' : strFromU8(part);
  const at = text.lastIndexOf(from);
  if (at === -1) throw new TypeError(`${name} has no ${from}`);
  parts[name] = strToU8(text.slice(0, at) + to + text.slice(at + from.length));
}
