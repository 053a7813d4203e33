/** Programs of the system that the slow tests show reports to; CI installs them (.ci/run). */
import { spawn, spawnSync } from 'node:child_process';
import { ended } from '../cli/run-shelflift.ts';

/** Path of the first that is there. In CI one of them must be. */
export function find(...names: string[]): string | undefined {
  for (const name of names) {
    const found = spawnSync('sh', ['-c', 'command -v "$1"', 'sh', name], { encoding: 'utf8' });
    if (found.status === 0) return found.stdout.trim();
  }
  if (process.env['CI'] === undefined) return undefined;
  throw new Error(`none of ${names.join(', ')} is here: .ci/run installs it`);
}

/** Debian's Python, whose openpyxl is a Debian package; undefined where it has none. */
export function findPython(): string | undefined {
  const usable = ['/usr/bin/python3', 'python3'].find(
    (name) => spawnSync(name, ['-c', 'import openpyxl']).status === 0,
  );
  if (usable === undefined && process.env['CI'] !== undefined)
    throw new Error('no Python with openpyxl is here: .ci/run installs it');
  return usable;
}

/** Runs a program to its end, and gives what it printed. */
export async function runProgram(command: string, args: string[]): Promise<string> {
  const { code, stdout, stderr } = await ended(spawn(command, args));
  if (code !== 0) throw new Error(`${command} ended with ${code}: ${stdout}\n${stderr}`);
  return stdout;
}
