/**
 * The names of delivered files of changes. Nobody can make such a file again: the next one has only what is new since.
 * So no run replaces such a file of another run, and a run that makes one replaces no file at all: its own becomes
 * `sold-2.csv`.
 */
import type { KeyValues } from '../../ledger/key-values.ts';
import type { Runs } from '../queue/runs.ts';

/** Place of a file → id of the last run that made a file of changes for it. */
const SPACE = 'change-files';

export interface WantedName {
  /** The run's id. */
  run: string;
  /** Whether it makes a file of changes. */
  isChanges: boolean;
  name: string;
  /** Where a file of a name goes: for the same place, the same text. */
  placeOf: (name: string) => string;
  /** The name that an earlier try of the run has got here. */
  before: string | undefined;
}

/** Whether the target has a file of this name. */
export type IsTaken = (name: string) => Promise<boolean> | boolean;

/**
 * The name under which a run may put its file; the run must record it before it does.
 *
 * @param look opens the target, if it has to be asked
 */
export async function nameFor(
  { run, isChanges, name, placeOf, before }: WantedName,
  { values, runs }: { values: KeyValues; runs: Pick<Runs, 'isOpen'> },
  look: (choose: (isTaken: IsTaken) => Promise<string>) => Promise<string>,
): Promise<string> {
  // Names that differ only in case are the same file at many targets.
  const keyOf = (each: string) => placeOf(each).replaceAll('\\', '/').toLowerCase();
  const ownerOf = (each: string) => values.get(SPACE, keyOf(each));
  // Another run may have taken the name while this one was parked.
  if (before !== undefined && (await ownerOf(before)) === run) return before;
  if (!isChanges && (await ownerOf(name)) === undefined) return name;
  return look(async (isTaken) => {
    for (let count = 1; ; count += 1) {
      const wanted = count === 1 ? name : name.replace(/(\.[^./\\]+)?$/, `-${count}$1`);
      const owner = await ownerOf(wanted);
      if (owner === run || (owner === undefined && !isChanges)) return wanted;
      if ((await isTaken(wanted)) || (owner !== undefined && (await runs.isOpen(owner)))) continue;
      if (!isChanges) return wanted;
      const claimed =
        owner === undefined
          ? await values.putIfAbsent(SPACE, keyOf(wanted), run)
          : await values.replace(SPACE, keyOf(wanted), owner, run);
      if (claimed) return wanted;
    }
  });
}
