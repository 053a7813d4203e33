/** Runs the command line as a person does: a process of its own, in a folder of its own, with a state of its own. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { onTestFinished, vi } from 'vitest';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';

const root = resolve(import.meta.dirname, '../..');
export const SOURCE = join(root, 'src/cli/bin.ts');
/** As built by built-cli.ts, or from its source. */
export const BIN = process.env['SHELFLIFT_TEST_BIN'] ?? SOURCE;

export interface Run {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Place {
  folder: string;
  environment: NodeJS.ProcessEnv;
  /** Writes a file into the folder and gives its path. */
  file(name: string, text: string): string;
  /** Runs shelflift with these words. */
  run(argv: string[], options?: { stdin?: string | Buffer; environment?: NodeJS.ProcessEnv }): Promise<Run>;
  /** The same within this process, which saves its start; for what needs no terminal and no signal. */
  call(argv: string[], environment?: NodeJS.ProcessEnv, stdin?: string): Promise<Run>;
  /** Runs a shell line in which `shelflift` is a command. */
  shell(line: string, environment?: NodeJS.ProcessEnv): Promise<Run>;
  /** @param program SOURCE where what is loaded into it changes modules of its source */
  start(argv: string[], environment?: NodeJS.ProcessEnv, program?: string): ChildProcess;
}

/** A new folder that is the working folder, and holds home, state and config; removed after the test. */
export function newPlace(more: NodeJS.ProcessEnv = {}): Place {
  const folder = mkdtempSync(join(tmpdir(), 'shelflift-cli-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const bin = join(folder, '.bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'shelflift'), `#!/bin/sh\nexec "${process.execPath}" "${BIN}" "$@"\n`);
  chmodSync(join(bin, 'shelflift'), 0o755);
  const environment: NodeJS.ProcessEnv = {
    PATH: `${bin}:${dirname(process.execPath)}:/usr/bin:/bin`,
    HOME: folder,
    XDG_STATE_HOME: join(folder, '.state'),
    XDG_CONFIG_HOME: join(folder, '.config'),
    // Shared by all runs: most of a short run would be compiling.
    NODE_COMPILE_CACHE: join(tmpdir(), 'shelflift-test-compile-cache'),
    ...more,
  };
  const begin = (command: string, argv: string[], extra: NodeJS.ProcessEnv = {}) =>
    spawn(command, argv, { cwd: folder, env: { ...environment, ...extra } });
  return {
    folder,
    environment,
    file(name, text) {
      const path = join(folder, name);
      writeFileSync(path, text);
      return path;
    },
    start: (argv, extra, program = BIN) => begin(process.execPath, [program, ...argv], extra),
    run: (argv, options = {}) =>
      ended(begin(process.execPath, [BIN, ...argv], options.environment), options.stdin),
    call: (argv, extra, stdin) => callMain(argv, folder, { ...environment, ...extra }, stdin),
    shell: (line, extra) => ended(begin('bash', ['-c', line], extra)),
  };
}

export async function callMain(
  argv: string[],
  folder: string,
  environment: NodeJS.ProcessEnv,
  stdin = '',
): Promise<Run> {
  const { main } = await import('../../src/cli/main.ts');
  const { speakIn } = await import('../../src/cli/show/say.ts');
  const before = { folder: process.cwd(), environment: process.env, exitCode: process.exitCode };
  const listeners = [process.stdout, process.stderr].map((stream) => stream.rawListeners('error'));
  let stdout = '';
  let stderr = '';
  const collect =
    (keep: (text: string) => void) =>
    (chunk: string | Uint8Array, ...rest: unknown[]): boolean => {
      keep(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString());
      const done = rest.at(-1);
      if (typeof done === 'function') done();
      return true;
    };
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation(collect((text) => (stdout += text))),
    vi.spyOn(process.stderr, 'write').mockImplementation(collect((text) => (stderr += text))),
    // The parser prints its help here.
    vi.spyOn(console, 'log').mockImplementation((text: unknown) => void (stdout += `${String(text)}\n`)),
    vi
      .spyOn(process, 'stdin', 'get')
      .mockReturnValue(Readable.from([stdin]) as unknown as typeof process.stdin),
  ];
  process.chdir(folder);
  process.env = environment;
  process.exitCode = 0;
  try {
    await main(argv);
    return { code: process.exitCode, stdout, stderr };
  } finally {
    for (const spy of spies) spy.mockRestore();
    process.chdir(before.folder);
    process.env = before.environment;
    process.exitCode = before.exitCode;
    await speakIn('en');
    for (const [index, stream] of [process.stdout, process.stderr].entries()) {
      for (const listener of stream.rawListeners('error')) {
        if (listeners[index]?.includes(listener) !== true) stream.off('error', listener as () => void);
      }
    }
  }
}

/** An import that is under way, and too slow to end by itself: its process, and a promise of how it ends. */
export async function beginImport(
  place: Place,
  api: Sandbox,
  argv: string[],
): Promise<{ child: ChildProcess; run: Promise<Run> }> {
  const child = place.start(argv);
  const run = ended(child);
  while (api.control.items().length < 5) {
    if (child.exitCode !== null) throw new Error((await run).stderr);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  api.control.setLatency(1_000);
  return { child, run };
}

/** What a process wrote, and how it ended. */
export async function ended(child: ChildProcess, stdin?: string | Buffer): Promise<Run> {
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  // A command that fails early has not read what it was told.
  child.stdin?.on('error', () => undefined).end(stdin ?? '');
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}

/** Three good rows. */
export const TOYS = 'name,brand,release_year\nRobot,Acme,1985\nRocket,Acme,1990\nBear,Steiff,1999\n';
