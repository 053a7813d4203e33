/**
 * Keeps the newest of the files that a schedule has delivered into a folder, and removes the others.
 *
 * Several workers may deliver for one schedule at once, and an older file after a newer one. So the list changes only
 * by compare-and-set, a file is listed before it is delivered, and the list is read again before each removal: a name
 * that is being delivered again is left alone.
 */
import { rm } from 'node:fs/promises';
import { manifestPath } from '../../export/verify/manifest.ts';
import type { KeyValues } from '../../ledger/key-values.ts';

const SPACE = 'delivered';

interface Delivered {
  file: string;
  /** Fire time of its newest run, ms since the epoch. */
  fire: number;
  /** True during the delivery: the file is neither counted nor removed. */
  coming?: true;
}

/** Removes only files that were delivered under the same key; other people's files are not touched. */
export class Retention {
  readonly #values: KeyValues;
  /** Identifies the schedule and the folder. */
  readonly #key: string;

  constructor(values: KeyValues, key: string) {
    this.#values = values;
    this.#key = key;
  }

  /** Lists a file; call this before its delivery. */
  async expect(file: string, fire: number): Promise<void> {
    await this.#change((list) => [
      ...without(list, file),
      { file, fire: newest(list, file, fire), coming: true },
    ]);
  }

  /** Removes all but the `keep` newest files; call this after the delivery. */
  async keepNewest(file: string, fire: number, keep: number): Promise<void> {
    const list = await this.#change((before) => [
      ...without(before, file),
      { file, fire: newest(before, file, fire) },
    ]);
    const old = list
      .filter(({ coming }) => coming === undefined)
      .sort((a, b) => a.fire - b.fire)
      .slice(0, -keep);
    for (const each of old) {
      const now = (await this.#read()).list.find((entry) => entry.file === each.file);
      if (now?.fire !== each.fire || now.coming !== undefined) continue;
      await rm(each.file, { force: true });
      await rm(manifestPath(each.file), { force: true });
      await this.#change((before) =>
        before.filter((entry) => entry.file !== each.file || entry.fire !== each.fire),
      );
    }
  }

  async #change(change: (list: Delivered[]) => Delivered[]): Promise<Delivered[]> {
    for (;;) {
      const { text, list } = await this.#read();
      const changed = change(list);
      const to = JSON.stringify(changed);
      const done =
        text === undefined
          ? await this.#values.putIfAbsent(SPACE, this.#key, to)
          : await this.#values.replace(SPACE, this.#key, text, to);
      if (done) return changed;
    }
  }

  async #read(): Promise<{ text: string | undefined; list: Delivered[] }> {
    const text = await this.#values.get(SPACE, this.#key);
    return { text, list: JSON.parse(text ?? '[]') as Delivered[] };
  }
}

function without(list: readonly Delivered[], file: string): Delivered[] {
  return list.filter((entry) => entry.file !== file);
}

/** A name without a date is delivered repeatedly: its age is that of its newest run. */
function newest(list: readonly Delivered[], file: string, fire: number): number {
  return Math.max(fire, ...list.filter((entry) => entry.file === file).map((entry) => entry.fire));
}
