/**
 * Recognises a file by its first bytes and never by its name: people rename files, and programs save HTML as .xls.
 */
import { isUtf8 } from 'node:buffer';
import { open } from 'node:fs/promises';
import { SheetError } from '../errors.ts';
import { incompleteTail } from './csv/sniff-encoding.ts';
import { fileError } from './file-error.ts';
import { limits } from './limits.ts';

export interface FileHead {
  bytes: Buffer;
  /** The file has no more bytes than these. */
  whole: boolean;
}

const RESAVE = 'Open it in a spreadsheet program and save it as .xlsx or as CSV.';

/** Signatures of files that are not tables, with names for messages. */
const BINARY_MAGIC: [name: string, magic: string][] = [
  ['a PDF document', '%PDF'],
  ['a PNG picture', '\x89PNG'],
  ['a JPEG picture', '\xff\xd8\xff'],
  ['a GIF picture', 'GIF8'],
  ['a gzip archive', '\x1f\x8b'],
  ['a 7-Zip archive', '7z\xbc\xaf'],
  ['a RAR archive', 'Rar!'],
  ['an SQLite database', 'SQLite format 3'],
  ['a Parquet file', 'PAR1'],
  ['an RTF document', '{\\rtf'],
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
        throw new SheetError('empty_file', `${file} is empty.`, {
          position: { file },
          remedy: 'Check that it is the right file, and that it was downloaded or saved completely.',
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
 * `zip` or `text`. Throws a SheetError that names any other kind.
 *
 * @param isText the user named the encoding, so odd bytes are accepted
 */
export async function fileKind(file: string, head: FileHead, isText = false): Promise<'zip' | 'text'> {
  const start = head.bytes.toString('latin1', 0, 4096);
  if (start.startsWith('PK\x03\x04') || start.startsWith('PK\x05\x06') || start.startsWith('PK\x07\x08'))
    return 'zip';
  if (start.startsWith('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1')) throw await compoundFileError(file, head.bytes);
  for (const [name, magic] of BINARY_MAGIC) {
    if (start.startsWith(magic)) throw binaryError(file, `is ${name}, not a spreadsheet`);
  }
  if (
    /^(?:\xef\xbb\xbf)?\s*(?:<!--[^]*?-->\s*)?<(?:!doctype html|html|head|body|table|meta)\b/iu.test(start)
  ) {
    throw new SheetError('html', `${file} is a web page (HTML), whatever its name says.`, {
      position: { file },
      remedy: `Some sites save tables this way as .xls. ${RESAVE}`,
    });
  }
  // A header that begins with a brace and a quoted key is none that a person writes.
  if (/^(?:\xef\xbb\xbf)?\s*(?:\[\s*)?\{\s*"(?:[^"\\]|\\.)*"\s*:/u.test(start)) {
    throw new SheetError('json', `${file} is JSON, not a table.`, {
      position: { file },
      remedy: 'An export as CSV or XLSX (--out FILE.csv) comes back in; NDJSON is for other programs.',
    });
  }
  if (/^(?:\xef\xbb\xbf)?\s*<\?xml[^]*?<(?:\w+:)?Workbook\b/u.test(start)) {
    throw new SheetError('xml_spreadsheet', `${file} is an "XML Spreadsheet 2003", which is not read.`, {
      position: { file },
      remedy: RESAVE,
    });
  }
  if (/^(?:\xef\xbb\xbf)?\s*<\?xml[^]*?<office:document\b/u.test(start)) throw openDocumentError(file);
  if (/^(?:\xef\xbb\xbf)?\s*<\?xml\s/u.test(start)) {
    throw binaryError(file, 'is an XML document, and no spreadsheet that is known here');
  }
  if (!isText && looksBinary(head.bytes))
    throw binaryError(file, 'is no text and no spreadsheet that is known here');
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

/** OpenDocument spreadsheets, as a zip (.ods) and as one XML file (.fods). */
export function openDocumentError(file: string): SheetError {
  return new SheetError('ods', `${file} is an OpenDocument file (.ods), which is not read.`, {
    position: { file },
    remedy: 'Open it in LibreOffice and save it as .xlsx or as CSV.',
  });
}

function binaryError(file: string, what: string): SheetError {
  return new SheetError('binary', `${file} ${what}.`, {
    position: { file },
    remedy: 'Export the table from the program that made it, as .xlsx or as CSV.',
  });
}

/**
 * Old Excel files and encrypted new ones share a container (MS-CFB), whose directory names its streams:
 * `EncryptedPackage` (MS-OFFCRYPTO) in one, `Workbook` or `Book` in the other.
 */
async function compoundFileError(file: string, head: Buffer): Promise<SheetError> {
  const names = await directoryNames(file, head);
  if (names.includes('EncryptedPackage') || names.includes('EncryptionInfo')) {
    return new SheetError('password_protected', `${file} is a workbook protected by a password.`, {
      position: { file },
      remedy: 'Open it in your spreadsheet program, remove the password and save it again.',
    });
  }
  if (names.includes('Workbook') || names.includes('Book')) {
    return new SheetError('old_xls', `${file} is a workbook in the old .xls format (Excel 97 to 2003).`, {
      position: { file },
      remedy: RESAVE,
    });
  }
  return binaryError(file, 'is an old Office document that is damaged or has no workbook in it');
}

/**
 * Names in the first sector of the container's directory (MS-CFB 2.6): entries of 128 bytes, the name first, its
 * length in bytes with the closing zero at 64. The root's own streams come in the first four or the next entries;
 * eight sectors are read, in case the directory goes on right after.
 */
async function directoryNames(file: string, head: Buffer): Promise<string[]> {
  if (head.length < 512) return [];
  // 512 bytes or 4096 (MS-CFB 2.2); anything else is a damaged header.
  const shift = head.readUInt16LE(30);
  if (shift !== 9 && shift !== 12) return [];
  const sectorSize = 1 << shift;
  const sectors = Buffer.alloc(8 * sectorSize);
  const handle = await open(file, 'r');
  try {
    await handle.read(sectors, 0, sectors.length, (head.readUInt32LE(48) + 1) * sectorSize);
  } finally {
    await handle.close();
  }
  const names: string[] = [];
  for (let at = 0; at < sectors.length; at += 128) {
    const length = sectors.readUInt16LE(at + 64);
    if (length >= 4 && length <= 64) names.push(sectors.toString('utf16le', at, at + length - 2));
  }
  return names;
}
