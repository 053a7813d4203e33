/** Finds and reads export layouts: shipped ones by name, a user's own by file. */
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { UsageError } from '../../errors.ts';
import { packageFile } from '../../package-files.ts';
import { systemCode } from '../../sheets/file-error.ts';
import { parseYaml } from '../../yaml-file.ts';
import { Layout } from './layout.ts';

export interface LayoutEntry {
  name: string;
  description: string;
  /** Absolute path. */
  file: string;
}

/**
 * The layout of that name, or in that file (a path, or anything ending in .yaml or .yml).
 *
 * @throws UsageError `no_such_layout` (lists the names), or `bad_layout`, whose message has a line for each
 * problem: file:line:column and what was expected
 */
export async function loadLayout(nameOrFile: string): Promise<Layout> {
  if (/[\\/]|\.ya?ml$/i.test(nameOrFile)) return readLayout(resolve(nameOrFile));
  const entries = await shipped();
  const found = entries.find(({ name }) => name === nameOrFile);
  if (found !== undefined) return readLayout(found.file);
  throw new UsageError('no_such_layout', `There is no export layout "${nameOrFile}".`, {
    remedy: `Available layouts: ${entries.map(({ name }) => name).join(', ')}. Give a layout of your own as a path, such as ./${nameOrFile}.yaml.`,
  });
}

/** The shipped layouts, by name. */
export async function listLayouts(): Promise<LayoutEntry[]> {
  return Promise.all(
    (await shipped()).map(async ({ name, file }) => {
      const { description = '' } = await readLayout(file);
      return { name, description, file };
    }),
  );
}

/** Checks a layout's text; `file` is only for messages. Throws as loadLayout does. */
export function parseLayout(text: string, file: string): Layout {
  return parseYaml(text, Layout, { file, code: 'bad_layout', whole: 'the layout' });
}

async function readLayout(file: string): Promise<Layout> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (cause) {
    const isMissing = systemCode(cause) === 'ENOENT';
    throw new UsageError(
      'no_such_layout',
      `The layout ${file} cannot be read: ${isMissing ? 'there is no such file' : 'it cannot be opened'}.`,
      {
        cause,
        position: { file },
        remedy: 'Check the path. shelflift template list shows the layouts that come with shelflift.',
      },
    );
  }
  return parseLayout(text, file);
}

async function shipped(): Promise<{ name: string; file: string }[]> {
  const folder = packageFile('templates/export');
  const files = (await readdir(folder)).filter((file) => file.endsWith('.yaml')).sort();
  return files.map((file) => ({
    name: file.slice(0, -'.yaml'.length),
    file: join(folder, file),
  }));
}
