/**
 * OpenDocument spreadsheets: packages (.ods) and flat files (.fods). All sheets are in one part, which is read as a
 * stream up to the end of the sheet.
 */
import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { SheetError } from '../../base/errors.ts';
import type { RawRow, ReadOptions, RowSource } from '../raw-row.ts';
import { type Package, packageError } from '../workbook/package.ts';
import { RowAssembler } from '../workbook/row-assembler.ts';
import type { Workbook } from '../workbook/tables.ts';
import { parseXml, readXml, type XmlHandlers } from '../workbook/xml.ts';
import { SheetCollector } from './sheet-collector.ts';
import { StyleCollector } from './styles.ts';
import { OPEN_DOCUMENT } from './vocabulary.ts';
import { MustBeParsed, withoutSheets } from './without-sheets.ts';
import { byHand, message } from '../../messages/message.ts';

const BATCH_ROWS = 500;
const CONTENT = 'content.xml';
const MANIFEST = 'META-INF/manifest.xml';

/** Where the XML of a document comes from. */
interface OdsContent {
  file: string;
  /** The part's name, for messages. */
  part: string;
  open(): Promise<{ stream: Readable; close(): void }>;
}

/** True for the parts of an OpenDocument package, whatever it contains. */
export function isOpenDocument(parts: Package): boolean {
  const isNamed = parts.has('mimetype') || parts.has(MANIFEST);
  return (isNamed && parts.has(CONTENT)) || parts.has('encrypted-package');
}

/** Reads sheet names and styles of a package. Throws a SheetError for another kind of document, and an encrypted one. */
export async function openOds(parts: Package): Promise<Workbook> {
  const { file } = parts;
  await refuseEncrypted(parts);
  await refuseOtherDocuments(parts);
  const styles = new StyleCollector(file);
  if (parts.has('styles.xml')) {
    const place = { file, part: 'styles.xml' };
    await readXml(await parts.open(place.part), place, styleHandlers(styles), OPEN_DOCUMENT);
  }
  const content = {
    file,
    part: CONTENT,
    async open() {
      const again = await parts.reopen();
      return { stream: await again.open(CONTENT), close: () => again.close() };
    },
  };
  return openContent(content, styles);
}

/** Reads sheet names and styles of a document that is one XML file. */
export function openFlatOds(file: string): Promise<Workbook> {
  const content = {
    file,
    part: 'office:document',
    open: () => Promise.resolve({ stream: createReadStream(file), close: () => {} }),
  };
  return openContent(content, new StyleCollector(file));
}

async function openContent(content: OdsContent, styles: StyleCollector): Promise<Workbook> {
  const { file } = content;
  const found = await listSheets(content, styles, true).catch((error: unknown) => {
    if (error instanceof MustBeParsed) return listSheets(content, styles, false);
    throw error;
  });
  if (found === undefined) throw notASpreadsheet(file, 'OpenDocument');
  const sheets = found.map(({ name, style }, index) => ({
    name,
    hidden: styles.isHiddenTable(style),
    rows: sheetRows(content, styles, { name, index }),
  }));
  return { file, format: 'ods', sheets };
}

/**
 * Reads the names of the sheets, and the styles before them. Undefined if the document is not a spreadsheet.
 *
 * @param skip does not parse the content of the sheets; throws MustBeParsed if that is needed
 */
async function listSheets(
  content: OdsContent,
  styles: StyleCollector,
  skip: boolean,
): Promise<{ name: string; style: string }[] | undefined> {
  let found: { name: string; style: string }[] | undefined;
  const handlers: XmlHandlers = {
    ...styleHandlers(styles),
    open(name, attributes, parent) {
      if (name === 'office:spreadsheet') found ??= [];
      else if (found === undefined) styles.open(name, attributes);
      else if (name === 'table:table' && parent === 'office:spreadsheet') {
        const name = attributes['table:name'] ?? `Sheet${found.length + 1}`;
        found.push({ name, style: attributes['table:style-name'] ?? '' });
      }
    },
  };
  const opened = await content.open();
  try {
    const bytes = skip ? Readable.from(withoutSheets(opened.stream)) : opened.stream;
    await readXml(bytes, content, handlers, OPEN_DOCUMENT);
  } finally {
    opened.stream.destroy();
    opened.close();
  }
  return found;
}

function styleHandlers(styles: StyleCollector): XmlHandlers {
  return {
    open: (name, attributes) => styles.open(name, attributes),
    close: (name) => styles.close(name),
    text: (text) => styles.text(text),
  };
}

function sheetRows(
  content: OdsContent,
  styles: StyleCollector,
  sheet: { name: string; index: number },
): RowSource {
  return {
    async head(count, signal) {
      const rows: RawRow[] = [];
      for await (const batch of readSheet(content, styles, sheet, { notes: [], signal })) {
        rows.push(...batch);
        if (rows.length >= count) break;
      }
      return rows.slice(0, count);
    },
    read: (options) => readSheet(content, styles, sheet, options),
  };
}

async function* readSheet(
  content: OdsContent,
  styles: StyleCollector,
  sheet: { name: string; index: number },
  { notes, signal, lastColumn }: ReadOptions,
): AsyncGenerator<RawRow[], void, undefined> {
  const opened = await content.open();
  try {
    const assembler = new RowAssembler(lastColumn);
    const place = { file: content.file, sheet: sheet.name };
    const collector = new SheetCollector(place, sheet.index, styles, assembler);
    for await (const _ of parseXml(opened.stream, content, collector, { vocabulary: OPEN_DOCUMENT })) {
      signal?.throwIfAborted();
      if (assembler.rows.length >= BATCH_ROWS || collector.repeats.size > 0) {
        yield* repeated(assembler.take(), collector.repeats);
      }
      if (collector.done) break;
    }
    yield* repeated(assembler.take(), collector.repeats);
    notes.push(...assembler.notes());
  } finally {
    opened.close();
  }
}

/** The rows, with repeated ones generated one at a time, so that a million of them are never in memory at once. */
function* repeated(rows: RawRow[], repeats: Map<number, number>): Generator<RawRow[], void, undefined> {
  let batch: RawRow[] = [];
  for (const row of rows) {
    const times = repeats.get(row.number) ?? 1;
    batch.push(row);
    for (let copy = 1; copy < times; copy += 1) {
      batch.push({ ...row, number: row.number + copy, cells: row.cells.slice() });
      if (batch.length < BATCH_ROWS) continue;
      yield batch;
      batch = [];
    }
  }
  repeats.clear();
  if (batch.length > 0) yield batch;
}

async function refuseEncrypted(parts: Package): Promise<void> {
  if (!parts.has(MANIFEST)) return;
  let isEncrypted = false;
  const handlers: XmlHandlers = {
    open(name) {
      if (name === 'manifest:encryption-data') isEncrypted = true;
    },
    close() {},
    text() {},
  };
  const place = { file: parts.file, part: MANIFEST };
  await readXml(await parts.open(MANIFEST), place, handlers, OPEN_DOCUMENT);
  if (!isEncrypted) return;
  const { file } = parts;
  throw new SheetError('password_protected', message('ods_has_password', { file }), {
    position: { file },
    actions: [byHand('save_without_password', {})],
  });
}

const DOCUMENTS: [type: string, what: string][] = [
  ['.text', 'OpenDocument (.odt)'],
  ['.presentation', 'OpenDocument (.odp)'],
  ['.graphics', 'OpenDocument (.odg)'],
  ['.database', 'OpenDocument (.odb)'],
  ['.chart', 'OpenDocument (.odc)'],
  ['.sun.xml.calc', 'OpenOffice.org 1 (.sxc)'],
];

/** `mimetype` is the package's first part, so that programs need not look further (OpenDocument part 2, 3.3). */
async function refuseOtherDocuments(parts: Package): Promise<void> {
  if (!parts.has('mimetype')) return;
  let type = '';
  try {
    for await (const chunk of await parts.open('mimetype')) {
      type += String(chunk);
      if (type.length > 200) break;
    }
  } catch (cause) {
    throw packageError(parts.file, cause);
  }
  const other = DOCUMENTS.find(([ending]) => type.includes(ending));
  if (other !== undefined) throw notASpreadsheet(parts.file, other[1]);
}

function notASpreadsheet(file: string, format: string): SheetError {
  return new SheetError('not_a_workbook', message('no_spreadsheet', { file, format }), {
    position: { file },
    actions: [byHand('export_from_program', {})],
  });
}
