/**
 * Notes of cells (ECMA-376 part 1, 18.7): a part with their texts, and one with their boxes, which is VML (part 4, 19.4).
 * If a part exists, the new notes are added at its end.
 */
import { columnLetter } from '../cell.ts';
import {
  append,
  attribute,
  elements,
  escapeXml,
  firstElement,
  prefixOf,
  UnusualXmlError,
} from './edit-xml.ts';
import { encodeEscapes } from './escapes.ts';
import { MAIN } from './package-parts.ts';

export interface CellNote {
  /** As a spreadsheet program counts. */
  row: number;
  /** From 0. */
  column: number;
  text: string;
}

const AUTHOR = 'shelflift';
/** Maximum length of a note: boxes do not show more. */
const NOTE_CHARACTERS = 1000;
/** Shape ids are assigned in blocks of this size, and no two drawings of a workbook share a block. */
const BLOCK = 1024;
const VML = 'xmlns:v="urn:schemas-microsoft-com:vml"';
const OFFICE_VML = 'xmlns:o="urn:schemas-microsoft-com:office:office"';
const EXCEL_VML = 'xmlns:x="urn:schemas-microsoft-com:office:excel"';
/** Shape type of notes, the same in every program. */
const SHAPE_TYPE = '_x0000_t202';

/** @param before the existing part, if any */
export function withComments(before: string | undefined, notes: readonly CellNote[]): string {
  let xml = before ?? `${DECLARATION}<comments xmlns="${MAIN}"><authors/><commentList/></comments>`;
  const p = prefixOf(xml, 'comments');
  const authors = firstElement(xml, `${p}authors`);
  if (authors === undefined) throw new UnusualXmlError('no authors');
  const author = [...elements(xml, `${p}author`, authors.open, authors.end)].length;
  xml = append(xml, `${p}authors`, `<${p}author>${AUTHOR}</${p}author>`);
  const own = new Map(notes.map((note) => [referenceOf(note), runOf(note, p)]));
  // A cell has only one note, so the reason is added after its text.
  const kept: string[] = [];
  let copied = 0;
  for (const { start, open, end } of elements(xml, `${p}comment`)) {
    const reference = attribute(xml.slice(start, open), 'ref') ?? '';
    const run = own.get(reference);
    if (run === undefined) continue;
    kept.push(xml.slice(copied, start), append(xml.slice(start, end), `${p}text`, run));
    copied = end;
    own.delete(reference);
  }
  xml = kept.join('') + xml.slice(copied);
  const added = [...own].map(
    ([reference, run]) =>
      `<${p}comment ref="${reference}" authorId="${author}"><${p}text>${run}</${p}text></${p}comment>`,
  );
  return append(xml, `${p}commentList`, added.join(''));
}

/** Cells that have a note in this part. */
export function notedCells(xml: string): Set<string> {
  const p = prefixOf(xml, 'comments');
  return new Set(
    [...elements(xml, `${p}comment`)].map(
      ({ start, open }) => attribute(xml.slice(start, open), 'ref') ?? '',
    ),
  );
}

/**
 * @param before the existing part, if any
 * @param block the first block of shape ids that no drawing of the workbook uses
 */
export function withBoxes(before: string | undefined, notes: readonly CellNote[], block: number): string {
  const blocks = Array.from({ length: Math.ceil((notes.length + 1) / BLOCK) }, (_, index) => block + index);
  const xml =
    before ??
    `<xml ${VML} ${OFFICE_VML} ${EXCEL_VML}><o:shapelayout v:ext="edit"><o:idmap v:ext="edit" data="${blocks.join(',')}"/></o:shapelayout></xml>`;
  const type = `<v:shapetype ${VML} ${OFFICE_VML} id="${SHAPE_TYPE}" coordsize="21600,21600" o:spt="202" path="m,l,21600r21600,l21600,xe"><v:stroke joinstyle="miter"/><v:path gradientshapeok="t" o:connecttype="rect"/></v:shapetype>`;
  const boxes = notes.map((note, index) => box(note, block * BLOCK + 1 + index));
  return append(xml, 'xml', (xml.includes(`id="${SHAPE_TYPE}"`) ? '' : type) + boxes.join(''));
}

/** The first block of ids after all the ids that these drawings use. */
export function freeBlock(drawings: readonly string[]): number {
  let last = 0;
  for (const xml of drawings) {
    for (const [, data = ''] of xml.matchAll(/\sdata="([\d, ]{1,1000})"/gu))
      for (const block of data.split(',')) last = Math.max(last, Number(block));
    for (const [, id = ''] of xml.matchAll(/"_x0000_s(\d{1,9})"/gu))
      last = Math.max(last, Math.floor(Number(id) / BLOCK));
  }
  return last + 1;
}

export function referenceOf({ row, column }: Pick<CellNote, 'row' | 'column'>): string {
  return `${columnLetter(column)}${row}`;
}

function runOf({ text }: CellNote, p: string): string {
  const shown = encodeEscapes([...text.toWellFormed()].slice(0, NOTE_CHARACTERS).join(''));
  return `<${p}r><${p}t xml:space="preserve">${escapeXml(shown)}</${p}t></${p}r>`;
}

/** A box next to its cell, high enough for its text. */
function box({ row, column, text }: CellNote, id: number): string {
  const lines = Math.min(12, 2 + Math.ceil(text.length / 30));
  const anchor = [column + 1, 15, Math.max(0, row - 2), 10, column + 4, 15, Math.max(0, row - 2) + lines, 4];
  return `<v:shape ${VML} ${OFFICE_VML} ${EXCEL_VML} id="_x0000_s${id}" type="#${SHAPE_TYPE}" style="position:absolute;visibility:hidden" fillcolor="#ffffe1" o:insetmode="auto"><v:fill color2="#ffffe1"/><v:shadow on="t" color="black" obscured="t"/><v:path o:connecttype="none"/><v:textbox style="mso-direction-alt:auto"><div style="text-align:left"></div></v:textbox><x:ClientData ObjectType="Note"><x:MoveWithCells/><x:SizeWithCells/><x:Anchor>${anchor.join(', ')}</x:Anchor><x:AutoFill>False</x:AutoFill><x:Row>${row - 1}</x:Row><x:Column>${column}</x:Column></x:ClientData></v:shape>`;
}

export const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
