/** Finds and reads import templates: those shipped with the package, by name, and a person's own, by file. */
import { readdir, readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMap, isNode, isScalar, LineCounter, parseDocument } from 'yaml';
import type { z } from 'zod';
import { UsageError } from '../errors.ts';
import { Template } from './template.ts';

/** Right from both src/mapping and dist/mapping. */
const SHIPPED = new URL('../../templates/import/', import.meta.url);

/** One shipped template, as `template list` shows it. */
export interface TemplateEntry {
  name: string;
  description: string;
  /** Absolute path. */
  file: string;
}

/**
 * The template of that name, or in that file (a path, or anything that ends in .yaml or .yml).
 *
 * Throws UsageError `no_such_template` (with the names there are), or `bad_template`, whose message has a line
 * for each problem: file:line:column and what was expected.
 */
export async function loadTemplate(nameOrFile: string): Promise<Template> {
  if (/[\\/]|\.ya?ml$/i.test(nameOrFile)) return readTemplate(resolve(nameOrFile));
  const names = await shippedNames();
  if (!names.includes(nameOrFile)) {
    throw new UsageError('no_such_template', `there is no template "${nameOrFile}"`, {
      remedy: `templates are ${names.join(', ')}; your own is given as a path, such as ./${nameOrFile}.yaml`,
    });
  }
  return readTemplate(shippedFile(nameOrFile));
}

/** The shipped templates, by name. */
export async function listTemplates(): Promise<TemplateEntry[]> {
  const names = await shippedNames();
  return Promise.all(
    names.map(async (name) => {
      const file = shippedFile(name);
      const template = await readTemplate(file);
      return { name, description: template.description ?? '', file };
    }),
  );
}

/** Checks a template's text. `file` is for messages only. Throws as loadTemplate does. */
export function parseTemplate(text: string, file: string): Template {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const at = (offset: number): Place => {
    const { line, col } = lines.linePos(offset);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  if (document.errors.length > 0) {
    throw badTemplate(
      file,
      document.errors.map((error) => ({ ...at(error.pos[0]), message: error.message })),
    );
  }
  const parsed = Template.safeParse(document.toJS({ maxAliasCount: 100 }));
  if (parsed.success) return parsed.data;
  throw badTemplate(
    file,
    flatten(parsed.error.issues).map((issue) => ({
      ...at(offsetOf(document, issue.path)),
      message: `${issue.path.join('.') || 'the template'}: ${issue.message}`,
    })),
  );
}

interface Place {
  line: number;
  column: number;
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
  const files = await readdir(SHIPPED);
  return files
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => file.slice(0, -'.yaml'.length))
    .sort();
}

function shippedFile(name: string): string {
  return fileURLToPath(new URL(`${name}.yaml`, SHIPPED));
}

function badTemplate(file: string, problems: (Place & { message: string })[]): UsageError {
  const lines = problems.map(({ line, column, message }) => `${file}:${line}:${column}: ${message}`);
  return new UsageError('bad_template', lines.join('\n'), {
    position: { file, line: problems[0]?.line ?? 1 },
  });
}

interface Issue {
  path: PropertyKey[];
  message: string;
}

/** An unknown key names itself; of a column's three forms, the one that was meant is the one that is reported. */
function flatten(issues: readonly z.core.$ZodIssue[], prefix: PropertyKey[] = []): Issue[] {
  return issues.flatMap((issue) => {
    const path = [...prefix, ...issue.path];
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({ path: [...path, key], message: 'is not known here' }));
    }
    if (issue.code === 'invalid_union') {
      // The form whose problems lie deepest is the one that the person was writing.
      const depth = (form: readonly z.core.$ZodIssue[]) =>
        Math.max(...form.map((inner) => inner.path.length + (inner.code === 'unrecognized_keys' ? 1 : 0)));
      const meant = [...issue.errors].sort((a, b) => depth(b) - depth(a))[0];
      if (meant !== undefined && depth(meant) > 0) return flatten(meant, path);
    }
    return [{ path, message: issue.message }];
  });
}

/** Where the entry at a path begins (its key, in a map); the nearest one that exists, where the path leads nowhere. */
function offsetOf(document: ReturnType<typeof parseDocument>, path: PropertyKey[]): number {
  for (let length = path.length; length > 0; length -= 1) {
    const parent = document.getIn(path.slice(0, length - 1), true);
    const last = path[length - 1];
    const entry = isMap(parent)
      ? parent.items.find((pair) => isScalar(pair.key) && String(pair.key.value) === String(last))?.key
      : document.getIn(path.slice(0, length), true);
    if (isNode(entry) && entry.range) return entry.range[0];
  }
  return document.contents?.range?.[0] ?? 0;
}
