/**
 * What a disk may hold after a power cut.
 *
 * What was flushed is there. Of what was not, anything may be: writes to a file in any subset, the last one torn at a
 * sector; new names, renames and removals in the order in which they were made, as journals keep them, up to some
 * point. A new file's name is there once the file was flushed, as on ext4, XFS and btrfs.
 */
import { linkSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, sep } from 'node:path';
import { foldersOf, type Operation } from './record.ts';

const SECTOR = 512;

type NameOperation = Extract<Operation, { kind: 'create' | 'rename' | 'link' | 'unlink' }>;

/** A file or a folder; several names may have the same one. */
export interface Left {
  /** Its number in the recording. */
  file: number;
  /** Null for a folder. */
  content: Buffer | null;
}

/**
 * @param random [0, 1)
 * @returns by path
 */
export function afterCut(operations: readonly Operation[], random: () => number): Map<string, Left> {
  const flushed = new Map<number, number>();
  const flushedFolders = new Map<string, number>();
  for (const [index, operation] of operations.entries()) {
    if (operation.kind === 'sync') flushed.set(operation.file, index);
    if (operation.kind === 'sync-folder') flushedFolders.set(operation.path, index);
  }
  const mood = random();
  const shareKept = mood < 0.2 ? 1 : mood < 0.4 ? 0 : random();
  const lastName = mood < 0.2 ? operations.length : mood < 0.4 ? -1 : random() * operations.length;
  const isThere = (operation: NameOperation, index: number) =>
    index <= lastName ||
    (operation.kind === 'create' && (flushed.get(operation.file) ?? -1) > index) ||
    foldersOf(operation).every((folder) => (flushedFolders.get(folder) ?? -1) > index);
  const contents = new Map<number, Buffer | null>();
  const names = new Map<string, number>();
  for (const [index, operation] of operations.entries()) {
    switch (operation.kind) {
      case 'create':
        contents.set(operation.file, operation.isFolder ? null : Buffer.alloc(0));
        if (isThere(operation, index)) names.set(operation.path, operation.file);
        break;
      case 'write':
      case 'truncate': {
        const before = contents.get(operation.file) ?? Buffer.alloc(0);
        const isFlushed = (flushed.get(operation.file) ?? -1) > index;
        if (!isFlushed && random() >= shareKept) break;
        contents.set(operation.file, changed(before, operation, isFlushed ? 1 : random()));
        break;
      }
      case 'rename':
      case 'link':
      case 'unlink':
        if (isThere(operation, index)) move(names, operation);
        break;
      default:
    }
  }
  const left = new Map([...contents].map(([file, content]) => [file, { file, content }]));
  return new Map([...names].map(([path, file]) => [path, left.get(file) ?? { file, content: null }]));
}

function changed(
  before: Buffer,
  operation: Extract<Operation, { kind: 'write' | 'truncate' }>,
  luck: number,
): Buffer {
  if (operation.kind === 'truncate') {
    const after = Buffer.alloc(operation.length);
    before.copy(after);
    return after;
  }
  const { offset, data } = operation;
  // One in ten is torn.
  const length = luck < 0.1 ? Math.floor((luck * 10 * data.length) / SECTOR) * SECTOR : data.length;
  const after = Buffer.alloc(Math.max(before.length, offset + length));
  before.copy(after);
  data.copy(after, offset, 0, length);
  return after;
}

function move(names: Map<string, number>, operation: Exclude<NameOperation, { kind: 'create' }>): void {
  if (operation.kind === 'unlink') {
    names.delete(operation.path);
    return;
  }
  const { kind, from, to } = operation;
  const file = names.get(from);
  if (file === undefined) return;
  if (kind === 'rename') names.delete(from);
  for (const [path, inside] of names)
    if (path.startsWith(from + sep)) {
      names.delete(path);
      names.set(to + path.slice(from.length), inside);
    }
  names.set(to, file);
}

/** Empties the folder, and puts there what a cut left. */
export function restore(folder: string, left: ReadonlyMap<string, Left>): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const first = new Map<Left, string>();
  for (const [path, each] of [...left].sort(([a], [b]) => a.length - b.length)) {
    mkdirSync(each.content === null ? path : dirname(path), { recursive: true });
    if (each.content === null) continue;
    const other = first.get(each);
    if (other === undefined) writeFileSync(path, each.content);
    else linkSync(other, path);
    first.set(each, path);
  }
}
