/**
 * Marks cells of a person's own workbook: each gets a colour and a note, and nothing else is changed. Sheets, widths,
 * formats, formulas, charts and pictures stay, because the parts of the package are edited as text: exceljs would drop
 * parts that it does not know.
 */
import { SheetError } from '../../base/errors.ts';
import { byHand, message } from '../../messages/message.ts';
import type { Message } from '../../messages/params.ts';
import { fileKind, readFileHead } from '../file-kind.ts';
import { openPackage, type Package } from '../workbook/package.ts';
import {
  append,
  attribute,
  children,
  elements,
  escapeXml,
  firstElement,
  prefixOf,
  tagEnd,
  UnusualXmlError,
  withAttribute,
} from './edit-xml.ts';
import {
  type CellNote,
  DECLARATION,
  freeBlock,
  notedCells,
  referenceOf,
  withBoxes,
  withComments,
} from './notes-xml.ts';
import { MAIN, OFFICE, PackageParts } from './package-parts.ts';
import { columnOf } from './row-collector.ts';
import { JOB_NAME, readOutline, readRelations } from './workbook.ts';

/** Bytes of all parts: they are in memory, a few times over. */
export const MAX_MARKED_BYTES = 64 * 1024 * 1024;
const COLOUR = 'FFF4B084';
const TYPES = 'application/vnd.openxmlformats-officedocument';
/** Elements that come after `legacyDrawing` in a worksheet (18.3.1.99). */
const AFTER_DRAWING = new Set([
  'legacyDrawingHF',
  'drawingHF',
  'picture',
  'oleObjects',
  'controls',
  'webPublishItems',
  'tableParts',
  'extLst',
  'AlternateContent',
]);

/**
 * @param sheets name of a sheet → the cells to mark in it
 * @param job its id is stored in the workbook, so that the job is known when the workbook is returned
 * @throws SheetError `cannot_mark` for a file that is too large, protected or not an .xlsx file
 */
export async function markWorkbook(
  file: string,
  sheets: ReadonlyMap<string, readonly CellNote[]>,
  job: string,
): Promise<Buffer> {
  const parts = await openXlsxPackage(file);
  if (parts === undefined) throw cannotMark(file, message('is_no_plain_xlsx', {}));
  try {
    const { sheets: places, workbookPart, stylesPart } = await readOutline(parts);
    const all = await PackageParts.read(parts, MAX_MARKED_BYTES);
    if (all === undefined)
      throw cannotMark(file, message('too_large_to_mark', { megabytes: MAX_MARKED_BYTES / 1024 / 1024 }));
    const styles = stylesPart === undefined ? undefined : new MarkedStyles(all.text(stylesPart) ?? '');
    for (const [name, notes] of sheets) {
      const part = places.find((sheet) => sheet.name === name)?.part;
      if (part === undefined) throw cannotMark(file, message('sheet_is_gone', { sheet: name }));
      await markSheet(part, notes, all, parts, styles);
    }
    if (stylesPart !== undefined && styles !== undefined) all.put(stylesPart, styles.xml);
    all.put(workbookPart, withJob(all.text(workbookPart) ?? '', job));
    return await all.pack();
  } catch (error) {
    if (error instanceof UnusualXmlError) throw cannotMark(file, message('is_unusual_xlsx', {}), error);
    throw error;
  } finally {
    parts.close();
  }
}

/** The job that a marked workbook belongs to; undefined for any other file. */
export async function jobOfWorkbook(file: string): Promise<string | undefined> {
  const parts = await openXlsxPackage(file);
  if (parts === undefined) return undefined;
  try {
    return (await readOutline(parts)).job;
  } finally {
    parts.close();
  }
}

async function openXlsxPackage(file: string): Promise<Package | undefined> {
  if (fileKind(file, await readFileHead(file), false) !== 'zip') return undefined;
  const parts = await openPackage({ file });
  if (parts.names.some((name) => /^xl\/workbook\.xml$/iu.test(name))) return parts;
  parts.close();
  return undefined;
}

function cannotMark(file: string, why: Message, cause?: Error): SheetError {
  return new SheetError('cannot_mark', message('cannot_mark', { file, why }), {
    position: { file },
    actions: [byHand('correct_rejects_file', {})],
    ...(cause === undefined ? {} : { cause }),
  });
}

async function markSheet(
  part: string,
  notes: readonly CellNote[],
  all: PackageParts,
  parts: Package,
  styles: MarkedStyles | undefined,
): Promise<void> {
  const found = [...(await readRelations(parts, part))];
  const partOf = (type: string) => found.find(([, relation]) => relation.type === type)?.[1].target;
  const commentsPart = partOf('comments');
  const comments = commentsPart === undefined ? undefined : all.text(commentsPart);
  const noted = comments === undefined ? new Set<string>() : notedCells(comments);
  const fresh = notes.filter((note) => !noted.has(referenceOf(note)));
  let xml = withMarks(all.text(part) ?? '', notes, styles);
  const p = prefixOf(xml, 'worksheet');
  const drawn = firstElement(xml, `${p}legacyDrawing`);
  const drawing =
    drawn === undefined
      ? undefined
      : found.find(([id]) => id === idOf(xml.slice(drawn.start, drawn.open)))?.[1].target;
  if (drawn !== undefined && drawing === undefined) throw new UnusualXmlError('a drawing is gone');
  const drawings = all.names.filter((name) => /\.vml$/iu.test(name)).map((name) => all.text(name) ?? '');
  const added: { id: string; type: string; target: string }[] = [];
  const relate = (type: string, target: string) => {
    const id = `shelflift${added.length + 1}`;
    added.push({ id, type, target });
    return id;
  };
  const boxes = withBoxes(drawing === undefined ? undefined : all.text(drawing), fresh, freeBlock(drawings));
  if (drawing === undefined) {
    const name = freeName(all, 'xl/drawings/shelfliftNotes', '.vml');
    all.put(name, boxes);
    const id = relate('vmlDrawing', `/${name}`);
    xml = withDrawing(xml, p, `<${p}legacyDrawing xmlns:r="${OFFICE}" r:id="${id}"/>`);
    addType(all, `<Default Extension="vml" ContentType="${TYPES}.vmlDrawing"/>`, /\sExtension="vml"/iu);
  } else all.put(drawing, boxes);
  const name = commentsPart ?? freeName(all, 'xl/shelfliftNotes', '.xml');
  all.put(name, withComments(comments, notes));
  if (commentsPart === undefined) {
    relate('comments', `/${name}`);
    addType(all, `<Override PartName="/${name}" ContentType="${TYPES}.spreadsheetml.comments+xml"/>`);
  }
  all.put(part, xml);
  if (added.length > 0) addRelations(all, part, added);
}

function idOf(tag: string): string | undefined {
  return /\s[\w-]+:id\s*=\s*["']([^"']*)["']/u.exec(tag)?.[1];
}

function withDrawing(xml: string, p: string, drawing: string): string {
  const data = firstElement(xml, `${p}sheetData`);
  const root = firstElement(xml, `${p}worksheet`);
  if (data === undefined || root === undefined) throw new UnusualXmlError('no rows');
  for (const { name, start } of children(xml, data.end))
    if (AFTER_DRAWING.has(name.replace(/^.*:/u, ''))) return xml.slice(0, start) + drawing + xml.slice(start);
  return append(xml, `${p}worksheet`, drawing);
}

function freeName(all: PackageParts, stem: string, ending: string): string {
  const taken = new Set(all.names.map((name) => name.toLowerCase()));
  for (let number = 1; ; number += 1) {
    const name = `${stem}${number}${ending}`;
    if (!taken.has(name.toLowerCase())) return name;
  }
}

function addType(all: PackageParts, element: string, unless?: RegExp): void {
  const name = '[Content_Types].xml';
  const types = all.text(name) ?? '';
  if (unless?.test(types) !== true) all.put(name, append(types, 'Types', element));
}

function addRelations(
  all: PackageParts,
  part: string,
  added: readonly { id: string; type: string; target: string }[],
): void {
  const slash = part.lastIndexOf('/');
  const name = `${part.slice(0, slash)}/_rels/${part.slice(slash + 1)}.rels`;
  const empty = `${DECLARATION}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"/>`;
  const each = added.map(
    ({ id, type, target }) => `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`,
  );
  all.put(name, append(all.text(name) ?? empty, 'Relationships', each.join('')));
}

/** Adds a hidden name to the workbook; its value is the job's id. */
function withJob(xml: string, job: string): string {
  const p = prefixOf(xml, 'workbook');
  let edited = xml;
  for (const { start, open, end } of [...elements(xml, `${p}definedName`)].reverse())
    if (attribute(xml.slice(start, open), 'name') === JOB_NAME)
      edited = edited.slice(0, start) + edited.slice(end);
  const name = `<${p}definedName name="${JOB_NAME}" hidden="1">"${escapeXml(job)}"</${p}definedName>`;
  if (firstElement(edited, `${p}definedNames`) !== undefined) return append(edited, `${p}definedNames`, name);
  // 18.2.27: the names come after these.
  const before = ['externalReferences', 'functionGroups', 'sheets']
    .map((each) => firstElement(edited, p + each))
    .find((each) => each !== undefined);
  if (before === undefined) throw new UnusualXmlError('no sheets');
  const names = `<${p}definedNames>${name}</${p}definedNames>`;
  return edited.slice(0, before.end) + names + edited.slice(before.end);
}

/** The worksheet with the cells in another style; a missing cell is added to its row. */
function withMarks(xml: string, notes: readonly CellNote[], styles: MarkedStyles | undefined): string {
  if (!xml.includes(MAIN)) throw new UnusualXmlError('another namespace');
  if (styles === undefined) return xml;
  const p = prefixOf(xml, 'worksheet');
  const data = firstElement(xml, `${p}sheetData`);
  if (data === undefined) throw new UnusualXmlError('no rows');
  const wanted = Map.groupBy(notes, ({ row }) => row);
  const edited: string[] = [];
  let copied = 0;
  let number = 0;
  for (const { start, open, end } of elements(xml, `${p}row`, data.open, data.end)) {
    const given = Number(attribute(xml.slice(start, open), 'r') ?? number + 1);
    number = Number.isSafeInteger(given) ? given : number + 1;
    const cells = wanted.get(number);
    if (cells === undefined || open === end) continue;
    edited.push(xml.slice(copied, start), markRow(xml.slice(start, end), open - start, p, cells, styles));
    copied = end;
  }
  return edited.join('') + xml.slice(copied);
}

function markRow(
  row: string,
  open: number,
  p: string,
  notes: readonly CellNote[],
  styles: MarkedStyles,
): string {
  const left = [...notes].sort((a, b) => a.column - b.column);
  const blanks = (before: number) => {
    const blank = left.filter(({ column }) => column < before);
    left.splice(0, blank.length);
    return blank.map((note) => `<${p}c r="${referenceOf(note)}" s="${styles.marked(0)}"/>`).join('');
  };
  const edited: string[] = [];
  let copied = 0;
  let column = -1;
  for (const { start, open: opened } of elements(row, `${p}c`, open)) {
    const tag = row.slice(start, opened);
    const reference = attribute(tag, 'r');
    column = reference === undefined ? column + 1 : columnOf(reference);
    edited.push(row.slice(copied, start), blanks(column));
    copied = start;
    if (left[0]?.column !== column) continue;
    left.shift();
    edited.push(withAttribute(tag, 's', styles.marked(Number(attribute(tag, 's') ?? 0))));
    copied = opened;
  }
  const close = row.lastIndexOf('</');
  edited.push(row.slice(copied, close), blanks(Number.POSITIVE_INFINITY));
  return edited.join('') + row.slice(close);
}

/** Copies of the styles in use, with the colour added. */
class MarkedStyles {
  readonly #xml: string;
  readonly #p: string;
  readonly #own: string[] = [];
  readonly #formats: string[];
  readonly #fill: number;
  readonly #byStyle = new Map<number, number>();

  constructor(xml: string) {
    const p = prefixOf(xml, 'styleSheet');
    const list = firstElement(xml, `${p}cellXfs`);
    const fills = firstElement(xml, `${p}fills`);
    if (list === undefined || fills === undefined) throw new UnusualXmlError('no styles');
    this.#formats = [...elements(xml, `${p}xf`, list.open, list.end)].map(({ start, end }) =>
      xml.slice(start, end),
    );
    this.#fill = [...elements(xml, `${p}fill`, fills.open, fills.end)].length;
    this.#xml = xml;
    this.#p = p;
  }

  /** The style that looks like this one, marked. */
  marked(style: number): number {
    const known = this.#byStyle.get(style);
    if (known !== undefined) return known;
    const format = this.#formats[style] ?? this.#formats[0] ?? `<${this.#p}xf/>`;
    const end = tagEnd(format, 0);
    const tag = withAttribute(withAttribute(format.slice(0, end), 'fillId', this.#fill), 'applyFill', 1);
    const index = this.#formats.length + this.#own.length;
    this.#own.push(tag + format.slice(end));
    this.#byStyle.set(style, index);
    return index;
  }

  get xml(): string {
    const p = this.#p;
    const fill = `<${p}fill><${p}patternFill patternType="solid"><${p}fgColor rgb="${COLOUR}"/><${p}bgColor indexed="64"/></${p}patternFill></${p}fill>`;
    const withFill = counted(append(this.#xml, `${p}fills`, fill), `${p}fills`, this.#fill + 1);
    const count = this.#formats.length + this.#own.length;
    return counted(append(withFill, `${p}cellXfs`, this.#own.join('')), `${p}cellXfs`, count);
  }
}

function counted(xml: string, name: string, count: number): string {
  const found = firstElement(xml, name);
  if (found === undefined) return xml;
  const tag = withAttribute(xml.slice(found.start, found.open), 'count', count);
  return xml.slice(0, found.start) + tag + xml.slice(found.open);
}
