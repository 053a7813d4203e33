/** Records what a command writes below a folder, in order: its system calls, as strace shows them. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';

/** A call that changes what is on the disk. Paths are absolute. */
export type Operation = { at: number } & (
  | { kind: 'create'; path: string; file: number; isFolder: boolean }
  | { kind: 'write'; file: number; offset: number; data: Buffer }
  | { kind: 'truncate'; file: number; length: number }
  | { kind: 'sync'; file: number }
  | { kind: 'sync-folder'; path: string }
  | { kind: 'rename'; from: string; to: string }
  | { kind: 'link'; from: string; to: string }
  | { kind: 'unlink'; path: string }
);

const CALLS =
  'openat,creat,close,write,pwrite64,writev,pwritev,ftruncate,fsync,fdatasync,' +
  'rename,renameat,renameat2,link,linkat,unlink,unlinkat,rmdir,mkdir,mkdirat,copy_file_range,sendfile,fallocate';
const TEXT = /"((?:\\x[\da-f]{2})*)"/g;

export interface Recording {
  operations: Operation[];
  /** How many of them were made, and flushed, before the command began. */
  before: number;
  /** Inodes of the files that were there before, by their numbers: a restored file has another one. */
  inodes: Map<number, string>;
  code: number;
  output: string;
}

/**
 * Runs a program in a folder with these files.
 *
 * @param files text by name; a folder's name ends with a slash
 * @throws Error for a call that this module cannot replay
 */
export async function record(
  argv: readonly string[],
  {
    folder,
    files,
    env,
    trace,
  }: { folder: string; files: Readonly<Record<string, string>>; env: NodeJS.ProcessEnv; trace: string },
): Promise<Recording> {
  const there = Object.entries(files).flatMap(([name, text], index): Operation[] => {
    const path = join(folder, name.replace(/\/$/, ''));
    const isFolder = name.endsWith('/');
    if (isFolder) mkdirSync(path, { recursive: true });
    else writeFileSync(path, text);
    const data = Buffer.from(text);
    const file = index + 1;
    return [
      { kind: 'create', at: 0, path, file, isFolder },
      ...(isFolder ? [] : [{ kind: 'write', at: 0, file, offset: 0, data } as const]),
      { kind: 'sync', at: 0, file },
    ];
  });
  const inodes = new Map(
    there.flatMap((each) => (each.kind === 'create' ? [[each.file, inodeOf(each.path)] as const] : [])),
  );
  const strace = ['-f', '-ttt', '-y', '-xx', '-s', '100000000', '-o', trace, '-e', `trace=${CALLS}`];
  const child = spawn('strace', [...strace, ...argv], { cwd: folder, env: { ...process.env, ...env } });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const [code] = (await once(child, 'close')) as [number];
  const calls = callsOf(readFileSync(trace, 'latin1'));
  return { operations: operationsOf(calls, folder, there), before: there.length, inodes, code, output };
}

export function inodeOf(path: string): string {
  return String(statSync(path, { bigint: true }).ino);
}

interface Call {
  /** s since the epoch: when it began, and when it ended. */
  at: number;
  until: number;
  name: string;
  args: string;
  result: number;
  /** Path of the descriptor that it returned. */
  returned: string;
}

/** In the order in which they ended; a call that failed is left out. */
function callsOf(trace: string): Call[] {
  const calls: Call[] = [];
  const begun = new Map<string, { at: number; text: string }>();
  for (const line of trace.split('\n')) {
    const [, pid = '', time = '', rest = ''] = /^(\d+) +(\d+\.\d+) (.*)$/.exec(line) ?? [];
    const now = Number(time);
    if (rest.endsWith('<unfinished ...>')) {
      begun.set(pid, { at: now, text: rest.slice(0, -'<unfinished ...>'.length) });
      continue;
    }
    const resumed = /^<\.\.\. \w+ resumed>(.*)$/.exec(rest)?.[1];
    const start = resumed === undefined ? undefined : begun.get(pid);
    const text = start === undefined ? rest : start.text + (resumed ?? '');
    const [, name, args = '', result, returned = ''] =
      /^(\w+)\((.*)\) += (-?\d+)(?:<([^>]*)>)?/.exec(text) ?? [];
    if (name === undefined || Number(result) < 0) continue;
    calls.push({
      at: start?.at ?? now,
      until: now,
      name,
      // A call that was interrupted in the trace ends with a space.
      args: args.trimEnd(),
      result: Number(result),
      returned: decoded(returned),
    });
  }
  return calls;
}

function decoded(hex: string): string {
  return bytes(hex).toString('utf8');
}

function bytes(hex: string): Buffer {
  return Buffer.from(hex.replaceAll('\\x', ''), 'hex');
}

interface OpenFile {
  file: number;
  offset: number;
  appends: boolean;
}

function operationsOf(calls: readonly Call[], folder: string, there: readonly Operation[]): Operation[] {
  const operations = [...there];
  /** Names as they are if nothing is lost. */
  const names = new Map(
    there.flatMap((each) => (each.kind === 'create' ? [[each.path, each.file] as const] : [])),
  );
  const lengths = new Map<number, number>();
  const open = new Map<number, OpenFile>();
  /** Of all descriptors: paths may go through an open folder. */
  const opened = new Map<number, string>();
  const located = (path: string) =>
    resolve(folder, path).replace(
      /^\/proc\/self\/fd\/(\d+)(?=\/|$)/,
      (all, number: string) => opened.get(Number(number)) ?? all,
    );
  let files = names.size;
  // What SQLite keeps in shared memory does not outlive its processes.
  const isOurs = (path: string) => path.startsWith(folder + sep) && !path.endsWith('-shm');
  for (const { at, until, name, args, result, returned } of calls) {
    const [first = '', second = ''] = [...args.matchAll(TEXT)].map(([, hex = '']) => located(decoded(hex)));
    const descriptor = Number(/^\d+/.exec(args)?.[0]);
    const held = open.get(descriptor);
    const put = (path: string, isFolder: boolean) => {
      files += 1;
      names.set(path, files);
      operations.push({ kind: 'create', at, path, file: files, isFolder });
      return files;
    };
    const write = (data: Buffer, given?: number) => {
      if (held === undefined) return;
      const offset = given ?? (held.appends ? (lengths.get(held.file) ?? 0) : held.offset);
      operations.push({ kind: 'write', at, file: held.file, offset, data });
      if (given === undefined) held.offset = offset + data.length;
      lengths.set(held.file, Math.max(lengths.get(held.file) ?? 0, offset + data.length));
    };
    const truncate = (file: number, length: number) => {
      operations.push({ kind: 'truncate', at, file, length });
      lengths.set(file, length);
    };
    switch (name) {
      case 'openat':
      case 'creat': {
        open.delete(result);
        opened.set(result, returned);
        if (!isOurs(returned) || args.includes('O_DIRECTORY')) break;
        const isNew = !names.has(returned);
        if (isNew && !/O_CREAT/.test(args) && name === 'openat') break;
        const file = names.get(returned) ?? put(returned, false);
        if (!isNew && /O_TRUNC/.test(args)) truncate(file, 0);
        open.set(result, { file, offset: 0, appends: /O_APPEND/.test(args) });
        break;
      }
      case 'close':
        open.delete(descriptor);
        break;
      case 'write':
        write(bytes(/"((?:\\x[\da-f]{2})*)"/.exec(args)?.[1] ?? '').subarray(0, result));
        break;
      case 'writev':
        write(Buffer.concat([...args.matchAll(TEXT)].map(([, hex = '']) => bytes(hex))).subarray(0, result));
        break;
      case 'pwrite64':
        write(
          bytes(/"((?:\\x[\da-f]{2})*)"/.exec(args)?.[1] ?? '').subarray(0, result),
          Number(/, (\d+)$/.exec(args)?.[1]),
        );
        break;
      case 'ftruncate':
        if (held !== undefined) truncate(held.file, Number(/, (\d+)$/.exec(args)?.[1]));
        break;
      case 'fsync':
      case 'fdatasync': {
        // Nothing is promised before it has ended.
        const path = decoded(/^\d+<([^>]*)>/.exec(args)?.[1] ?? '');
        if (held !== undefined) operations.push({ kind: 'sync', at: until, file: held.file });
        else if (path === folder || isOurs(path)) operations.push({ kind: 'sync-folder', at: until, path });
        break;
      }
      case 'rename':
      case 'renameat':
      case 'renameat2':
      case 'link':
      case 'linkat': {
        const kind = name.startsWith('rename') ? 'rename' : 'link';
        const file = names.get(first);
        if (file === undefined || !isOurs(second)) break;
        if (kind === 'rename') names.delete(first);
        for (const [path, inside] of names)
          if (path.startsWith(first + sep)) {
            names.delete(path);
            names.set(second + path.slice(first.length), inside);
          }
        names.set(second, file);
        operations.push({ kind, at, from: first, to: second });
        break;
      }
      case 'unlink':
      case 'unlinkat':
      case 'rmdir':
        if (!names.delete(first)) break;
        operations.push({ kind: 'unlink', at, path: first });
        break;
      case 'mkdir':
      case 'mkdirat':
        if (isOurs(first)) put(first, true);
        break;
      default:
        if (held !== undefined) throw new Error(`${name} cannot be replayed: ${args.slice(0, 200)}`);
    }
  }
  return operations;
}

/** Folders whose flush makes an operation on names durable. */
export function foldersOf(operation: Operation): string[] {
  switch (operation.kind) {
    case 'create':
    case 'unlink':
      return [dirname(operation.path)];
    case 'rename':
      return [dirname(operation.from), dirname(operation.to)];
    case 'link':
      return [dirname(operation.to)];
    default:
      return [];
  }
}
