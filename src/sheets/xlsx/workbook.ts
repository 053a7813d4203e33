/**
 * A workbook's parts, found by following its relationships (ECMA-376 part 2, 9) and not by their usual paths.
 */
import type { Readable } from 'node:stream';
import { SheetError } from '../../base/errors.ts';
import { limitError, limits } from '../limits.ts';
import { SharedStrings } from '../workbook/shared-strings.ts';
import { builtInFormat, formatOf, type NumberFormat } from '../workbook/number-format.ts';
import type { Package } from '../workbook/package.ts';
import { readSharedStrings } from './shared-strings.ts';
import { prefixedAttribute, readXml, type XmlPlace } from '../workbook/xml.ts';
import { byHand, message } from '../../messages/message.ts';

export interface XlsxSheet {
  name: string;
  /** Part in the package. */
  part: string;
  hidden: boolean;
}

export interface XlsxBook {
  file: string;
  reopen: Package['reopen'];
  /** Worksheets in the order of their tabs; chart and macro sheets are not among them. */
  sheets: XlsxSheet[];
  epoch1904: boolean;
  sharedStrings: SharedStrings;
  /** Number formats by style index. */
  formats: NumberFormat[];
}

interface Relation {
  type: string;
  target: string;
}

/** The hidden name of a workbook that was marked; its value is the job. */
export const JOB_NAME = '_shelflift_job';

/** Names and parts of a workbook, without its strings and styles. */
type Outline = Omit<XlsxBook, 'reopen' | 'sharedStrings' | 'formats'> & {
  workbookPart: string;
  stringsPart?: string;
  stylesPart?: string;
  /** The job whose wrong cells were marked in the workbook. */
  job?: string;
};

/** Reads names, shared strings and styles. */
export async function openXlsxBook(parts: Package): Promise<XlsxBook> {
  const { file, reopen } = parts;
  const { sheets, epoch1904, stringsPart, stylesPart } = await readOutline(parts);
  const formats =
    stylesPart === undefined
      ? []
      : await readStyles(await parts.open(stylesPart), { file, part: stylesPart });
  const sharedStrings =
    stringsPart === undefined
      ? new SharedStrings(file)
      : await readSharedStrings(await parts.open(stringsPart), { file, part: stringsPart });
  return { file, reopen, sheets, epoch1904, sharedStrings, formats };
}

export async function readOutline(parts: Package): Promise<Outline> {
  const { file } = parts;
  refuseOtherKinds(parts);
  const workbookPart = await findWorkbookPart(parts);
  const relations = await readRelations(parts, workbookPart);
  const sheets: XlsxSheet[] = [];
  let epoch1904 = false;
  let name = '';
  let job = '';
  await readXml(
    await parts.open(workbookPart),
    { file, part: workbookPart },
    {
      open(element, attributes, parent) {
        if (element === 'definedName') name = attributes['name'] ?? '';
        if (element === 'workbookPr' && parent === 'workbook') epoch1904 = isTrue(attributes['date1904']);
        if (element !== 'sheet' || parent !== 'sheets') return;
        const relation = relations.get(prefixedAttribute(attributes, 'id') ?? '');
        if (relation?.type !== 'worksheet') return;
        sheets.push({
          name: attributes['name'] ?? `Sheet${sheets.length + 1}`,
          part: relation.target,
          hidden: attributes['state'] === 'hidden' || attributes['state'] === 'veryHidden',
        });
      },
      close(element) {
        if (element === 'definedName') name = '';
      },
      text(text) {
        if (name === JOB_NAME && job.length < limits.wordCharacters) job += text;
      },
    },
  );
  const byType = (type: string) =>
    [...relations.values()].find((relation) => relation.type === type && parts.has(relation.target))?.target;
  const stringsPart = byType('sharedStrings');
  const stylesPart = byType('styles');
  return {
    file,
    workbookPart,
    sheets,
    epoch1904,
    ...(job === '' ? {} : { job: job.trim().replaceAll('"', '') }),
    ...(stringsPart === undefined ? {} : { stringsPart }),
    ...(stylesPart === undefined ? {} : { stylesPart }),
  };
}

/** `1` and `true` are both written. */
export function isTrue(value: string | undefined): boolean {
  return value === '1' || value === 'true';
}

async function findWorkbookPart(parts: Package): Promise<string> {
  if (parts.has('_rels/.rels')) {
    for (const relation of (await readRelations(parts, '')).values()) {
      if (relation.type === 'officeDocument' && parts.has(relation.target)) return relation.target;
    }
  }
  const usual = parts.names.find((name) => /^xl\/workbook\.xml$/iu.test(name));
  if (usual !== undefined) return usual;
  throw notAWorkbook(parts.file, 'ZIP');
}

/** Relationships of a part (of the package itself for ''), by id; targets are resolved to part names. */
export async function readRelations(parts: Package, part: string): Promise<Map<string, Relation>> {
  const relations = new Map<string, Relation>();
  const slash = part.lastIndexOf('/');
  const folder = part.slice(0, slash + 1);
  const relationsPart = `${folder}_rels/${part.slice(slash + 1)}.rels`;
  if (!parts.has(relationsPart)) return relations;
  await readXml(
    await parts.open(relationsPart),
    { file: parts.file, part: relationsPart },
    {
      open(name, attributes) {
        if (name !== 'Relationship' || attributes['TargetMode'] === 'External') return;
        const type = attributes['Type'] ?? '';
        relations.set(attributes['Id'] ?? '', {
          type: type.slice(type.lastIndexOf('/') + 1),
          target: resolveTarget(folder, attributes['Target'] ?? ''),
        });
      },
      close() {},
      text() {},
    },
  );
  return relations;
}

/** A target is relative to the folder of its part, or absolute in the package. */
function resolveTarget(folder: string, target: string): string {
  const path = target.replaceAll('\\', '/');
  const segments: string[] = [];
  for (const segment of (path.startsWith('/') ? path : folder + path).split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return segments.join('/');
}

function refuseOtherKinds(parts: Package): void {
  const { file } = parts;
  const has = (pattern: RegExp) => parts.names.some((name) => pattern.test(name));
  // As one file, as a package that was zipped, and as iWork '09 wrote it.
  const isIwork09 =
    has(/(?:^|\/)index\.(?:xml|apxl)(?:\.gz)?$/iu) && has(/(?:^|\/)buildVersionHistory\.plist$/iu);
  if (has(/\.iwa$/iu) || has(/(?:^|\/)Index\.zip$/iu) || isIwork09) {
    throw new SheetError('numbers', message('numbers', { file }), {
      position: { file },
      actions: [byHand('export_from_numbers', {})],
    });
  }
  if (has(/^xl\/workbook\.bin$/iu)) throw xlsbError(file);
  if (has(/^word\//iu)) throw notAWorkbook(file, 'Word');
  if (has(/^ppt\//iu)) throw notAWorkbook(file, 'PowerPoint');
}

export function xlsbError(file: string): SheetError {
  return new SheetError('xlsb', message('xlsb', { file }), {
    position: { file },
    actions: [byHand('export_from_program', {})],
  });
}

function notAWorkbook(file: string, format: string): SheetError {
  return new SheetError('not_a_workbook', message('no_spreadsheet', { file, format }), {
    position: { file },
    actions: [byHand('unpack_first', {})],
  });
}

/** For each cell style, by its index, what its number format shows. Only `cellXfs` count, not `cellStyleXfs`. */
async function readStyles(stream: Readable, place: XmlPlace): Promise<NumberFormat[]> {
  const custom = new Map<number, NumberFormat>();
  const ids: number[] = [];
  await readXml(stream, place, {
    open(name, attributes, parent) {
      if (name === 'xf' && parent === 'cellXfs') {
        ids.push(Number(attributes['numFmtId'] ?? 0));
        if (ids.length > limits.cellFormats) {
          throw limitError(
            'cell_formats',
            message('too_many_formats', { most: limits.cellFormats }),
            place.file,
          );
        }
        // The formats in `dxfs` (conditional formats) have their own ids.
      } else if (name === 'numFmt' && parent === 'numFmts' && attributes['numFmtId'] !== undefined) {
        custom.set(Number(attributes['numFmtId']), formatOf(attributes['formatCode'] ?? ''));
      }
    },
    close() {},
    text() {},
  });
  return ids.map((id) => custom.get(id) ?? builtInFormat(id));
}
