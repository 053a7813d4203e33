/**
 * Compound files (MS-CFB): a file system in a file, in which Excel 97 to 2003 kept its workbooks and in which newer
 * ones are kept when a password protects them. Only streams of the root are read.
 *
 * The table of sectors is held in memory (4 bytes a sector); a stream is read piece by piece from its sectors.
 */
import { type FileHandle, open } from 'node:fs/promises';
import { SheetError } from '../base/errors.ts';
import { limitError, limits } from './limits.ts';
import { utf16Text } from './utf16.ts';
import { byHand, message } from '../messages/message.ts';

/** First bytes of every compound file (2.2). */
export const COMPOUND_MAGIC = '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1';

const HEADER_BYTES = 512;
const ENTRY_BYTES = 128;
/** Streams smaller than this are in the mini stream, which has its own sectors (2.2). */
const MINI_BELOW_BYTES = 4096;
const MINI_SECTOR_BYTES = 64;
/** Sector numbers from here on are marks: free, end of a chain, part of the table itself (2.1). */
const FIRST_MARK = 0xffff_fffa;
const NO_ENTRY = 0xffff_ffff;
/** Sectors of the table that the header lists itself. */
const HEADER_DIFAT = 109;

/** Where a stream's bytes are: pieces of one size, the last of which may be filled in part. */
export interface StreamPlace {
  /** Absolute path. */
  file: string;
  sizeBytes: number;
  pieceBytes: number;
  /** Offset of each piece in the file. */
  offsets: Float64Array;
}

export interface CompoundFile {
  /**
   * The root's stream of this name, without regard to case; undefined if there is no such stream.
   *
   * @param asFarAsItGoes accepts a stream that is shorter than its entry says, for content that has its own check of
   * completeness
   */
  find(name: string, asFarAsItGoes?: boolean): StreamPlace | undefined;
}

interface Entry {
  name: string;
  isStream: boolean;
  start: number;
  sizeBytes: number;
}

/**
 * Reads the tables and the directory; the file is closed again.
 *
 * @throws SheetError `damaged_workbook`, `truncated`, `limit_compound_size`
 */
export async function readCompoundFile(file: string): Promise<CompoundFile> {
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    if (size > limits.compoundBytes) {
      const gigabytes = limits.compoundBytes / 1024 ** 3;
      const found = message('compound_too_large', { file, bytes: size, gigabytes });
      throw limitError('compound_size', found, file);
    }
    return await new Tables(file, handle, size).read();
  } finally {
    await handle.close();
  }
}

/** Reads bytes of a stream at any position. */
export class StreamReader {
  private readonly handle: FileHandle;
  readonly place: StreamPlace;

  private constructor(place: StreamPlace, handle: FileHandle) {
    this.place = place;
    this.handle = handle;
  }

  static async open(place: StreamPlace): Promise<StreamReader> {
    return new StreamReader(place, await open(place.file, 'r'));
  }

  /** Fills `target` from `position` on. Returns the number of bytes read: fewer only at the stream's end. */
  async read(target: Uint8Array, position: number): Promise<number> {
    const { pieceBytes, offsets, sizeBytes } = this.place;
    const wanted = Math.max(0, Math.min(target.length, sizeBytes - position));
    let done = 0;
    while (done < wanted) {
      const piece = Math.floor((position + done) / pieceBytes);
      const within = (position + done) % pieceBytes;
      const begin = offsets[piece] ?? 0;
      // Pieces that follow each other are read at once.
      let pieces = 1;
      const needed = Math.ceil((within + wanted - done) / pieceBytes);
      while (pieces < needed && offsets[piece + pieces] === begin + pieces * pieceBytes) pieces += 1;
      const length = Math.min(wanted - done, pieces * pieceBytes - within);
      const { bytesRead } = await this.handle.read(target, done, length, begin + within);
      if (bytesRead === 0) throw cutOff(this.place.file);
      done += bytesRead;
    }
    return done;
  }

  async close(): Promise<void> {
    await this.handle.close();
  }
}

/** The whole stream, which must not be larger than `mostBytes`. */
export async function readWholeStream(place: StreamPlace, mostBytes: number): Promise<Buffer> {
  if (place.sizeBytes > mostBytes) throw damaged(place.file, 'a part of it is larger than it can be');
  const reader = await StreamReader.open(place);
  try {
    const bytes = Buffer.alloc(place.sizeBytes);
    await reader.read(bytes, 0);
    return bytes;
  } finally {
    await reader.close();
  }
}

/** The tables that are read once, when a compound file is opened. */
class Tables {
  private readonly file: string;
  private readonly handle: FileHandle;
  private readonly fileBytes: number;
  private sectorBytes = 512;
  /** Number of sectors in the file; the last sector may be incomplete. */
  private sectors = 0;
  /** For each sector the next one of its chain. */
  private next: Uint32Array = new Uint32Array(0);
  private nextMini: Uint32Array = new Uint32Array(0);
  private miniSectors: Uint32Array = new Uint32Array(0);

  constructor(file: string, handle: FileHandle, fileBytes: number) {
    this.file = file;
    this.handle = handle;
    this.fileBytes = fileBytes;
  }

  async read(): Promise<CompoundFile> {
    const header = Buffer.alloc(HEADER_BYTES);
    if ((await this.handle.read(header, 0, HEADER_BYTES, 0)).bytesRead < HEADER_BYTES)
      throw cutOff(this.file);
    // 512 bytes or 4096 (2.2).
    const shift = header.readUInt16LE(30);
    if (shift !== 9 && shift !== 12) throw damaged(this.file, `its header has a sector size of 2^${shift}`);
    this.sectorBytes = 2 ** shift;
    this.sectors = Math.max(0, Math.ceil(this.fileBytes / this.sectorBytes) - 1);
    this.next = await this.readTable(await this.tableSectors(header));
    const most = limits.compoundTableBytes / this.sectorBytes;
    const directory = await this.readChain(this.chain(header.readUInt32LE(48), this.next, most));
    const entries = this.rootStreams(directory);
    const miniTable = this.chain(header.readUInt32LE(60), this.next, most);
    this.nextMini = await this.readTable(miniTable);
    const root = entryAt(directory, 0);
    this.miniSectors = this.chain(root.start, this.next, Math.ceil(root.sizeBytes / this.sectorBytes));
    return {
      find: (name, asFarAsItGoes = false) => {
        const entry = entries.get(name.toLowerCase());
        return entry === undefined ? undefined : this.placeOf(entry, asFarAsItGoes);
      },
    };
  }

  /** Sectors that hold the table of sectors: some are listed in the header, the others in a chain of lists (2.5). */
  private async tableSectors(header: Buffer): Promise<Uint32Array> {
    const perSector = this.sectorBytes / 4;
    const most = Math.ceil(this.sectors / perSector);
    const found: number[] = [];
    const take = (list: Buffer, from: number, count: number) => {
      for (let at = 0; at < count && found.length < most; at += 1) {
        const sector = list.readUInt32LE(from + at * 4);
        if (sector < FIRST_MARK) found.push(sector);
      }
    };
    take(header, 76, HEADER_DIFAT);
    let list = header.readUInt32LE(68);
    // Each list except the last is full, so there are at most this many lists, and no loop.
    for (let lists = 0; found.length < most && list < FIRST_MARK; lists += 1) {
      if (lists > most / (perSector - 1) + 1) throw damaged(this.file, 'the list of its sectors has a loop');
      const bytes = await this.readChain(Uint32Array.of(list));
      take(bytes, 0, perSector - 1);
      list = bytes.readUInt32LE((perSector - 1) * 4);
    }
    return Uint32Array.from(found);
  }

  private async readTable(sectors: Uint32Array): Promise<Uint32Array> {
    const bytes = await this.readChain(sectors);
    const table = new Uint32Array(bytes.length / 4);
    for (let at = 0; at < table.length; at += 1) table[at] = bytes.readUInt32LE(at * 4);
    return table;
  }

  /** Bytes of these sectors; the missing part of the last sector is filled with zeros. */
  private async readChain(sectors: Uint32Array): Promise<Buffer> {
    const bytes = Buffer.alloc(sectors.length * this.sectorBytes);
    for (const [index, sector] of sectors.entries()) {
      if (sector >= this.sectors) throw cutOff(this.file);
      await this.handle.read(bytes, index * this.sectorBytes, this.sectorBytes, this.offsetOf(sector));
    }
    return bytes;
  }

  private offsetOf(sector: number): number {
    return (sector + 1) * this.sectorBytes;
  }

  /** The chain that begins at `start`, up to `most` sectors. */
  private chain(start: number, next: Uint32Array, most: number): Uint32Array {
    const chain: number[] = [];
    const seen = new Uint8Array(Math.ceil(next.length / 8));
    for (let sector = start; sector < FIRST_MARK && chain.length < most; sector = next[sector] ?? NO_ENTRY) {
      if (sector >= next.length) throw cutOff(this.file);
      const bit = 1 << (sector & 7);
      if (((seen[sector >> 3] ?? 0) & bit) !== 0) throw damaged(this.file, 'its sectors form a loop');
      seen[sector >> 3] = (seen[sector >> 3] ?? 0) | bit;
      chain.push(sector);
    }
    return Uint32Array.from(chain);
  }

  /** The streams right under the root: its children are a binary tree (2.6.4). */
  private rootStreams(directory: Buffer): Map<string, Entry> {
    const count = directory.length / ENTRY_BYTES;
    if (count === 0) throw damaged(this.file, 'it has no directory');
    const found = new Map<string, Entry>();
    const seen = new Set<number>();
    const waiting = [directory.readUInt32LE(76)];
    for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
      if (index >= count || seen.has(index)) continue;
      seen.add(index);
      const entry = entryAt(directory, index);
      if (entry.isStream && !found.has(entry.name.toLowerCase())) found.set(entry.name.toLowerCase(), entry);
      waiting.push(
        directory.readUInt32LE(index * ENTRY_BYTES + 68),
        directory.readUInt32LE(index * ENTRY_BYTES + 72),
      );
    }
    return found;
  }

  private placeOf({ start, sizeBytes }: Entry, asFarAsItGoes: boolean): StreamPlace {
    const mini = sizeBytes < MINI_BELOW_BYTES;
    const pieceBytes = mini ? MINI_SECTOR_BYTES : this.sectorBytes;
    const needed = Math.ceil(sizeBytes / pieceBytes);
    if (sizeBytes > this.fileBytes && !asFarAsItGoes) throw cutOff(this.file);
    const chain = this.chain(start, mini ? this.nextMini : this.next, needed);
    if (chain.length < needed && !asFarAsItGoes)
      throw damaged(this.file, 'a chain of its sectors ends too early');
    const offsets = new Float64Array(chain.length);
    const perSector = this.sectorBytes / MINI_SECTOR_BYTES;
    chain.forEach((sector, index) => {
      if (!mini) {
        offsets[index] = this.offsetOf(sector);
        return;
      }
      const host = this.miniSectors[Math.floor(sector / perSector)];
      if (host === undefined) throw cutOff(this.file);
      offsets[index] = this.offsetOf(host) + (sector % perSector) * MINI_SECTOR_BYTES;
    });
    const hasBytes = Math.min(sizeBytes, chain.length * pieceBytes);
    return { file: this.file, sizeBytes: hasBytes, pieceBytes, offsets };
  }
}

/** An entry of the directory (2.6.1). If sectors have 512 bytes, only the low half of the size counts. */
function entryAt(directory: Buffer, index: number): Entry {
  const at = index * ENTRY_BYTES;
  const nameBytes = Math.min(64, directory.readUInt16LE(at + 64));
  return {
    name: utf16Text(directory, at, at + Math.max(0, nameBytes - 2)),
    isStream: directory[at + 66] === 2,
    start: directory.readUInt32LE(at + 116),
    sizeBytes: directory.readUInt32LE(at + 120),
  };
}

function cutOff(file: string): SheetError {
  return new SheetError('truncated', message('parts_missing', { file }), {
    position: { file },
    actions: [byHand('download_again', {})],
  });
}

/** The error for a damaged file. Only a programmer can use `what`, a clause such as `its sectors form a loop`: `--verbose` shows it. */
export function damaged(file: string, what: string, sheet?: string): SheetError {
  return new SheetError('damaged_workbook', message('damaged_workbook', { file }), {
    cause: new Error(what),
    position: { file, ...(sheet === undefined ? {} : { sheet }) },
    actions: [byHand('download_or_repair', {})],
  });
}
