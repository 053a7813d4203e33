/** Runs the command line as a person does: a process of its own, in a folder of its own, with a state of its own. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
export const BIN = join(root, 'src/cli/bin.ts');

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
  run(argv: string[], options?: { stdin?: string; environment?: NodeJS.ProcessEnv }): Promise<Run>;
  /** Runs a shell line in which `shelflift` is a command. */
  shell(line: string, environment?: NodeJS.ProcessEnv): Promise<Run>;
  start(argv: string[], environment?: NodeJS.ProcessEnv): ChildProcess;
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
    start: (argv, extra) => begin(process.execPath, [BIN, ...argv], extra),
    run: (argv, options = {}) =>
      ended(begin(process.execPath, [BIN, ...argv], options.environment), options.stdin),
    shell: (line, extra) => ended(begin('bash', ['-c', line], extra)),
  };
}

/** What a process wrote, and how it ended. */
export async function ended(child: ChildProcess, stdin?: string): Promise<Run> {
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  child.stdin?.end(stdin ?? '');
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}

/** Three good rows. */
export const TOYS = 'name,brand,release_year\nRobot,Acme,1985\nRocket,Acme,1990\nBear,Steiff,1999\n';
