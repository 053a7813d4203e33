import { describe, expect, it } from 'vitest';
import { readCompoundFile, readWholeStream, StreamReader } from '../../src/sheets/compound-file.ts';
import { errorOf, newFile } from './support/files.ts';
import { makeCompound } from './support/make-compound.ts';

const bytes = (length: number) => Buffer.from(Array.from({ length }, (_, at) => (at * 31 + (at >> 8)) % 256));

async function readStream(file: string, name: string): Promise<Buffer | undefined> {
  const place = (await readCompoundFile(file)).find(name);
  return place === undefined ? undefined : readWholeStream(place, 64 * 1024 * 1024);
}

describe('streams of a compound file can be read', () => {
  const streams = {
    Empty: bytes(0),
    Small: bytes(100),
    Third: bytes(4095),
    Large: bytes(5000),
    X: bytes(65),
  };

  it.each(Object.entries(streams))('%s', async (name, content) => {
    const file = await newFile(makeCompound(streams), 'xls');
    expect(await readStream(file, name.toUpperCase())).toEqual(content);
    expect(await readStream(file, 'none')).toBeUndefined();
  });

  it('in any range', async () => {
    const place = (await readCompoundFile(await newFile(makeCompound(streams), 'xls'))).find('large');
    if (place === undefined) throw new Error('no stream');
    const reader = await StreamReader.open(place);
    const target = Buffer.alloc(1500);
    expect(await reader.read(target, 700)).toBe(1500);
    expect(target).toEqual(bytes(5000).subarray(700, 2200));
    expect(await reader.read(target, 4990)).toBe(10);
    expect(await reader.read(target, 5000)).toBe(0);
    await reader.close();
  });

  it('from a file so large that its table of sectors is listed outside the header', async () => {
    const large = Buffer.alloc(16 * 1024 * 1024, 'shelf');
    const file = await newFile(makeCompound({ Small: bytes(100), Large: large }), 'xls');
    expect((await readStream(file, 'Large'))?.equals(large)).toBe(true);
  });
});

describe('a damaged compound file is refused with a known error', () => {
  const good = makeCompound({ Large: bytes(6000), Small: bytes(100) });
  const table = good.indexOf(Buffer.from('01000000020000000300000004000000', 'hex'));
  const changed = (at: number, value: number) => {
    const copy = Buffer.from(good);
    copy.writeUInt32LE(value, at);
    return copy;
  };
  const directoryAt = (good.readUInt32LE(48) + 1) * 512;
  it.each<[what: string, code: string, content: Buffer]>([
    ['cut off', 'truncated', good.subarray(0, 2000)],
    ['truncated in its header', 'truncated', good.subarray(0, 300)],
    ['a loop of sectors', 'damaged_workbook', changed(table + 8, 1)],
    ['a chain that ends too early', 'damaged_workbook', changed(table + 8, 0xffff_fffe)],
    ['a chain that leads beyond the end of the file', 'truncated', changed(table + 8, 70_000)],
    ['a stream larger than the file', 'truncated', changed(directoryAt + 128 + 120, 0x7fff_ffff)],
    ['a missing directory', 'damaged_workbook', changed(48, 0xffff_fffe)],
  ])('%s', async (_, code, content) => {
    expect((await errorOf(readStream(await newFile(content, 'xls'), 'large'))).code).toBe(code);
  });

  it('with a directory whose entries form a loop', async () => {
    expect(
      await readStream(await newFile(changed(directoryAt + 128 + 72, 1), 'xls'), 'small'),
    ).toBeUndefined();
  });
});
