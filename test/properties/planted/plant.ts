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
  /** One of the first three scenarios of this seed shows it. Where it no longer does, look for another one. */
  seed?: number;
  /** Takes minutes to be found: planted only with all others. */
  isRare?: boolean;
}

/** The sources of a folder: path and text. */
export function sourcesIn(folder: string): Map<string, string> {
  const files = readdirSync(join(folder, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name));
  return new Map(files.map((file) => [file, readFileSync(file, 'utf8')]));
}

/**
 * The sources that an edit of a defect changes.
 *
 * @throws Error where a text does not stand in exactly one place: the defect is then to be written anew
 */
export function planted({ name, edits }: Defect, sources: ReadonlyMap<string, string>): Map<string, string> {
  const changed = new Map<string, string>();
  for (const [from, to] of edits) {
    const pattern = new RegExp(from.replace(/[$()*+.?[\]^{|}]/g, '\\$&').replace(/\s+/g, '\\s*'), 'g');
    const places = [...sources].flatMap(([file, text]) =>
      [...text.matchAll(pattern)].map(({ 0: found }) => ({ file, found })),
    );
    const [place] = places;
    if (place === undefined || places.length > 1)
      throw new Error(`"${name}" cannot be planted: ${places.length} places in src/ have: ${from}`);
    const text = changed.get(place.file) ?? sources.get(place.file) ?? '';
    changed.set(
      place.file,
      text.replace(place.found, () => to),
    );
  }
  return changed;
}

export function plant(defect: Defect, folder: string): void {
  for (const [file, text] of planted(defect, sourcesIn(folder))) writeFileSync(file, text);
}
