/** Finds and reads import templates: those shipped with the package, by name, and a person's own, by file. */
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { UsageError } from '../../errors.ts';
import { packageFile } from '../../package-files.ts';
import { parseYaml } from '../../yaml-file.ts';
import { Template } from './template.ts';

/** Absolute path of the schema that editors check a template by. */
export function schemaFile(): string {
  return packageFile('templates/import.schema.json');
}

/** The first line of a shipped template; its relative path only works next to the schema. */
const SCHEMA_LINE = /^# yaml-language-server: \$schema=.*$/m;

/** One shipped template, as `template list` shows it. */
export interface TemplateEntry {
  name: string;
  description: string;
  /** Absolute path. */
  file: string;
  /** Headers that identify the files it is made for; absent if it is not for the files of one program. */
  recognise?: string[];
}

/**
 * The shipped template of that name, or the template in that file (a path, or anything that ends in .yaml or .yml).
 *
 * Throws UsageError `no_such_template`, which lists the names, or `bad_template`, whose message has a line for each
 * problem: file:line:column, and what was expected.
 */
export async function loadTemplate(nameOrFile: string): Promise<Template> {
  if (/[\\/]|\.ya?ml$/i.test(nameOrFile)) return readTemplate(resolve(nameOrFile));
  const names = await shippedNames();
  if (!names.includes(nameOrFile)) {
    throw new UsageError('no_such_template', `There is no template "${nameOrFile}".`, {
      remedy: `The templates are ${names.join(', ')}. Give your own as a path, such as ./${nameOrFile}.yaml.`,
    });
  }
  return shippedTemplate(nameOrFile);
}

/** The shipped templates, by name. */
export async function listTemplates(): Promise<TemplateEntry[]> {
  const names = await shippedNames();
  return Promise.all(
    names.map(async (name) => {
      const file = shippedFile(name);
      const { description = '', recognise } = await shippedTemplate(name);
      return { name, description, file, ...(recognise === undefined ? {} : { recognise }) };
    }),
  );
}

/** Shipped templates have it on one line, of plain words. */
const RECOGNISE_LINE = /^recognise: \[(.*)\]$/m;

/**
 * Headers that identify the files of a shipped template, by its name. Only that line is read: every import without a
 * template asks for it, and parsing all templates took a tenth of an import of ten rows.
 */
export async function shippedRecognisers(): Promise<Map<string, string[]>> {
  const read = await Promise.all(
    (await shippedNames()).map(async (name): Promise<[string, string[]][]> => {
      const line = RECOGNISE_LINE.exec(await readFile(shippedFile(name), 'utf8'));
      return line?.[1] === undefined ? [] : [[name, line[1].split(',').map((header) => header.trim())]];
    }),
  );
  return new Map(read.flat());
}

/** A template's text, changed so that it also works in other folders. Throws as loadTemplate does. */
export async function templateText(nameOrFile: string): Promise<string> {
  const entry = (await listTemplates()).find((each) => each.name === nameOrFile);
  const text = await readFile(entry?.file ?? resolve(nameOrFile), 'utf8');
  if (entry === undefined) return text;
  return text.replace(SCHEMA_LINE, `# yaml-language-server: $schema=${schemaFile()}`);
}

/** Parses a template's text. `file` is only for messages. Throws as loadTemplate does. */
export function parseTemplate(text: string, file: string): Template {
  return parseYaml(text, Template, { file, code: 'bad_template', whole: 'the template' });
}

/** Shipped templates, read once per process. */
const shipped = new Map<string, Promise<Template>>();

function shippedTemplate(name: string): Promise<Template> {
  const known = shipped.get(name) ?? readTemplate(shippedFile(name));
  shipped.set(name, known);
  return known;
}

async function readTemplate(file: string): Promise<Template> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (cause) {
    throw new UsageError('no_such_template', `the template ${file} cannot be read`, {
      cause,
      position: { file },
    });
  }
  return parseTemplate(text, file);
}

async function shippedNames(): Promise<string[]> {
  const files = await readdir(packageFile('templates/import'));
  return files
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => file.slice(0, -'.yaml'.length))
    .sort();
}

function shippedFile(name: string): string {
  return packageFile(join('templates/import', `${name}.yaml`));
}
