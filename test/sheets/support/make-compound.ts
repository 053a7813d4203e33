/** Compound files (MS-CFB), version 3 with sectors of 512 bytes. */

const SECTOR = 512;
const MINI = 64;
const MINI_BELOW = 4096;
const FREE = 0xffff_ffff;
const END = 0xffff_fffe;
const TABLE = 0xffff_fffd;
const LIST = 0xffff_fffc;

function padded(content: Uint8Array, unit: number): Buffer {
  return Buffer.concat([content, Buffer.alloc((unit - (content.length % unit)) % unit)]);
}

/** A compound file with these streams in its root. */
export function makeCompound(streams: Record<string, Uint8Array>): Buffer {
  const sectors: Buffer[] = [];
  const next: number[] = [];
  /** Appends content as a chain; returns its first sector. */
  const append = (content: Buffer): number => {
    if (content.length === 0) return END;
    const first = sectors.length;
    const whole = padded(content, SECTOR);
    for (let at = 0; at < whole.length; at += SECTOR) {
      sectors.push(whole.subarray(at, at + SECTOR));
      next.push(at + SECTOR < whole.length ? sectors.length : END);
    }
    return first;
  };
  const mini: Buffer[] = [];
  const nextMini: number[] = [];
  const entries = Object.entries(streams).map(([name, content]) => {
    const bytes = Buffer.from(content);
    if (bytes.length >= MINI_BELOW) return { name, size: bytes.length, start: append(bytes) };
    const start = bytes.length === 0 ? END : nextMini.length;
    const whole = padded(bytes, MINI);
    mini.push(whole);
    for (let at = 0; at < whole.length; at += MINI)
      nextMini.push(at + MINI < whole.length ? nextMini.length + 1 : END);
    return { name, size: bytes.length, start };
  });
  const miniStream = Buffer.concat(mini);
  const root = { name: 'Root Entry', size: miniStream.length, start: append(miniStream) };
  const directory = Buffer.alloc((entries.length + 1) * 128);
  [root, ...entries].forEach(({ name, size, start }, index) => {
    const at = index * 128;
    directory.write(name, at, 'utf16le');
    directory.writeUInt16LE(name.length * 2 + 2, at + 64);
    directory.writeUInt8(index === 0 ? 5 : 2, at + 66);
    directory.writeUInt8(1, at + 67);
    directory.writeUInt32LE(FREE, at + 68);
    // The tree leans to the right: each entry's sibling is the next.
    directory.writeUInt32LE(index > 0 && index < entries.length ? index + 1 : FREE, at + 72);
    directory.writeUInt32LE(index === 0 && entries.length > 0 ? 1 : FREE, at + 76);
    directory.writeUInt32LE(start, at + 116);
    directory.writeUInt32LE(size, at + 120);
  });
  const directoryStart = append(directory);
  const miniTable = Buffer.alloc(nextMini.length * 4);
  nextMini.forEach((value, index) => miniTable.writeUInt32LE(value, index * 4));
  const miniTableStart = append(padded(miniTable, SECTOR).fill(0xff, miniTable.length));

  let lists = 0;
  let tables = 0;
  for (;;) {
    tables = Math.ceil((sectors.length + lists + tables) / 128);
    lists = Math.max(0, Math.ceil((tables - 109) / 127));
    if (tables * 128 >= sectors.length + lists + tables) break;
  }
  const firstTable = sectors.length;
  const firstList = firstTable + tables;
  const table = Buffer.alloc(tables * SECTOR, 0xff);
  next.push(...Array.from({ length: tables }, () => TABLE), ...Array.from({ length: lists }, () => LIST));
  next.forEach((value, index) => table.writeUInt32LE(value, index * 4));
  const list = Buffer.alloc(lists * SECTOR, 0xff);
  for (let index = 109; index < tables; index += 1) {
    const at = index - 109;
    list.writeUInt32LE(firstTable + index, Math.floor(at / 127) * SECTOR + (at % 127) * 4);
  }
  for (let index = 0; index < lists; index += 1) {
    list.writeUInt32LE(index + 1 < lists ? firstList + index + 1 : END, index * SECTOR + 508);
  }
  const header = Buffer.alloc(SECTOR, 0xff);
  header.fill(0, 0, 76);
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(header);
  header.writeUInt16LE(0x3e, 24);
  header.writeUInt16LE(3, 26);
  header.writeUInt16LE(0xfffe, 28);
  header.writeUInt16LE(9, 30);
  header.writeUInt16LE(6, 32);
  header.writeUInt32LE(tables, 44);
  header.writeUInt32LE(directoryStart, 48);
  header.writeUInt32LE(MINI_BELOW, 56);
  header.writeUInt32LE(nextMini.length > 0 ? miniTableStart : END, 60);
  header.writeUInt32LE(Math.ceil(nextMini.length / 128), 64);
  header.writeUInt32LE(lists > 0 ? firstList : END, 68);
  header.writeUInt32LE(lists, 72);
  for (let index = 0; index < Math.min(109, tables); index += 1) {
    header.writeUInt32LE(firstTable + index, 76 + index * 4);
  }
  return Buffer.concat([header, ...sectors, table, list]);
}
