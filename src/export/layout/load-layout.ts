/** Finds and reads export layouts: shipped layouts by name, other layouts by file. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { UsageError } from '../../base/errors.ts';
import { message } from '../../messages/message.ts';
import type { Message, MessageCode } from '../../messages/params.ts';
import { EXPORT_LAYOUTS } from '../../packaged/templates.ts';
import { systemCode } from '../../sheets/file-error.ts';
import { parseYaml } from '../../base/yaml-file.ts';
import { Layout } from './layout.ts';

export interface LayoutEntry {
  name: string;
  /** Its purpose. */
  description: Message;
  /** Its YAML. */
  text: string;
}

/**
 * The layout of that name, or in that file (a path, or anything ending in .yaml or .yml).
 *
 * @throws UsageError `no_such_layout` (lists the names), or `bad_layout`, whose message has a line for each problem:
 *   file:line:column and the expected content
 */
export async function loadLayout(nameOrFile: string): Promise<Layout> {
  if (/[\\/]|\.ya?ml$/i.test(nameOrFile)) return readLayout(resolve(nameOrFile));
  const text = Object.hasOwn(EXPORT_LAYOUTS, nameOrFile) ? EXPORT_LAYOUTS[nameOrFile] : undefined;
  if (text !== undefined) return parseLayout(text, `${nameOrFile}.yaml`);
  throw new UsageError('no_such_layout', message('no_such_layout', { layout: nameOrFile }), {
    actions: [
      {
        do: 'byHand',
        label: message('available_layouts', {
          known: Object.keys(EXPORT_LAYOUTS),
          path: `./${nameOrFile}.yaml`,
        }),
      },
    ],
  });
}

/** The shipped layouts, by name. */
export function listLayouts(): LayoutEntry[] {
  return Object.entries(EXPORT_LAYOUTS).map(([name, text]) => ({
    name,
    description: message(codeOf(name), {}),
    text,
  }));
}

/** A test holds the catalogue to the shipped files. */
function codeOf(name: string): MessageCode & `export_layout_${string}` {
  return `export_layout_${name.replaceAll('-', '_')}` as ReturnType<typeof codeOf>;
}

/** Checks a layout's text; `file` is only for messages. Throws like loadLayout. */
export function parseLayout(text: string, file: string): Layout {
  return parseYaml(text, Layout, { file, code: 'bad_layout', whole: 'the_layout' });
}

async function readLayout(file: string): Promise<Layout> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (cause) {
    const isMissing = systemCode(cause) === 'ENOENT';
    throw new UsageError(
      'no_such_layout',
      isMissing ? message('layout_file_missing', { file }) : message('layout_file_closed', { file }),
      {
        cause,
        position: { file },
        actions: [
          { do: 'byHand', label: message('check_path', {}) },
          { do: 'run', label: message('to_list_layouts', {}), command: 'template list' },
        ],
      },
    );
  }
  return parseLayout(text, file);
}
