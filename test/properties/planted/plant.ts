/** Plants a defect in a copy of the sources. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CLASSES } from '../classes.ts';

export interface Defect {
  name: string;
  /** Text of a source file → what stands there instead. White space may differ; the file is found by the text. */
  edits: [from: string, to: string][];
  /** A violation of a scenario that shows it; or a test file that fails of it. */
  foundBy: RegExp | string;
  /** The class of scenarios that puts it to the test most; default: all of them. */
  among?: keyof typeof CLASSES;
  /** Takes minutes to be found: planted only with all others. */
  isRare?: boolean;
}

/** @throws Error where a text does not stand in exactly one place: the defect is then to be written anew */
export function plant({ name, edits }: Defect, folder: string): void {
  const files = readdirSync(join(folder, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name));
  for (const [from, to] of edits) {
    const pattern = new RegExp(from.replace(/[$()*+.?[\]^{|}]/g, '\\$&').replace(/\s+/g, '\\s*'), 'g');
    const places = files.flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(pattern)].map(({ 0: found }) => ({ file, found })),
    );
    const [place] = places;
    if (place === undefined || places.length > 1)
      throw new Error(`"${name}" cannot be planted: ${places.length} places in src/ have: ${from}`);
    writeFileSync(
      place.file,
      readFileSync(place.file, 'utf8').replace(place.found, () => to),
    );
  }
}
