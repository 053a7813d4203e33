/** Whose export a file is, by its headers: templates name those that together only one program writes. */
import { fold } from '../fold.ts';
import { listTemplates } from './load-template.ts';

/** Name of the shipped template that says it reads files with these headers; undefined where none does. */
export async function recogniseExport(headers: readonly string[]): Promise<string | undefined> {
  const found = new Set(headers.map(fold));
  const templates = await listTemplates();
  return templates.find(({ recognise }) => recognise?.every((header) => found.has(fold(header))) === true)
    ?.name;
}
