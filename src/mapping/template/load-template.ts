/** Finds and reads import templates: those shipped with the package, by name, and a person's own, by file. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { UsageError } from '../../base/errors.ts';
import { packageFile } from '../../base/package-files.ts';
import { IMPORT_TEMPLATES } from '../../packaged/templates.ts';
import { parseYaml } from '../../base/yaml-file.ts';
import { Template } from './template.ts';
import { byHand, message } from '../../messages/message.ts';
import type { Message, MessageCode } from '../../messages/params.ts';

/** Absolute path of the schema that editors check a template by. */
export function schemaFile(): string {
  return packageFile('templates/import.schema.json');
}

/** The first line of a shipped template; its relative path only works next to the schema. */
const SCHEMA_LINE = /^# yaml-language-server: \$schema=.*$/m;

/** One shipped template, as `template list` shows it. */
export interface TemplateEntry {
  name: string;
  /** Its purpose. */
  description: Message;
  /** Its YAML. */
  text: string;
  /** Headers that identify the files it is made for; absent if it is not for the files of one program. */
  recognise?: string[];
}

/**
 * The shipped template of that name, or the template in that file (a path, or anything that ends in .yaml or .yml).
 *
 * Throws UsageError `no_such_template`, which lists the names, or `bad_template`, whose message has a line for each
 * problem: file:line:column, and what was expected.
 */
/** With this name, a file is read without any template, even if its headers match one. */
export const NO_TEMPLATE = 'none';

export async function loadTemplate(nameOrFile: string): Promise<Template> {
  if (/[\\/]|\.ya?ml$/i.test(nameOrFile)) return readTemplate(resolve(nameOrFile));
  const template = shippedTemplate(nameOrFile);
  if (template !== undefined) return template;
  throw new UsageError('no_such_template', message('no_such_template', { name: nameOrFile }), {
    actions: [
      byHand('templates_are', { names: Object.keys(IMPORT_TEMPLATES), path: `./${nameOrFile}.yaml` }),
    ],
  });
}

/** The shipped templates, by name. */
export function listTemplates(): TemplateEntry[] {
  return Object.entries(IMPORT_TEMPLATES).map(([name, text]) => {
    const { recognise } = shippedTemplate(name) ?? {};
    const description = message(codeOf(name), {});
    return { name, description, text, ...(recognise === undefined ? {} : { recognise }) };
  });
}

/** A test holds the catalogue to the shipped files. */
function codeOf(name: string): MessageCode & `import_template_${string}` {
  return `import_template_${name.replaceAll('-', '_')}` as ReturnType<typeof codeOf>;
}

/** The `recognise` line: shipped templates have it on one line, in plain words. */
const RECOGNISE_LINE = /^recognise: \[(.*)\]$/m;

/**
 * Headers that identify the files of a shipped template, by its name. Only that line is read: every import without a
 * template asks for it, and parsing all templates took a tenth of an import of ten rows.
 */
export function shippedRecognisers(): Map<string, string[]> {
  return new Map(
    Object.entries(IMPORT_TEMPLATES).flatMap(([name, text]): [string, string[]][] => {
      const line = RECOGNISE_LINE.exec(text);
      return line?.[1] === undefined ? [] : [[name, line[1].split(',').map((header) => header.trim())]];
    }),
  );
}

/** A template's text, changed so that it also works in other folders. Throws as loadTemplate does. */
export async function templateText(nameOrFile: string): Promise<string> {
  const shipped = Object.hasOwn(IMPORT_TEMPLATES, nameOrFile) ? IMPORT_TEMPLATES[nameOrFile] : undefined;
  if (shipped === undefined) return readFile(resolve(nameOrFile), 'utf8');
  return shipped.replace(SCHEMA_LINE, `# yaml-language-server: $schema=${schemaFile()}`);
}

/** Parses a template's text. `file` is only for messages. Throws as loadTemplate does. */
export function parseTemplate(text: string, file: string): Template {
  return parseYaml(text, Template, { file, code: 'bad_template', whole: 'the_template' });
}

/** Shipped templates, parsed once per process. */
const parsed = new Map<string, Template>();

/** Undefined if there is no template of that name. */
function shippedTemplate(name: string): Template | undefined {
  const text = Object.hasOwn(IMPORT_TEMPLATES, name) ? IMPORT_TEMPLATES[name] : undefined;
  if (text === undefined) return undefined;
  const template = parsed.get(name) ?? parseTemplate(text, `${name}.yaml`);
  parsed.set(name, template);
  return template;
}

async function readTemplate(file: string): Promise<Template> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (cause) {
    throw new UsageError('no_such_template', message('template_unreadable', { file }), {
      cause,
      position: { file },
    });
  }
  return parseTemplate(text, file);
}
