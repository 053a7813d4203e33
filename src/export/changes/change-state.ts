/**
 * What the exports of changes of one name have told: each item's id and fingerprint, a generation for each file.
 *
 * Only the file tells the reader, so a generation counts as told when its file has been delivered, and until then
 * it may or may not have been. So the state is a set of generations: an item is unchanged only where all of them
 * have it as it is now. An export puts its generation into the set before its file is in place; once the file has
 * been delivered, it takes out those that had ended when it was made, as its file told every difference from them.
 * A kill at any instant leaves more generations in the set, and the next file tells more again: nothing is left out.
 */
import { createHash, randomUUID } from 'node:crypto';
import { z } from 'zod';
import { ShelfliftError, UsageError } from '../../errors.ts';
import type { KeyValues } from '../../ledger/key-values.ts';
import { thisProcess } from '../../ledger/process-identity.ts';
import { Holder, mayHold } from '../keep/holder.ts';
import { keyOfTeam, sameMark, TeamMark } from '../read/team.ts';

const POINTERS = 'export-changes';
const BUCKETS_AT_ONCE = 16;
/** Teams of one name. */
const MOST_TEAMS = 1000;
/** What a kill left beside the state is removed after so long: a generation is written before it is in the set. */
const ORPHAN_MS = 24 * 3_600_000;

/** Who brings the file to its place: this process, or the run of a worker. */
const Bringer = z.union([z.object({ run: z.string() }), Holder]);
type Bringer = z.infer<typeof Bringer>;

const Generation = z.object({
  generation: z.string(),
  /** ISO 8601: when the reading of that export began; null for what was there before the first. */
  at: z.string().nullable(),
  rows: z.int(),
  /** Latest time that the list showed then, ms; null where it could not be read. */
  latest: z.number().nullable(),
  /** Present while the file is on its way. */
  by: Bringer.optional(),
  /** When it was put into the set, ms since the epoch. */
  putAt: z.number(),
  /** Generations that had ended when the file was made. */
  knows: z.array(z.string()),
});
type Generation = z.infer<typeof Generation>;

const Pointer = z.object({
  team: TeamMark,
  /** The filters, in words. */
  selection: z.string(),
  generations: z.array(Generation).min(1),
});
type Pointer = z.infer<typeof Pointer>;

/** State of a version that did not tell teams apart: its key ends before the team. */
const TeamlessPointer = z.object({
  generation: z.string(),
  at: z.string(),
  rows: z.int(),
  latest: z.number().nullable(),
  /** Absent in the first versions. */
  selection: z.string().optional(),
});

interface Teamless {
  key: string;
  selection: string | undefined;
  generation: Generation;
}

/** Names a generation: what one file tells. */
export interface ToldChanges {
  key: string;
  generation: string;
}

/** Stands for the fingerprint where all generations have the item, and not as the same. */
const DIFFERS = '';
/** Stands for it where only some of them have the item. */
const PARTLY = '?';

export interface ChangeScope {
  name: string;
  /** What else tells one state from another of the same name: the API, items or listings. */
  scope: readonly string[];
  team: TeamMark;
  /** The filters, in words: compared with those of the last export of that name. */
  selection: string;
  /** The worker's run that delivers the file; undefined where it is in its place when the export ends. */
  run: string | undefined;
  /** ms since the epoch. */
  now: number;
}

export class ChangeState {
  readonly name: string;
  /** Id in lower case → fingerprint, or one that no item has where the generations differ. */
  #items = new Map<string, string>();
  readonly #values: KeyValues;
  readonly #scope: ChangeScope;
  readonly #key: string;
  #generations: readonly Generation[] = [];
  #teamless: Teamless | undefined;

  private constructor(values: KeyValues, scope: ChangeScope, key: string) {
    this.#values = values;
    this.name = scope.name;
    this.#scope = scope;
    this.#key = key;
  }

  /** @throws UsageError `other_selection`: everything that only the filters tell apart would look like a change */
  static async open(values: KeyValues, scope: ChangeScope): Promise<ChangeState> {
    const { name, team } = scope;
    const prefix = [name, ...scope.scope, ''].join('\n');
    let key = prefix + keyOfTeam(team);
    let found: Pointer | undefined;
    for (const each of await values.list(POINTERS, { prefix, limit: MOST_TEAMS })) {
      const pointer = Pointer.parse(JSON.parse(each.value));
      if (!sameMark(pointer.team, team)) continue;
      ({ key } = each);
      found = pointer;
      break;
    }
    const state = new ChangeState(values, scope, key);
    if (found === undefined) {
      await state.#openTeamless(prefix.slice(0, -1));
      return state;
    }
    state.#checkSelection(found.selection);
    state.#generations = found.generations;
    for (const [index, { generation }] of state.#generations.entries()) {
      const items = await loadItems(values, key, generation);
      state.#items = index === 0 ? items : merged(state.#items, items);
    }
    return state;
  }

  /**
   * A state that an older version wrote may be another team's. Until `claim` has decided, `items` holds it.
   */
  get isUnclaimed(): boolean {
    return this.#teamless !== undefined;
  }

  /**
   * Decides whose an unclaimed state is. No item belongs to two teams, so it is this team's if most of its items are
   * in the team's list.
   *
   * @param seen how many of `items` are in the list that was just read
   * @throws UsageError `other_selection`
   */
  async claim(seen: number): Promise<void> {
    const teamless = this.#teamless;
    if (teamless === undefined) return;
    this.#teamless = undefined;
    if (seen * 2 <= this.#items.size) {
      this.#generations = [];
      this.#items.clear();
      return;
    }
    const { team, selection } = this.#scope;
    const { generation } = teamless;
    this.#checkSelection(teamless.selection ?? selection);
    await this.#write(generation.generation, this.#items);
    const pointer: Pointer = { team, selection, generations: [generation] };
    // Another export may have claimed it first: `propose` finds out what that one did since.
    if (!(await this.#values.putIfAbsent(POINTERS, this.#key, JSON.stringify(pointer)))) return;
    await this.#values.remove(POINTERS, [teamless.key]);
    await this.#values.remove(spaceOf(teamless.key, generation.generation));
  }

  async #openTeamless(key: string): Promise<void> {
    const text = await this.#values.get(POINTERS, key);
    if (text === undefined) return;
    const { selection, ...about } = TeamlessPointer.parse(JSON.parse(text));
    const items = await loadItems(this.#values, key, about.generation);
    // Another export is claiming it, and has removed items already.
    if (items.size !== about.rows) return;
    const generation = { ...about, putAt: this.#scope.now, knows: [] };
    this.#teamless = { key, selection, generation };
    this.#generations = [generation];
    this.#items = items;
  }

  #checkSelection(last: string): void {
    const { name, selection } = this.#scope;
    if (last === selection) return;
    throw new UsageError(
      'other_selection',
      `The last export of changes "${name}" held ${last}; this one asks for ${selection}.`,
      { remedy: 'Give these filters a name of their own: --changed-since-last NAME.' },
    );
  }

  /** Id in lower case → fingerprint; empty before the first export. */
  get items(): ReadonlyMap<string, string> {
    return this.#items;
  }

  /** False for an item that is not in every generation of the set. */
  hasAlways(id: string): boolean {
    return (this.#items.get(id) ?? PARTLY) !== PARTLY;
  }

  /** When the last export of this name began to read, and what was latest then; of several the earliest. */
  get last(): Pick<Generation, 'at' | 'latest'> {
    const [first = NOTHING_TOLD, ...others] = this.#generations;
    return others.reduce<Pick<Generation, 'at' | 'latest'>>(
      ({ at, latest }, each) => ({
        at: at === null || each.at === null ? null : at < each.at ? at : each.at,
        latest: latest === null || each.latest === null ? null : Math.min(latest, each.latest),
      }),
      first,
    );
  }

  /** Tells one state from another: pages that were read for an older one are not gone on with. */
  get id(): string {
    return this.#generations.map(({ generation }) => generation).join(' ');
  }

  /**
   * Puts what a file is going to tell into the set; call it before the file is in place, and settleChanges once it
   * is, or is not going to be.
   * @throws ShelfliftError `changes_moved` where another export of the name did so since this state was read
   */
  async propose(
    items: ReadonlyMap<string, string>,
    about: { at: string; latest: number | null },
  ): Promise<ToldChanges> {
    const { team, selection, run, now } = this.#scope;
    const generation = randomUUID();
    const known = new Set(this.#generations.map((each) => each.generation));
    const ended = this.#generations.filter((each) => this.#hasEnded(each));
    // One for all that have ended: files that are never delivered must not make the set longer and longer.
    const base = ended.length === 1 ? undefined : { ...NOTHING_TOLD, ...this.last, generation: randomUUID() };
    if (base !== undefined) Object.assign(base, { rows: this.#items.size, putAt: now });
    if (base !== undefined) await this.#write(base.generation, this.#items);
    await this.#write(generation, items);
    const isEnded = (each: Generation) => ended.some((one) => one.generation === each.generation);
    let replaced: readonly Generation[] = [];
    const moved = await changeGenerations(
      this.#values,
      this.#key,
      (before) => {
        if (before.some((each) => !known.has(each.generation))) return undefined;
        // Taken up again since: it may be delivered after this one.
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
          ...rest.map((each) => (still.includes(each) ? withoutBringer(each) : each)),
          own,
        ];
      },
      { team, selection },
    );
    if (moved) {
      for (const each of replaced) await this.#values.remove(spaceOf(this.#key, each.generation));
      return { key: this.#key, generation };
    }
    await this.#values.remove(spaceOf(this.#key, generation));
    if (base !== undefined) await this.#values.remove(spaceOf(this.#key, base.generation));
    throw new ShelfliftError(
      'changes_moved',
      `Another export of the changes "${this.name}" ended while this one was reading. Nothing was written.`,
      { remedy: 'Run it again: it then tells what changed since that export.' },
    );
  }

  /** A run tells when it ends; of a process of its own run, what it left is as good as ended. */
  #hasEnded({ by, putAt }: Generation): boolean {
    if (by === undefined) return true;
    if ('run' in by) return by.run === this.#scope.run;
    return !mayHold(by, putAt, this.#scope.now);
  }

  async #write(generation: string, items: ReadonlyMap<string, string>): Promise<void> {
    const buckets = [...bucketsOf(items)];
    for (let from = 0; from < buckets.length; from += BUCKETS_AT_ONCE) {
      const entries = buckets.slice(from, from + BUCKETS_AT_ONCE);
      await this.#values.put(
        spaceOf(this.#key, generation),
        entries.map(([key, bucket]) => ({ key, value: JSON.stringify(bucket) })),
      );
    }
  }
}

async function loadItems(values: KeyValues, key: string, generation: string): Promise<Map<string, string>> {
  const items = new Map<string, string>();
  for (let after = ''; ; ) {
    const buckets = await values.list(spaceOf(key, generation), { after, limit: BUCKETS_AT_ONCE });
    for (const { value } of buckets) {
      for (const [id, fingerprint] of Object.entries(JSON.parse(value) as Record<string, string>)) {
        items.set(id, fingerprint);
      }
    }
    const last = buckets.at(-1);
    if (last === undefined) return items;
    after = last.key;
  }
}

const NOTHING_TOLD: Generation = {
  generation: '',
  at: null,
  rows: 0,
  latest: null,
  putAt: 0,
  knows: [],
};

/**
 * The file of a generation is on its way no more. Again, it changes nothing.
 *
 * @param told true where it arrived everywhere; false where that is not certain: what it holds is told again
 */
export async function settleChanges(
  values: KeyValues,
  { key, generation }: ToldChanges,
  told: boolean,
): Promise<void> {
  const dropped: string[] = [];
  let set: readonly Generation[] = [];
  const settled = await changeGenerations(values, key, (before) => {
    const own = before.find((each) => each.generation === generation);
    if (own?.by === undefined) return undefined;
    const isTold = (each: Generation) => told && each.by === undefined && own.knows.includes(each.generation);
    dropped.splice(0, dropped.length, ...before.filter(isTold).map((each) => each.generation));
    set = [...before.filter((each) => each !== own && !isTold(each)), withoutBringer(own)];
    return [...set];
  });
  if (!settled) return;
  for (const each of dropped) await values.remove(spaceOf(key, each));
  await sweepOrphans(values, key, new Set(set.map((each) => each.generation)));
}

/**
 * Before a file is delivered whose run had ended: what it tells may arrive after files that were made since.
 * @returns false where a later file has told it: it would bring older values after newer ones, and is made again
 */
export async function takeUpChanges(
  values: KeyValues,
  { key, generation }: ToldChanges,
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

/**
 * @param change undefined leaves the set as it is
 * @param made of the pointer, where there is none yet
 * @returns whether the set was changed
 */
async function changeGenerations(
  values: KeyValues,
  key: string,
  change: (before: readonly Generation[]) => Generation[] | undefined,
  made?: Pick<Pointer, 'team' | 'selection'>,
): Promise<boolean> {
  for (;;) {
    const text = await values.get(POINTERS, key);
    const found = text === undefined ? undefined : Pointer.parse(JSON.parse(text));
    const generations = change(found?.generations ?? []);
    const about = made ?? found;
    if (generations === undefined || about === undefined) return false;
    const { team, selection } = about;
    const to = JSON.stringify({ team, selection, generations } satisfies Pointer);
    const done =
      text === undefined
        ? await values.putIfAbsent(POINTERS, key, to)
        : await values.replace(POINTERS, key, text, to);
    if (done) return true;
  }
}

function isTakenUp({ generation, by }: Generation, ended: readonly Generation[]): boolean {
  const before = ended.find((each) => each.generation === generation);
  return by !== undefined && before?.by === undefined;
}

function withoutBringer(generation: Generation): Generation {
  const ended = { ...generation };
  delete ended.by;
  return ended;
}

function merged(some: ReadonlyMap<string, string>, others: ReadonlyMap<string, string>) {
  const both = new Map<string, string>();
  for (const [id, one] of some) {
    const other = others.get(id) ?? PARTLY;
    both.set(id, one === other || other === PARTLY ? other : one === PARTLY ? PARTLY : DIFFERS);
  }
  for (const id of others.keys()) if (!both.has(id)) both.set(id, PARTLY);
  return both;
}

async function sweepOrphans(values: KeyValues, key: string, set: ReadonlySet<string>): Promise<void> {
  for (const space of await values.spaces(spaceOf(key, ''))) {
    if (set.has(space.slice(spaceOf(key, '').length))) continue;
    const [first] = await values.list(space, { limit: 1 });
    if (first !== undefined && Date.now() - first.at > ORPHAN_MS) await values.remove(space);
  }
}

function spaceOf(key: string, generation: string): string {
  return `${POINTERS}:${createHash('sha256').update(key).digest('hex').slice(0, 16)}:${generation}`;
}

/** By the first two characters of the id: a million items are 256 texts of 250 kB. */
function bucketsOf(items: ReadonlyMap<string, string>): Map<string, Record<string, string>> {
  const buckets = new Map<string, Record<string, string>>();
  for (const [id, fingerprint] of items) {
    const key = id.slice(0, 2);
    const bucket = buckets.get(key) ?? {};
    bucket[id] = fingerprint;
    buckets.set(key, bucket);
  }
  return buckets;
}
