/**
 * The state that exports of changes with one name have reported: the id and fingerprint of each item, in one generation
 * per file.
 *
 * A generation counts as reported once its file has been delivered; until then, it is unknown whether it was. So the
 * state is a set of generations, and an item is unchanged only if all of them have its current version. An export adds
 * its generation before its file is in place. After delivery it removes the generations that had ended when the file
 * was made, because the file reported every difference from them. A kill at any moment leaves extra generations in the
 * set, so the next file may report changes again, but never misses any.
 */
import { randomUUID } from 'node:crypto';
import { ShelfliftError, UsageError } from '../../base/errors.ts';
import { message } from '../../messages/message.ts';
import type { KeyValues } from '../../ledger/key-values.ts';
import { thisProcess } from '../../ledger/process-identity.ts';
import { mayHold } from '../keep/holder.ts';
import { BECAME_AFTER, BECAME_BY } from '../row.ts';
import { keyOfTeam, type TeamMark } from '../read/team.ts';
import {
  DIFFERS,
  type FoundState,
  lastOf,
  LEFT_OUT,
  NOTHING_TOLD,
  PARTLY,
  stateAt,
  surelyBefore,
} from './found-state.ts';
import {
  changeGenerations,
  findPointers,
  type Generation,
  removeItems,
  sweepOrphans,
  withoutDeliverer,
  writeItems,
} from './generations.ts';

/** A process that could not record the end of its export blocks the name for this long. */
const LONGEST_WRITE_MS = 3_600_000;

/** Names a generation: the changes that one file reports. */
export interface ProposedChanges {
  key: string;
  generation: string;
}

export interface ChangeScope {
  name: string;
  /** Distinguishes states of the same name: the API, items or listings. */
  scope: readonly string[];
  team: TeamMark;
  /** The filters in words, compared with those of the last export of that name. */
  selection: string;
  /** The worker's run that delivers the file; undefined if the file is in place when the export ends. */
  run: string | undefined;
  /** ms since the epoch. */
  now: number;
}

export class ChangeState {
  readonly name: string;
  /** Id in lower case → fingerprint; DIFFERS or PARTLY if the generations disagree. */
  #items = new Map<string, string>();
  readonly #values: KeyValues;
  readonly #scope: ChangeScope;
  #team: TeamMark;
  #key: string;
  #generations: readonly Generation[] = [];
  #start = NOTHING_TOLD;
  /** States that may be the team's, newest first; their items will tell. */
  #candidates: readonly FoundState[] = [];

  private constructor(values: KeyValues, scope: ChangeScope, prefix: string) {
    this.#values = values;
    this.name = scope.name;
    this.#scope = scope;
    this.#team = scope.team;
    this.#key = prefix + keyOfTeam(scope.team);
  }

  /** @throws UsageError `other_selection`: a change of the filters would look like changes of items */
  static async open(values: KeyValues, scope: ChangeScope): Promise<ChangeState> {
    const prefix = [scope.name, ...scope.scope, ''].join('\n');
    const state = new ChangeState(values, scope, prefix);
    const found = await findPointers(values, prefix, scope.team);
    const own = found.find(({ isCertain }) => isCertain);
    if (own !== undefined) state.#take(await stateAt(values, own));
    if (state.#items.size > 0) return state;
    const others: FoundState[] = [];
    for (const each of found) if (!each.isCertain) others.push(await stateAt(values, each));
    // Another key of the team may have gone on with its empty state.
    state.#candidates = own === undefined ? others : others.filter(({ items }) => items.size > 0);
    return state;
  }

  #take({ key, pointer, items }: FoundState): void {
    const { team } = this.#scope;
    this.#checkSelection(pointer.selection);
    this.#key = key;
    // A key that may not list collections forgets none that an earlier one has listed.
    this.#team = { ...team, collections: team.collections ?? pointer.team.collections };
    this.#generations = pointer.generations;
    this.#items = items;
  }

  #checkSelection(last: string): void {
    const { name, selection } = this.#scope;
    if (last === selection) return;
    throw new UsageError('other_selection', message('other_selection', { name, last, selection }), {
      actions: [
        {
          do: 'setOption',
          label: message('to_use_another_name', {}),
          option: 'changed-since-last',
          value: 'NAME',
        },
      ],
    });
  }

  /** True if only the list can tell which earlier files are the team's: `decide` is called once it has been read. */
  get isUndecided(): boolean {
    return this.#candidates.length > 0;
  }

  /**
   * An item belongs to one team, so one that an earlier file had is proof. Without proof, only a state without items is
   * gone on with, as a state of its own: the other key's stays as it is, because it may be another team's.
   *
   * @param isOnList of an id in lower case
   * @param since the earliest last change of a selected item, ms
   * @returns false if nothing shows that the earlier files are the team's
   * @throws UsageError `changes_of_other_team`: a new starting point would lose changes, and none of the earlier ones
   *   can be the team's
   */
  decide(isOnList: (id: string) => boolean, since: number): boolean {
    const candidates = this.#candidates;
    this.#candidates = [];
    const proven = candidates.find(({ items }) => items.keys().some(isOnList));
    if (proven !== undefined) this.#take(proven);
    if (candidates.length === 0 || this.#generations.length > 0) return true;
    const assumed = candidates.find(
      // An earlier file would have had an item that has not changed since.
      ({ items, pointer }) => items.size === 0 && since >= surelyBefore(lastOf(pointer.generations)),
    );
    if (assumed === undefined) throw this.#ofOtherTeam();
    this.#checkSelection(assumed.pointer.selection);
    this.#start = { ...NOTHING_TOLD, ...lastOf(assumed.pointer.generations) };
    return false;
  }

  #ofOtherTeam(): UsageError {
    const { name } = this;
    return new UsageError('changes_of_other_team', message('changes_of_other_team', { name }), {
      actions: [
        {
          do: 'setOption',
          label: message('to_begin_another_name', {}),
          option: 'changed-since-last',
          value: 'NAME',
        },
      ],
    });
  }

  /** Before the first export: the items of a reading count as reported when they were read. */
  startFrom(ids: Iterable<string>, at: string): void {
    this.#start = { ...NOTHING_TOLD, at };
    this.#items = new Map(Array.from(ids, (id) => [id, DIFFERS]));
  }

  /** True if no earlier file can be the team's. */
  get isNew(): boolean {
    return this.#generations.length === 0 && !this.isUndecided;
  }

  /** True if an earlier file that may be the team's had the item; takes the id in lower case. */
  mayHave(id: string): boolean {
    return this.#items.has(id) || this.#candidates.some(({ items }) => items.has(id));
  }

  /** Id in lower case → fingerprint; empty before the first export. */
  get items(): ReadonlyMap<string, string> {
    return this.#items;
  }

  /** True if every generation has the item. */
  hasAlways(id: string): boolean {
    const mark = this.#items.get(id) ?? PARTLY;
    return mark !== PARTLY && !mark.startsWith(LEFT_OUT);
  }

  /** The two readings between which an item was seen that no file contained, because the layout left it out. */
  leftOutOf(id: string): { after: string; by: string } | undefined {
    const mark = this.#items.get(id) ?? '';
    const [after, by] = mark.startsWith(LEFT_OUT) ? mark.slice(1).split(' ') : [];
    return after === undefined || by === undefined ? undefined : { after, by };
  }

  /**
   * When the last export of this name began to read, and the latest time on the list then; the earlier values if there
   * are several generations.
   */
  get last(): Pick<Generation, 'at' | 'latest'> {
    return this.#generations.length === 0 ? this.#start : lastOf(this.#generations);
  }

  /** The other runs of the worker that have a file of this name and may still deliver it. */
  get deliverers(): string[] {
    return this.#generations.flatMap(({ by }) =>
      by !== undefined && 'run' in by && by.run !== this.#scope.run ? [by.run] : [],
    );
  }

  /** A file that is made before another one is delivered would have its changes again. */
  undelivered(run: string): ShelfliftError {
    return new ShelfliftError(
      'changes_undelivered',
      message('changes_undelivered', { name: this.name, run }),
    );
  }

  /** Identifies the state: pages that were read for an older one are not reused. */
  get id(): string {
    const found = [this.#generations, ...this.#candidates.map(({ pointer }) => pointer.generations)];
    return (
      found.flatMap((each) => each.map(({ generation }) => generation)).join(' ') || (this.#start.at ?? '')
    );
  }

  /**
   * Adds the changes that a file will report to the set. Call it before the file is in place; call finishChanges
   * once the file is in place or has failed.
   *
   * @throws ShelfliftError `changes_moved` if another export of the name did so since this state was read, or had yet
   *   to place its file then
   */
  async propose(
    items: ReadonlyMap<string, string>,
    about: { at: string; latest: number | null },
  ): Promise<ProposedChanges> {
    const { selection, run, now } = this.#scope;
    const generation = randomUUID();
    const known = new Set(this.#generations.map((each) => each.generation));
    const ended = this.#generations.filter((each) => this.#hasEnded(each));
    // Merges all generations that have ended: otherwise files that are never delivered would make the set
    // grow without end.
    const base = ended.length === 1 ? undefined : { ...NOTHING_TOLD, ...this.last, generation: randomUUID() };
    if (base !== undefined) Object.assign(base, { rows: this.#items.size, putAt: now });
    if (base !== undefined) await writeItems(this.#values, this.#key, base.generation, this.#items);
    await writeItems(this.#values, this.#key, generation, items);
    const isEnded = (each: Generation) => ended.some((one) => one.generation === each.generation);
    let replaced: readonly Generation[] = [];
    const moved = await changeGenerations(
      this.#values,
      this.#key,
      (before) => {
        if (before.some((each) => !known.has(each.generation) || this.#wasInHand(each))) return undefined;
        // The run was resumed since, so its file may be delivered after this one.
        const still = before.filter((each) => isEnded(each) && !isTakenUp(each, ended));
        replaced = base === undefined ? [] : still;
        const rest = before.filter((each) => !replaced.includes(each));
        const own: Generation = {
          generation,
          rows: items.size,
          ...about,
          by: run === undefined ? thisProcess() : { run },
          putAt: now,
          knows: base === undefined ? still.map((each) => each.generation) : [base.generation],
        };
        return [
          ...(base === undefined ? [] : [base]),
          ...rest.map((each) => (still.includes(each) ? withoutDeliverer(each) : each)),
          own,
        ];
      },
      { team: this.#team, selection },
    );
    if (moved) {
      for (const each of replaced) await removeItems(this.#values, this.#key, each.generation);
      return { key: this.#key, generation };
    }
    await removeItems(this.#values, this.#key, generation);
    if (base !== undefined) await removeItems(this.#values, this.#key, base.generation);
    throw this.#moved();
  }

  /**
   * Makes this the state of a name that has none yet, as if a file had reported it.
   *
   * @throws ShelfliftError `changes_moved` if another export of the name did so since this state was read
   */
  async begin(
    items: ReadonlyMap<string, string>,
    about: { at: string; latest: number | null },
  ): Promise<undefined> {
    const { selection, now } = this.#scope;
    const generation = randomUUID();
    await writeItems(this.#values, this.#key, generation, items);
    const own: Generation = { generation, rows: items.size, ...about, putAt: now, knows: [] };
    const begun = await changeGenerations(
      this.#values,
      this.#key,
      (before) => (before.length > 0 ? undefined : [own]),
      { team: this.#team, selection },
    );
    if (begun) return;
    await removeItems(this.#values, this.#key, generation);
    throw this.#moved();
  }

  #moved(): ShelfliftError {
    return new ShelfliftError('changes_moved', message('changes_moved', { name: this.name }), {
      actions: [{ do: 'byHand', label: message('export_changes_again', {}) }],
    });
  }

  /** True if another process had yet to place the file of a generation when this state was read: it has these changes. */
  #wasInHand({ generation, by }: Generation): boolean {
    const then = this.#generations.find((each) => each.generation === generation);
    if (then?.by === undefined || 'run' in then.by) return false;
    const isRecent = this.#scope.now - then.putAt < LONGEST_WRITE_MS;
    return by === undefined || (isRecent && !this.#hasEnded(then));
  }

  /** The run of a generation reports its end; a process that no longer runs counts as ended. */
  #hasEnded({ by, putAt }: Generation): boolean {
    if (by === undefined) return true;
    if ('run' in by) return by.run === this.#scope.run;
    return !mayHold(by, putAt, this.#scope.now);
  }
}

/**
 * Records that a file is no longer being delivered. Calling it again changes nothing.
 *
 * @param arrived true if the file arrived everywhere; if false, its content is reported again
 */
export async function finishChanges(
  values: KeyValues,
  { key, generation }: ProposedChanges,
  arrived: boolean,
): Promise<void> {
  const dropped: string[] = [];
  let set: readonly Generation[] = [];
  const settled = await changeGenerations(values, key, (before) => {
    const own = before.find((each) => each.generation === generation);
    if (own?.by === undefined) return undefined;
    const isReported = (each: Generation) =>
      arrived && each.by === undefined && own.knows.includes(each.generation);
    dropped.splice(0, dropped.length, ...before.filter(isReported).map((each) => each.generation));
    set = [...before.filter((each) => each !== own && !isReported(each)), withoutDeliverer(own)];
    return [...set];
  });
  if (!settled) return;
  for (const each of dropped) await removeItems(values, key, each);
  await sweepOrphans(values, key, new Set(set.map((each) => each.generation)));
}

/**
 * Call this before delivering a file whose run had ended: it may arrive after newer files.
 *
 * @returns false if a later file has reported it: delivering it would put older values after newer ones, so a new file
 *   is needed
 */
export async function takeUpChanges(
  values: KeyValues,
  { key, generation }: ProposedChanges,
  run: string,
): Promise<boolean> {
  let isThere = false;
  await changeGenerations(values, key, (before) => {
    const own = before.find((each) => each.generation === generation);
    isThere = own !== undefined;
    if (own === undefined || own.by !== undefined) return undefined;
    return before.map((each) =>
      each === own
        ? { ...each, by: { run } }
        : { ...each, knows: each.knows.filter((known) => known !== generation) },
    );
  });
  return isThere;
}

function isTakenUp({ generation, by }: Generation, ended: readonly Generation[]): boolean {
  const before = ended.find((each) => each.generation === generation);
  return by !== undefined && before?.by === undefined;
}

/** Replaces the fingerprint of a row that the layout left out. */
export function leftOut(seen: { [BECAME_AFTER]: string; [BECAME_BY]: string }): string {
  return `${LEFT_OUT}${seen[BECAME_AFTER]} ${seen[BECAME_BY]}`;
}
