/** .xls workbooks (MS-XLS) from records made by hand. */
import { makeCompound } from './make-compound.ts';

export function record(type: number, ...data: (Uint8Array | number[])[]): Buffer {
  const body = Buffer.concat(data.map((part) => Buffer.from(part)));
  return Buffer.concat([u16(type, body.length), body]);
}

export function u16(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 2);
  values.forEach((value, index) => bytes.writeUInt16LE(value, index * 2));
  return bytes;
}

export function u32(...values: number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, index) => bytes.writeUInt32LE(value >>> 0, index * 4));
  return bytes;
}

export function double(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleLE(value);
  return bytes;
}

const isNarrow = (text: string) => !/[\u0100-\uffff]/.test(text);

/** The flags of a text, and its characters. */
function characters(text: string): Buffer {
  return isNarrow(text)
    ? Buffer.concat([Buffer.of(0), Buffer.from(text, 'latin1')])
    : Buffer.concat([Buffer.of(1), Buffer.from(text, 'utf16le')]);
}

export const text8 = (text: string) => Buffer.concat([Buffer.of(text.length), characters(text)]);
export const text16 = (text: string) => Buffer.concat([u16(text.length), characters(text)]);

/** A text of BIFF5: bytes of a code page. */
export const bytes16 = (bytes: Uint8Array) => Buffer.concat([u16(bytes.length), bytes]);

export const EOF = record(0x000a);
export const bof = (kind: 'globals' | 'sheet' | 'chart' = 'sheet', version = 0x0600) =>
  record(0x0809, u16(version, { globals: 5, sheet: 0x10, chart: 0x20 }[kind], 0, 0), u32(0, 0));

export const number = (row: number, column: number, value: number, format = 0) =>
  record(0x0203, u16(row, column, format), double(value));
export const label = (row: number, column: number, text: string) =>
  record(0x0204, u16(row, column, 0), text16(text));
export const shared = (row: number, column: number, index: number) =>
  record(0x00fd, u16(row, column, 0), u32(index));
export const rk = (row: number, column: number, bits: number, format = 0) =>
  record(0x027e, u16(row, column, format), u32(bits));
export const formula = (
  row: number,
  column: number,
  result: Uint8Array | number[],
  format = 0,
  type = 0x0006,
) => record(type, u16(row, column, format), result, u16(0), u32(0), u16(0));

export interface SharedText {
  text: string;
  /** Formatting runs behind the text. */
  runs?: number;
  /** Bytes of phonetic data behind the text. */
  phonetic?: number;
}

/** SST and its CONTINUE records, of at most `most` bytes each; the width of characters may change at each border. */
export function sharedTexts(texts: (string | SharedText)[], most = 8224, declared = texts.length): Buffer {
  const records: Buffer[] = [];
  let body = u32(texts.length, declared);
  const flush = () => {
    records.push(record(records.length === 0 ? 0x00fc : 0x003c, body));
    body = Buffer.alloc(0);
  };
  for (const each of texts) {
    const { text, runs = 0, phonetic = 0 } = typeof each === 'string' ? { text: each } : each;
    // The head of a text is never cut.
    if (body.length + 10 > most) flush();
    const head = Buffer.concat([
      u16(text.length),
      Buffer.alloc(1),
      runs > 0 ? u16(runs) : Buffer.alloc(0),
      phonetic > 0 ? u32(phonetic) : Buffer.alloc(0),
    ]);
    let flagsAt = 2;
    let flags = (runs > 0 ? 8 : 0) | (phonetic > 0 ? 4 : 0);
    let pending: Buffer = head;
    let at = 0;
    do {
      const room = most - body.length - pending.length;
      let part = text.slice(at, at + room);
      if (!isNarrow(part)) {
        part = text.slice(at, at + Math.floor(room / 2));
        flags |= 1;
      }
      pending.writeUInt8(flags, flagsAt);
      body = Buffer.concat([body, pending, Buffer.from(part, (flags & 1) === 1 ? 'utf16le' : 'latin1')]);
      at += part.length;
      if (at < text.length) flush();
      pending = Buffer.alloc(1);
      flagsAt = 0;
      flags = 0;
    } while (at < text.length);
    for (let left = runs * 4 + phonetic; left > 0; ) {
      const part = Math.min(left, most - body.length);
      body = Buffer.concat([body, Buffer.alloc(part, 0xee)]);
      left -= part;
      if (left > 0) flush();
    }
  }
  flush();
  return Buffer.concat(records);
}

export interface XlsSheetParts {
  name: string;
  records: Uint8Array[];
  /** 1: hidden; 2: hidden from the menu too. */
  state?: number;
  /** 0: worksheet; 2: chart. */
  type?: number;
}

export interface XlsParts {
  sheets: XlsSheetParts[];
  /** Records of the globals before the list of sheets. */
  globals?: Uint8Array[];
  version?: number;
  /** Name of a sheet in BIFF5. */
  nameBytes?: (name: string) => Uint8Array;
}

/** The stream `Workbook`. */
export function xlsStream({ sheets, globals = [], version = 0x0600, nameBytes }: XlsParts): Buffer {
  const nameOf = (name: string) => {
    if (nameBytes === undefined) return text8(name);
    const bytes = nameBytes(name);
    return Buffer.concat([Buffer.of(bytes.length), bytes]);
  };
  const bound = (positions: number[]) =>
    sheets.map(({ name, state = 0, type = 0 }, index) =>
      record(0x0085, u32(positions[index] ?? 0), [state, type], nameOf(name)),
    );
  const before = [bof('globals', version), ...globals];
  const bodies = sheets.map((sheet) => Buffer.concat([bof('sheet', version), ...sheet.records, EOF]));
  const positions: number[] = [];
  let at = Buffer.concat([...before, ...bound([]), EOF]).length;
  for (const body of bodies) {
    positions.push(at);
    at += body.length;
  }
  return Buffer.concat([...before, ...bound(positions), EOF, ...bodies]);
}

export function makeXls(parts: XlsParts): Buffer {
  return makeCompound({ Workbook: xlsStream(parts) });
}
