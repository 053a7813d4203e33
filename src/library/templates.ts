/** Templates, layouts and files, inspected without an API. */
import { english, inOneLine } from '../messages/message.ts';
import type { Message } from '../messages/params.ts';
import { z } from 'zod';
import type { DiffRow, DiffSummary } from '../export/diff/model.ts';
import type { TemplateCheck } from '../mapping/template/check-template.ts';
import { aFunction, checked } from './check.ts';
import type { ExportLayout, ImportTemplate, ReadOptions } from './options.ts';
import { defined } from '../base/defined.ts';

/** A shipped template or layout. */
export interface ShippedTemplate {
  /** Name for the option `template`. */
  name: string;
  /** A sentence on the purpose of the template. */
  description: string;
  /** Its YAML: copy it, change it, and give the path of the copy. */
  text: string;
}

/** The import templates that are shipped, by name. */
export async function listTemplates(): Promise<ShippedTemplate[]> {
  const { listTemplates: list } = await import('../mapping/template/load-template.ts');
  return list().map(({ name, description, text }) => ({ name, description: english(description), text }));
}

/**
 * An import template by its name or the path of its YAML.
 *
 * @throws UsageError `no_such_template`, `bad_template` with a line for each problem
 */
export async function loadTemplate(nameOrFile: string): Promise<ImportTemplate> {
  const { loadTemplate: load } = await import('../mapping/template/load-template.ts');
  return load(nameOrFile);
}

/**
 * An import template from the text of its YAML.
 *
 * @param file for messages only
 * @throws UsageError `bad_template` with a line for each problem
 */
export async function parseTemplate(text: string, file: string): Promise<ImportTemplate> {
  const { parseTemplate: parse } = await import('../mapping/template/load-template.ts');
  return parse(text, file);
}

/**
 * Reads a file by a template and shows the items that its first rows become; nothing is sent or stored.
 *
 * @throws UsageError, SheetError as for an import of the file
 */
export async function checkTemplate(
  file: string,
  template: string,
  options: ReadOptions & {
    /** How many rows to show. Default 5. */
    rows?: number;
  } = {},
): Promise<TemplateCheck> {
  const { checkTemplate: check } = await import('../mapping/template/check-template.ts');
  const { rows = 5, ...read } = options;
  return check(file, template, openOptions(read), rows);
}

/** A column of a file, with the field that it seems to contain. */
export interface InferredColumn {
  /** '' if the column has no header. */
  header: string;
  /** Letter of the column in a spreadsheet program. */
  letter: string;
  /** A field, or `custom_fields.NAME`; absent if the column is left out. */
  field?: string;
  /** `likely` columns need confirmation before they are used; a `guess` is never used without being chosen. */
  confidence?: 'certain' | 'likely' | 'guess';
  /** The reason: `48 of 50 cells are years`. */
  reason: string;
  /** Up to three different cells, as text. */
  examples: readonly string[];
}

/** The likely content of a file's columns. */
export interface InferredFile {
  /** Absolute path. */
  file: string;
  /** How the file was read: `; · Windows-1252 · header in row 4`. */
  detected: string;
  /** In the order of the file. */
  columns: InferredColumn[];
  /** A template for such files, as YAML with comments. */
  template: string;
  /** Name of the shipped template for files with these headers, if there is one. */
  shipped?: string;
}

/** Infers the fields that the columns of a file contain. @throws SheetError, UsageError as for an import of the file */
export async function inferFile(file: string, options: ReadOptions = {}): Promise<InferredFile> {
  const { inferFile: infer } = await import('../mapping/infer/infer-file.ts');
  const { inference, detected, ...found } = await infer(file, openOptions(options));
  const columns = inference.columns.map(({ header, letter, target, confidence, reason, profile }) => ({
    header,
    letter,
    ...defined({ field: target, confidence }),
    reason: english(reason),
    examples: profile.examples,
    why: reason,
  }));
  return { ...found, detected: inOneLine(detected), columns };
}

/** The export layouts that are shipped, by name. */
export async function listLayouts(): Promise<ShippedTemplate[]> {
  const { listLayouts: list } = await import('../export/layout/load-layout.ts');
  return list().map(({ name, description, text }) => ({ name, description: english(description), text }));
}

/** An export layout by its name or the path of its YAML. @throws UsageError `no_such_layout`, `bad_layout` */
export async function loadLayout(nameOrFile: string): Promise<ExportLayout> {
  const { loadLayout: load } = await import('../export/layout/load-layout.ts');
  return load(nameOrFile);
}

/** An export layout from the text of its YAML. @param file for messages only @throws UsageError `bad_layout` */
export async function parseLayout(text: string, file: string): Promise<ExportLayout> {
  const { parseLayout: parse } = await import('../export/layout/load-layout.ts');
  return parse(text, file);
}

/** Whether a file is unchanged since an export or a report wrote it. */
export interface Verification {
  /** Absolute path. */
  file: string;
  /** Absolute path. */
  manifest: string;
  /** True if every byte of the file is unchanged and its rows agree with the manifest. */
  verified: boolean;
  /** The differences, a sentence each. */
  problems: string[];
  /** The differences as messages: `textOf(said, 'de')` gives one in German. */
  said: readonly Message[];
  /** The current hash: lower-case hex. */
  sha256: string;
  /** The current size. */
  bytes: number;
  /** The current number of rows; null for a report, and if the file can no longer be read as a table. */
  rows: number | null;
}

/**
 * Checks a file that an export or a report wrote against the manifest beside it: size and hash, and for an export the
 * rows and sums.
 *
 * @throws UsageError `no_manifest`, `bad_manifest`; SheetError if the file cannot be read
 */
export async function verifyExport(file: string): Promise<Verification> {
  const { verifyExport: verify } = await import('../export/verify/verify.ts');
  const { expected: _, ...found } = await verify(file);
  return found;
}

/** Two exports to compare. */
export interface DiffOptions {
  /** Path of the earlier export: CSV, XLSX or NDJSON. */
  a: string;
  /** Path of the later export. */
  b: string;
  /** Fields that identify an item, such as `custom_fields.sku`. Default: id. */
  by?: readonly string[] | undefined;
  /** Writes the differences for review: a path that ends in .xlsx or .html. */
  out?: string | undefined;
  /** Called with each difference: first changed and added rows in the order of the second file, then removed rows. */
  onRow?: ((row: DiffRow) => void) | undefined;
}

const GivenDiff = z.object({
  a: z.string().min(1),
  b: z.string().min(1),
  by: z.array(z.string()).exactOptional(),
  out: z.string().min(1).exactOptional(),
  onRow: aFunction<(row: DiffRow) => void>().exactOptional(),
});

/**
 * Compares two exports row by row, whatever their formats.
 *
 * @throws UsageError `not_comparable`, `double_key`, `unknown_format`, `output_is_input`, `bad_manifest`; SheetError for a
 *   file that cannot be read
 */
export async function diffExports(options: DiffOptions): Promise<DiffSummary> {
  const { diffExports: diff } = await import('../export/diff/diff.ts');
  return diff(checked('diffExports', GivenDiff, options));
}

function openOptions({ sheet, headerRow, delimiter, encoding, decimal, filePassword }: ReadOptions) {
  return {
    ...defined({ sheet, headerRow, delimiter, encoding, decimal, password: filePassword }),
  };
}
