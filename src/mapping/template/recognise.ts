/** Recognises other programs' exports: templates list headers that only one program uses together. */
import { fold } from '../fold.ts';
import { shippedRecognisers } from './load-template.ts';

/** Name of the shipped template for files with these headers; undefined if there is none. */
export async function recogniseExport(headers: readonly string[]): Promise<string | undefined> {
  const found = new Set(headers.map(fold));
  for (const [name, recognise] of shippedRecognisers()) {
    if (recognise.every((header) => found.has(fold(header)))) return name;
  }
  return undefined;
}
