/**
 * Recognises a file by its first bytes and never by its name: people rename files, and programs save HTML as .xls.
 */
import { isUtf8 } from 'node:buffer';
import { open } from 'node:fs/promises';
import { defined } from '../base/defined.ts';
import { SheetError } from '../base/errors.ts';
import { COMPOUND_MAGIC } from './compound-file.ts';
import { incompleteTail } from './csv/sniff-encoding.ts';
import { fileError } from './file-error.ts';
import { limits } from './limits.ts';
import { byHand, message } from '../messages/message.ts';

export interface FileHead {
  bytes: Buffer;
  /** True if these bytes are the whole file. */
  whole: boolean;
}

export type FileKind = 'zip' | 'compound' | 'fods' | 'html' | 'text';

/** Signatures of files that are not tables, by the names of their formats. */
const BINARY_MAGIC: [format: string, magic: string][] = [
  ['PDF', '%PDF'],
  ['PNG', '\x89PNG'],
  ['JPEG', '\xff\xd8\xff'],
  ['GIF', 'GIF8'],
  ['gzip', '\x1f\x8b'],
  ['7-Zip', '7z\xbc\xaf'],
  ['RAR', 'Rar!'],
  ['SQLite', 'SQLite format 3'],
  ['Parquet', 'PAR1'],
  ['RTF', '{\\rtf'],
];

/** The first bytes of a file. Throws a SheetError for a missing file, a folder, and an empty file. */
export async function readFileHead(file: string): Promise<FileHead> {
  try {
    const handle = await open(file, 'r');
    try {
      const stats = await handle.stat();
      if (stats.isDirectory()) throw Object.assign(new Error('a folder'), { code: 'EISDIR' });
      const buffer = Buffer.alloc(Math.min(limits.headBytes, stats.size));
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
      if (bytesRead === 0) {
        throw new SheetError('empty_file', message('empty_file', { file }), {
          position: { file },
          actions: [byHand('check_right_file', {})],
        });
      }
      return { bytes: buffer.subarray(0, bytesRead), whole: stats.size <= bytesRead };
    } finally {
      await handle.close();
    }
  } catch (cause) {
    throw fileError(file, cause);
  }
}

/**
 * The kind of the file. Throws a SheetError that names any other kind.
 *
 * @param isText the user named the encoding, so odd bytes are accepted
 */
export function fileKind(file: string, head: FileHead, isText = false): FileKind {
  const start = head.bytes.toString('latin1', 0, 4096);
  if (start.startsWith('PK\x03\x04') || start.startsWith('PK\x05\x06') || start.startsWith('PK\x07\x08'))
    return 'zip';
  if (start.startsWith(COMPOUND_MAGIC)) return 'compound';
  // The first record of Excel 2.0, 3.0 and 4.0, which used no container.
  const [first, version = 0, length = 0, zero] = head.bytes;
  if (first === 9 && [0, 2, 4].includes(version) && [4, 6].includes(length) && zero === 0) {
    throw oldXlsError(file);
  }
  for (const [format, magic] of BINARY_MAGIC) {
    if (start.startsWith(magic)) throw binaryError(file, format);
  }
  if (
    /^(?:\xef\xbb\xbf|\xff\xfe)?\s*(?:<!--[^]*?-->\s*)?<(?:!doctype html|html|head|body|table|meta)\b/iu.test(
      start.replaceAll('\0', ''),
    )
  )
    return 'html';
  // People do not write headers that begin with a brace and a quoted key.
  if (/^(?:\xef\xbb\xbf)?\s*(?:\[\s*)?\{\s*"(?:[^"\\]|\\.)*"\s*:/u.test(start)) {
    throw new SheetError('json', message('json', { file }), {
      position: { file },
      actions: [byHand('export_as_table', {})],
    });
  }
  if (/^(?:\xef\xbb\xbf)?\s*<\?xml[^]*?<(?:\w+:)?Workbook\b/u.test(start)) {
    throw new SheetError('xml_spreadsheet', message('xml_spreadsheet', { file }), {
      position: { file },
      actions: [byHand('resave', {})],
    });
  }
  if (/^(?:\xef\xbb\xbf)?\s*<\?xml[^]*?<office:document\b/u.test(start)) return 'fods';
  if (/^(?:\xef\xbb\xbf)?\s*<\?xml\s/u.test(start)) throw binaryError(file, 'XML');
  if (!isText && looksBinary(head.bytes)) throw binaryError(file);
  return 'text';
}

/**
 * Text has hardly any control characters, unless it is UTF-16, whose zero bytes stand on one side of its pairs.
 * Bytes that are valid UTF-8 are text even with some of them in it.
 */
function looksBinary(bytes: Buffer): boolean {
  const sample = bytes.subarray(0, 8192);
  if ((sample[0] === 0xff && sample[1] === 0xfe) || (sample[0] === 0xfe && sample[1] === 0xff)) return false;
  let zeros = 0;
  let oddZeros = 0;
  let controls = 0;
  sample.forEach((byte, at) => {
    if (byte === 0) {
      zeros += 1;
      oddZeros += at % 2;
    } else if (byte < 9 || (byte > 13 && byte < 32)) controls += 1;
  });
  const oneSided = zeros > sample.length * 0.2 && (oddZeros < zeros * 0.1 || oddZeros > zeros * 0.9);
  if (oneSided && controls < sample.length * 0.02) return false;
  const isText = isUtf8(sample.subarray(0, sample.length - incompleteTail(sample)));
  return zeros + controls > Math.max(4, sample.length * (isText ? 0.3 : 0.02));
}

/** @param format its name, if it is known: `PDF` */
export function binaryError(file: string, format?: string): SheetError {
  return new SheetError('binary', message('no_spreadsheet', { file, ...defined({ format }) }), {
    position: { file },
    actions: [byHand('export_from_program', {})],
  });
}

/** Excel 4.0 and older wrote each sheet as a file, or as a stream of records without a workbook. */
export function oldXlsError(file: string): SheetError {
  return new SheetError('old_xls', message('old_xls', { file }), {
    position: { file },
    actions: [byHand('resave', {})],
  });
}
