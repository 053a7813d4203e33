/** Workbooks and other containers, made by hand. */
import { constants, crc32, deflateRawSync } from 'node:zlib';

/** What a part holds; pieces are packed one by one, so that a part may be larger than memory should be. */
export type PartContent = string | Uint8Array | Iterable<string>;

function pack(content: PartContent): { packed: Buffer; size: number; sum: number } {
  if (typeof content === 'string' || content instanceof Uint8Array) {
    const data = Buffer.from(content as string);
    return { packed: deflateRawSync(data), size: data.length, sum: crc32(data) };
  }
  const packed: Buffer[] = [];
  const known = new Map<string, Buffer>();
  let size = 0;
  let sum = 0;
  for (const piece of content) {
    const data = Buffer.from(piece);
    size += data.length;
    sum = crc32(data, sum);
    // Pieces that come again are packed once: hundreds of megabytes are made of a few.
    const again = known.get(piece) ?? deflateRawSync(data, { finishFlush: constants.Z_SYNC_FLUSH });
    if (known.size < 50) known.set(piece, again);
    packed.push(again);
  }
  // An empty last block ends what was only flushed.
  return { packed: Buffer.concat([...packed, deflateRawSync(Buffer.alloc(0))]), size, sum };
}

/** A zip of these parts, in this order. */
export function makeZip(parts: Record<string, PartContent>): Buffer {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(parts)) {
    const { packed, size, sum } = pack(content);
    const nameBytes = Buffer.from(name);
    const header = Buffer.alloc(30);
    header.writeUInt32LE(0x04034b50, 0);
    header.writeUInt16LE(20, 4);
    header.writeUInt16LE(8, 8);
    header.writeUInt32LE(sum, 14);
    header.writeUInt32LE(packed.length, 18);
    header.writeUInt32LE(size, 22);
    header.writeUInt16LE(nameBytes.length, 26);
    bodies.push(header, nameBytes, packed);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(20, 4);
    entry.writeUInt16LE(20, 6);
    header.copy(entry, 10, 8, 28);
    entry.writeUInt32LE(offset, 42);
    directory.push(entry, nameBytes);
    offset += 30 + nameBytes.length + packed.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Object.keys(parts).length, 8);
  end.writeUInt16LE(Object.keys(parts).length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...bodies, central, end]);
}

export const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

export interface BookParts {
  /** XML inside `worksheet`; a list gives several sheets, `Sheet1` and on. */
  sheets: string | string[];
  /** XML of the whole shared string part. */
  strings?: string;
  styles?: string;
  /** Attributes of `workbookPr`. */
  properties?: string;
  /** Attributes of each `sheet` element, for hidden ones. */
  states?: string[];
  extra?: Record<string, PartContent>;
}

/** A minimal workbook made by hand. */
export function makeBook(parts: BookParts): Buffer {
  const sheets = typeof parts.sheets === 'string' ? [parts.sheets] : parts.sheets;
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"/>`;
  const relations = [
    ...sheets.map((_, index) => relation(`rId${index + 1}`, 'worksheet', `worksheets/sheet${index + 1}.xml`)),
    ...(parts.strings === undefined ? [] : [relation('rIdS', 'sharedStrings', 'sharedStrings.xml')]),
    ...(parts.styles === undefined ? [] : [relation('rIdT', 'styles', 'styles.xml')]),
  ];
  const list = sheets.map(
    (_, index) =>
      `<sheet name="Sheet${index + 1}" sheetId="${index + 1}" r:id="rId${index + 1}" ${parts.states?.[index] ?? ''}/>`,
  );
  return makeZip({
    '[Content_Types].xml': '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>',
    '_rels/.rels': `<Relationships>${relation('rId1', 'officeDocument', 'xl/workbook.xml')}</Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><workbookPr ${parts.properties ?? ''}/><sheets>${list.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${relations.join('')}</Relationships>`,
    ...Object.fromEntries(
      sheets.map((xml, index) => [
        `xl/worksheets/sheet${index + 1}.xml`,
        `<worksheet xmlns="${MAIN}">${xml}</worksheet>`,
      ]),
    ),
    ...(parts.strings === undefined ? {} : { 'xl/sharedStrings.xml': parts.strings }),
    ...(parts.styles === undefined ? {} : { 'xl/styles.xml': parts.styles }),
    ...parts.extra,
  });
}
