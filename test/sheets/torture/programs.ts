/** The other programs of the torture tests: Debian's python3-openpyxl, python3-xlsxwriter and LibreOffice Calc. */
import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A Python that has both packages; undefined where there is none. */
export const python = ['/usr/bin/python3', 'python3'].find(
  (program) => spawnSync(program, ['-c', 'import openpyxl, xlsxwriter']).status === 0,
);

/** LibreOffice's program; undefined where it is not installed. */
export const office = ['soffice', 'libreoffice'].find(
  (program) => spawnSync(program, ['--version'], { env: { ...process.env, HOME: '/tmp' } }).status === 0,
);

export async function runPython(script: string, ...args: string[]): Promise<string> {
  const { stdout } = await run(python ?? '', [join(import.meta.dirname, script), ...args], {
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout;
}

/** Converts files of one kind as "save as" would; `filter` such as `xlsx`, `ods`, `csv`. They land in `folder`. */
export async function convert(files: string | string[], filter: string, folder: string): Promise<void> {
  const profile = `-env:UserInstallation=file://${folder}/profile`;
  // Without a person to ask, it takes the locale's encoding for a CSV: UTF-8 (76) is what its dialog would show.
  const all = [files].flat();
  const input = all[0]?.endsWith('.csv') === true ? ['--infilter=CSV:44,34,76'] : [];
  const options = [profile, '--headless', ...input, '--convert-to', filter, '--outdir', folder, ...all];
  // Dates and numbers as the tests expect them, whatever the language of this machine.
  const env = { ...process.env, LC_ALL: 'C.UTF-8' };
  await run(office ?? '', options, { timeout: 300_000, env });
}
