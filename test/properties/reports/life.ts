/** The life of a collection: days of work, and the reports, months and files of changes that somebody makes of it. */
import { copyFile, readFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { type ApiClient, createClient } from '../../../src/api/client.ts';
import type { Item } from '../../../src/api/schemas.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { ShelfliftError } from '../../../src/base/errors.ts';
import { finishChanges, type ProposedChanges } from '../../../src/export/changes/change-state.ts';
import { exportResource } from '../../../src/export/export.ts';
import { markReported, pruneReadings } from '../../../src/export/keep/readings.ts';
import { verifyExport } from '../../../src/export/verify/verify.ts';
import { undoJob } from '../../../src/import/run.ts';
import type { Ledger } from '../../../src/ledger/ledger.ts';
import type { KeyValues } from '../../../src/ledger/key-values.ts';
import { openSqliteLedger } from '../../../src/ledger/sqlite/sqlite-ledger.ts';
import { writeMonth } from '../../../src/reports/month.ts';
import { type ReportDeps, writeReportFile } from '../../../src/reports/report.ts';
import { openImport, type OpenImport, QUIET_MS } from '../../support/open-import.ts';
import {
  type Act,
  type ActOf,
  CHOOSES,
  type Filter,
  FILTERS,
  type ItemSpec,
  type Life,
  NAMES,
  type Selection,
} from './days.ts';
import {
  FILES,
  figuresIn,
  type Line,
  pageTables,
  rowsOf,
  tableIn,
  type Tables,
  workbookTables,
} from './files.ts';
import {
  type Base,
  DAY,
  dayOf,
  type Known,
  lastReported,
  mayBecomeSold,
  type Name,
  near,
  nothing,
  periodOf,
  prune,
  readingsOf,
  SLACK,
  turnOf,
  withItems,
} from './known.ts';
import { shown } from './money.ts';
import { bridgeOf, type Figure, figuresOf, isOwned, monthOf, type State, totalsOf, Truth } from './truth.ts';

const HOUR = 3_600_000;
/** Two collections share a name. */
const COLLECTIONS = ['Main', 'Books', 'Books'];
const SALES = ['gross_cents', 'fee_cents', 'refunded_cents', 'net_payout_cents'];

export interface Played {
  violations: string[];
  /** Packages that show how the month developed, and rows of sold items. */
  months: number;
  sold: number;
}

export async function play(given: Life): Promise<Played> {
  const clock = { ...systemClock, time: Date.UTC(2026, 7, 29, 12) };
  // Each look at the clock is later than the one before.
  clock.now = () => (clock.time += 1);
  let totals: Record<string, number> = {};
  await using at = await openImport({
    seed: 7,
    seedItems: 0,
    now: () => clock.now(),
    storing: given.storing,
    onRequest: ({ operation, answer }) => {
      if (operation === 'getSalesSummary') totals = JSON.parse(answer) as Record<string, number>;
    },
  });
  await using client = createClient({ apiUrl: at.sandbox.url, key: at.sandbox.key });
  const stage = new Stage(at, client, clock, given.zone, () => totals);
  await stage.begin(given.items);
  try {
    for (const [index, own] of given.days.entries()) {
      stage.pass(own);
      for (const each of own.acts) {
        clock.time += 4 * SLACK;
        stage.now = `day ${index + 1}, ${new Date(clock.time).toISOString()}, ${JSON.stringify(each)}`;
        await stage.act(each);
        if (stage.violations.length > 0) return stage;
      }
    }
    return stage;
  } finally {
    for (const { ledger } of stage.stores) await ledger.close();
  }
}

interface Store {
  path: string;
  ledger: Ledger;
  known: Known;
  backup: Known | undefined;
  lastJob: string | undefined;
}

type Outcome<T> = { made: T } | { refused: string } | { died: true };

class Stage implements Played {
  readonly violations: string[] = [];
  months = 0;
  sold = 0;
  now = 'the beginning';
  readonly stores: Store[] = [];
  readonly #at: OpenImport;
  readonly #client: ApiClient;
  readonly #clock: typeof systemClock & { time: number };
  readonly #zone: string;
  readonly #totals: () => Record<string, number>;
  readonly #truth = new Truth();
  readonly #collections: string[] = [];
  #first = '';
  #count = 0;

  constructor(
    at: OpenImport,
    client: ApiClient,
    clock: typeof systemClock & { time: number },
    zone: string,
    totals: () => Record<string, number>,
  ) {
    this.#at = at;
    this.#client = client;
    this.#clock = clock;
    this.#zone = zone;
    this.#totals = totals;
  }

  async begin(specs: readonly ItemSpec[]): Promise<void> {
    const { control } = this.#at.sandbox;
    for (const name of ['a', 'b']) {
      const path = join(this.#at.folder, `${name}.db`);
      this.stores.push({
        path,
        ledger: openSqliteLedger(path),
        known: nothing(),
        backup: undefined,
        lastJob: undefined,
      });
    }
    const { value: page } = await this.#client.listCollections({ page: 1, perPage: 100 });
    this.#first = page.data[0]?.name ?? '';
    this.#collections.push(
      ...COLLECTIONS.map((name, at) =>
        at === 0 ? (page.data[0]?.id ?? '') : control.addCollection(name).id,
      ),
    );
    this.#add(specs);
  }

  pass({ to, hours }: Life['days'][number]): void {
    const { time } = this.#clock;
    if (to === 'later') this.#clock.time = time + hours * HOUR;
    else {
      const [, end] = periodOf(dayOf(time, this.#zone).slice(0, 7), this.#zone);
      const [, next] = periodOf(dayOf(end + DAY, this.#zone).slice(0, 7), this.#zone);
      this.#clock.time = [end, next].map((turn) => turn + hours * HOUR).find((turn) => turn > time) ?? time;
    }
  }

  async act(each: Act): Promise<void> {
    const own = 'store' in each ? this.stores[each.store] : undefined;
    if (each.what === 'edit') await this.#edit(each);
    else if (each.what === 'add') this.#add(each.items);
    else if (own === undefined) throw new Error('there is no such store');
    else if (each.what === 'import') await this.#import(each, own);
    else if (each.what === 'undo') await this.#undo(own);
    else if (each.what === 'inventory') await this.#inventory(each, own);
    else if (each.what === 'listings') await this.#listings(each, own);
    else if (each.what === 'past') await this.#past(each, own);
    else if (each.what === 'month') await this.#month(each, own);
    else if (each.what === 'sales') await this.#sales(own);
    else if (each.what === 'period') await this.#period(each, own);
    else if (each.what === 'changes') await this.#changes(each, own);
    else if (each.what === 'prune') {
      const before = this.#clock.time - each.days * DAY;
      await pruneReadings(own.ledger.values, before, false);
      prune(own.known, before);
    } else if (each.what === 'backup' || own.backup !== undefined) await this.#copy(each.what, own);
    this.#truth.record(this.#clock.now(), this.#at.items());
  }

  #add(specs: readonly ItemSpec[]): void {
    this.#at.sandbox.control.insertItems(
      specs.map(({ collection, ...item }) => ({
        ...item,
        collection_id: this.#collections[collection] ?? '',
      })),
    );
    this.#truth.record(this.#clock.now(), this.#at.items());
  }

  async #edit({ item: number, how, as }: ActOf<'edit'>): Promise<void> {
    const all = this.#at.items();
    const item = all[number % Math.max(1, all.length)];
    if (item === undefined) return;
    const { control } = this.#at.sandbox;
    if (how === 'remove' || how === 'currency') control.removeItem(item.id);
    if (how === 'remove') return;
    // The API does not change a currency; the service's pages may.
    if (how === 'currency') control.insertItems([{ ...item, currency: as.currency }]);
    const { name, status, estimated_value: amount } = as;
    const changes = {
      value: { estimated_value: amount },
      status: { status, ...(number % 2 === 0 ? { estimated_value: amount } : {}) },
      name: { name },
      move: {
        collection_id: this.#collections[as.collection] ?? '',
        ...(number % 2 === 0 ? { estimated_value: amount } : {}),
      },
      archive: { status: 'archived' as const },
      sale: {
        status: 'sold' as const,
        custom_fields: {
          ...item.custom_fields,
          sold_for: amount ?? '12,50',
          sold_at: new Date(this.#clock.time).toISOString(),
        },
      },
      currency: undefined,
    }[how];
    if (changes !== undefined) await this.#client.updateItem(item.id, changes);
  }

  async #import({ values }: ActOf<'import'>, own: Store): Promise<void> {
    this.#count += 1;
    const rows = values.map((amount, at) => `Bought ${this.#count} ${at},${amount?.toFixed(2) ?? ''}\n`);
    const file = await this.#at.file(`${this.#count}.csv`, `name,estimated_value\n${rows.join('')}`);
    const { summary, exitCode } = await this.#at.import(
      { file, collection: this.#collections[0] ?? '', run: { yes: true } },
      { ledger: own.ledger },
    );
    if (exitCode !== 0) this.#say(`the import ended with ${exitCode}`);
    own.lastJob = summary.job;
  }

  async #undo(own: Store): Promise<void> {
    const { lastJob, ledger } = own;
    if (lastJob === undefined) return;
    own.lastJob = undefined;
    await this.#at.run((deps) => undoJob(lastJob, deps, { run: { quietPeriodMs: QUIET_MS, yes: true } }), {
      ledger,
    });
  }

  async #copy(what: 'backup' | 'restore', own: Store): Promise<void> {
    const { path } = own;
    await own.ledger.close();
    if (what === 'backup') await copyFile(path, `${path}.bak`);
    else await copyFile(`${path}.bak`, path);
    own.ledger = openSqliteLedger(path);
    own.lastJob = undefined;
    if (what === 'backup') own.backup = structuredClone(own.known);
    else own.known = structuredClone(own.backup ?? nothing());
  }

  async #inventory(
    { filter: chosen, format: ending, maker: by, dies: after }: ActOf<'inventory'>,
    { ledger, known }: Store,
  ): Promise<void> {
    const file = this.#file(ending);
    const run = by === 'person' ? {} : { run: `run ${this.#count}` };
    const began = this.#clock.time;
    const outcome = await this.#try(ledger, after, async (deps) => {
      const summary = await writeReportFile(
        { report: 'inventory', out: file, ...this.#chosen(chosen) },
        { ...deps, ...run },
      );
      if (by === 'delivered' && summary.shown !== undefined && deps.values !== undefined)
        await markReported(deps.values, summary.shown);
      return summary;
    });
    if ('refused' in outcome) return this.#say(`it was refused: ${outcome.refused}`);
    const readings = readingsOf(known, chosen);
    const before = lastReported(readings);
    const isSure = 'made' in outcome;
    const reading = { from: began, at: this.#clock.time, isSure, isReported: by !== 'given up' };
    if (isSure) {
      const { manifest, at, from } = await this.#manifest(file);
      reading.at = at;
      reading.from = from;
      const compared = manifest.comparedWith === null ? null : Date.parse(manifest.comparedWith);
      const last = before.find((each) => isAbout(each?.at ?? null, compared));
      if (last === undefined)
        this.#say(`it is compared with ${manifest.comparedWith}, not with ${spoken(before)}`);
      else if (from >= began) {
        const now = this.#select(at, chosen);
        const shownTables = await this.#tables(file, ending);
        for (const [title, lines] of totalsOf(now, this.#nameOf))
          this.#same(title, shownTables.get(title), lines);
        this.#figures(figuresOf(now, 'Value'), manifest);
        if (last !== null && last.from > last.at - SLACK)
          this.#same(
            'changes',
            shownTables.get('Changes since the last report'),
            bridgeOf(this.#select(last.at, chosen), now),
          );
      }
    }
    readings.push(reading);
    if (by !== 'person' && chosen !== '') readingsOf(known, '').push({ ...reading, isReported: false });
  }

  async #listings({ format: ending }: ActOf<'listings'>, { ledger }: Store): Promise<void> {
    const file = this.#file(ending);
    const outcome = await this.#try(ledger, null, (deps) =>
      writeReportFile({ report: 'listings', out: file }, deps),
    );
    if (!('made' in outcome)) return this.#say(`it was refused: ${JSON.stringify(outcome)}`);
    const shownTables = await this.#tables(file, ending);
    const expected = totalsOf(this.#select((await this.#manifest(file)).at, 'forSale'), this.#nameOf);
    for (const [title, lines] of expected.slice(0, 2)) this.#same(title, shownTables.get(title), lines);
  }

  async #past(
    { filter: chosen, format: ending, back }: ActOf<'past'>,
    { ledger, known }: Store,
  ): Promise<void> {
    const asOf = dayOf(this.#clock.time - (back + 1) * DAY, this.#zone);
    const [, end] = periodOf(asOf, this.#zone);
    const { allowed, isSure } = near(readingsOf(known, chosen), end);
    const file = this.#file(ending);
    const outcome = await this.#try(ledger, null, (deps) =>
      writeReportFile(
        { report: 'inventory', out: file, asOf, timeZone: this.#zone, ...this.#chosen(chosen) },
        deps,
      ),
    );
    if (!('made' in outcome)) return this.#mayRefuse(outcome, isSure);
    const { manifest, at } = await this.#manifest(file);
    const reading = allowed.find((each) => isAbout(each.at, at));
    if (reading === undefined)
      return this.#say(`it shows ${manifest.endedAt} as the end of ${asOf}, not ${spoken(allowed)}`);
    if (reading.from <= at - SLACK) return;
    const then = this.#select(at, chosen);
    const shownTables = await this.#tables(file, ending);
    for (const [title, lines] of totalsOf(then, this.#nameOf).slice(0, 2))
      this.#same(title, shownTables.get(title), lines);
    this.#figures(figuresOf(then, 'Value'), manifest);
  }

  async #month({ back, dies: after }: ActOf<'month'>, { ledger, known }: Store): Promise<void> {
    const [year = 0, number = 0] = dayOf(this.#clock.time, this.#zone).split('-').map(Number);
    const month = new Date(Date.UTC(year, number - 1 - back, 1)).toISOString().slice(0, 7);
    const [start, end] = periodOf(month, this.#zone);
    const [opening, closing] = [turnOf(known, start), turnOf(known, end)];
    const file = this.#file('zip');
    const began = this.#clock.time;
    const isFresh = began - end < closing.least + SLACK;
    const outcome = await this.#try(ledger, after, (deps) =>
      writeMonth({ month, out: file, currency: 'usd', timeZone: this.#zone }, deps),
    );
    if ('refused' in outcome) return this.#mayRefuse(outcome, closing.isSure || isFresh);
    const isSure = 'made' in outcome;
    const fresh = { from: began, at: this.#clock.time, isSure, isReported: false };
    if (began - end <= DAY) known.sales.push({ at: this.#clock.time, totals: this.#totals(), isSure });
    if (!isSure) {
      if (isFresh) readingsOf(known, '').push(fresh);
      known.ofDead.push(
        fresh.at,
        ...[opening, closing].flatMap(({ allowed }) => allowed.map((each) => each.at)),
      );
      return;
    }
    const { manifest, at, from } = await this.#manifest(file);
    const compared = manifest.comparedWith === null ? null : Date.parse(manifest.comparedWith);
    const isNew = at >= began;
    if (isNew) readingsOf(known, '').push({ ...fresh, at, from });
    const closed = isNew ? { at, from } : closing.allowed.find((each) => isAbout(each.at, at));
    const opened = opening.allowed.find((each) => isAbout(each.at, compared));
    const isNearest = closed !== undefined && Math.abs(closed.at - end) < began - end + SLACK;
    if (isNew ? !isFresh : !isNearest)
      this.#say(
        `${month} closes with ${manifest.endedAt}, not with ${spoken(closing.allowed)}${isFresh ? ' or now' : ''}`,
      );
    if (compared === null ? opening.isSure : opened === undefined)
      this.#say(`${month} begins with ${manifest.comparedWith}, not with ${spoken(opening.allowed)}`);
    const earlier = known.months.get(month);
    if (earlier !== undefined && (earlier.opening !== compared || earlier.closing !== at))
      this.#say(`${month} was made of other readings before: ${JSON.stringify(earlier)}`);
    known.months.set(month, { opening: compared, closing: at });
    known.turns.set(end, closed?.at ?? at);
    if (opened !== undefined) known.turns.set(start, opened.at);
    const [then, now] = [compared === null ? undefined : this.#truth.at(compared), this.#truth.at(at)];
    if ([closed, opened].some((each) => each !== undefined && each.from <= each.at - SLACK)) return;
    await this.#judgeMonth(await readFile(file), then, now);
    if (then !== undefined) this.months += 1;
    this.#figures(figuresOf([...now.values()], 'Closing value'), manifest);
    if (then !== undefined) this.#opens(then, now, manifest);
  }

  async #judgeMonth(zip: Uint8Array, then: State | undefined, now: State): Promise<void> {
    const files = unzipSync(zip);
    const text = (name: string) => Buffer.from(files[name] ?? []).toString();
    const covers = {
      page: pageTables(text('cover.html')),
      workbook: await workbookTables(files['cover.xlsx'] ?? new Uint8Array()),
    };
    const expected = monthOf(then, now, this.#nameOf);
    for (const name of ['roll-forward.csv', 'roll-forward-items.csv', 'items-sold.csv', 'movements.csv'])
      if (then === undefined && name in files) this.#say(`${name} is there, and no opening is known`);
    for (const [name, title] of Object.entries(FILES)) {
      const lines = expected.get(name) ?? (name in files ? tableIn(text(name)) : undefined);
      if (lines === undefined) continue;
      if (!(name in files)) this.#say(`${name} is missing`);
      this.#same(name, tableIn(text(name)), lines);
      if (name === 'inventory.csv') continue;
      for (const [cover, tables] of Object.entries(covers))
        this.#same(
          `${name} on the ${cover}`,
          tables.get(title)?.filter(({ cells: [head] }) => head !== 'Total'),
          lines,
        );
    }
    const { page, workbook } = covers;
    for (const [title, lines] of totalsOf([...now.values()], this.#nameOf).slice(0, 2))
      for (const tables of [page, workbook]) this.#same(title, tables.get(title), lines);
    for (const [title, lines] of page)
      this.#same(`${title} on both covers`, workbook.get(title), lines.map(minutes), minutes);
  }

  /** The figures of the opening, and how many were sold. */
  #opens(then: State, now: State, manifest: Manifest): void {
    const values = figuresOf([...then.values()], 'Opening value').filter(
      ([label]) => label === 'Opening value',
    );
    const sold = [...now.values()].filter((item) => {
      const before = then.get(item.id);
      return item.status === 'sold' && (before === undefined || isOwned(before));
    });
    this.#figures([...values, ['Items sold in the month', '', shown(sold.length, '')]], manifest);
  }

  async #sales({ ledger, known }: Store): Promise<void> {
    const outcome = await this.#try(ledger, null, (deps) =>
      writeReportFile({ report: 'sales', out: this.#file('csv') }, deps),
    );
    if (!('made' in outcome)) return this.#say(`it was refused: ${JSON.stringify(outcome)}`);
    known.sales.push({ at: this.#clock.time, totals: this.#totals(), isSure: true });
  }

  async #period({ back, isMonth }: ActOf<'period'>, { ledger, known }: Store): Promise<void> {
    const period = dayOf(this.#clock.time - (back + (isMonth ? 31 : 1)) * DAY, this.#zone).slice(
      0,
      isMonth ? 7 : 10,
    );
    const [start, end] = periodOf(period, this.#zone);
    const ends = [start, end].map((instant) => near(known.sales, instant));
    const file = this.#file('csv');
    const outcome = await this.#try(ledger, null, (deps) =>
      writeReportFile({ report: 'sales', out: file, period, currency: 'usd', timeZone: this.#zone }, deps),
    );
    const [first, last] = ends.map(({ allowed: [one] }) =>
      one === undefined ? -1 : known.sales.indexOf(one),
    );
    // Of two that are as near, it may be either.
    if (ends.some(({ allowed }) => allowed.length > 1 || allowed.some((one) => !one.isSure))) return;
    const isKnown = first !== undefined && last !== undefined && first >= 0 && last > first;
    if (!('made' in outcome)) return this.#mayRefuse(outcome, isKnown);
    if (!isKnown) return this.#say('no two readings show the period');
    const between = known.sales.slice(first, last + 1).map(({ totals }) => totals);
    const lines = SALES.map((field, at): Line => {
      const totals = between.map((each) => BigInt(each[field] ?? 0) * 10n ** 8n);
      const steps = totals.slice(1).map((total, index) => total - (totals[index] ?? 0n));
      const sum = (some: readonly bigint[]) => some.reduce((a, b) => a + b, 0n);
      const title = ['Gross', 'Fees', 'Refunded', 'Net payout'][at] ?? '';
      const cells = [
        title,
        totals[0],
        sum(steps.filter((step) => step > 0n)),
        sum(steps.filter((step) => step < 0n)),
        totals.at(-1),
      ];
      return { currency: 'usd', cells: cells.map((cell) => shown(cell, 'usd')) };
    });
    this.#same('the period', (await this.#tables(file, 'csv')).get('In the period'), lines);
  }

  async #changes(
    each: ActOf<'changes'>,
    store: Store,
    run = each.maker === 'person' ? {} : { run: `run ${this.#count}` },
  ): Promise<void> {
    const { name, since: back, isJson, maker: by, dies: after } = each;
    const { ledger, known } = store;
    const { collection, ...chosen }: Selection = NAMES[name];
    const isSales = chosen.became !== undefined;
    const since =
      isSales && back !== null
        ? { since: dayOf(this.#clock.time - back * DAY, this.#zone), timeZone: this.#zone }
        : {};
    const place = collection === undefined ? {} : { collection: this.#collections[collection] ?? '' };
    const file = this.#file(isJson ? 'ndjson' : 'csv');
    const state = known.names.get(name) ?? { bases: [], received: [], copy: new Map<string, string>() };
    known.names.set(name, state);
    const starts =
      since.since === undefined
        ? undefined
        : near(withItems(known, this.#zone), periodOf(since.since, this.#zone)[0]);
    const began = this.#clock.time;
    let told: ProposedChanges | undefined;
    let outcome: Outcome<unknown> = await this.#try(ledger, after, async (deps) => {
      const summary = await exportResource(
        { resource: 'items', out: file, changedSinceLast: name, fresh: true, ...chosen, ...place, ...since },
        { ...deps, ...run, isOpenRun: async () => false },
      );
      ({ told } = summary);
      if (told !== undefined && deps.values !== undefined)
        await finishChanges(deps.values, told, by === 'delivered');
      return summary;
    });
    // It was delivered, or given up; the worker only says so again.
    if ('died' in outcome && told !== undefined) {
      await finishChanges(ledger.values, told, by === 'delivered');
      outcome = { made: undefined };
    }
    if ('refused' in outcome)
      return this.#mayRefuse(outcome, starts?.isSure !== false || state.bases.some(({ isSure }) => isSure));
    const isSure = 'made' in outcome;
    const at = this.#clock.time;
    if (by !== 'person') readingsOf(known, '').push({ from: began, at, isSure, isReported: false });
    const now = this.#truth.at(at);
    const wants = (item: Item) =>
      (collection === undefined || item.collection_id === this.#collections[collection]) &&
      (isSales ? item.status === 'sold' : chosen.status === undefined || item.status === chosen.status);
    const isPlaced = existsSync(file);
    const rows = isPlaced ? (isJson ? jsonRows : rowsOf)(await readFile(file, 'utf8')) : [];
    // A worker that has died makes the file once more.
    const isReceived = isPlaced && (isSure ? by !== 'given up' : by === 'person');
    const own = [...now.values()].filter(wants).map(({ id }) => id);
    const bases = state.bases.filter((each) => each.isSure);
    if (isPlaced) this.#judgeRows(rows, now);
    if (!isSales) {
      if (isPlaced && isSure && state.bases.length === bases.length)
        this.#judgeNeeded(rows, this.#truth.at(bases[0]?.at ?? 0), now);
      if (isReceived) this.#apply(rows, state.copy, now, own);
    } else if (isSure) {
      const changes = (await this.#manifest(file)).manifest.changes;
      const start = changes?.since === null ? null : Date.parse(changes?.since ?? '');
      const first = this.#firstOf(state.bases, start, starts?.allowed ?? [], since.since !== undefined);
      if (start === null) {
        if (bases.length > 0 || rows.length > 0) this.#say('it begins anew');
        state.bases = [{ at: began, ids: own, isSure: true }];
        return;
      }
      if (first === undefined) return this.#say(`nobody knows what was sold at ${changes?.since}`);
      const [only, ...others] = state.bases;
      const left = only?.ids.filter((id) => (now.get(id)?.status ?? 'sold') !== 'sold').length;
      if (only?.isSure === true && others.length === 0 && changes?.left !== left)
        this.#say(`${changes?.left} are no longer sold, not ${left}`);
      this.#judgeSold(
        rows,
        own,
        { from: first, received: state.received },
        [began, at],
        place.collection !== undefined,
      );
      if (state.bases.length === 0) state.bases = [{ ...first[0], isSure: true } as Base];
    }
    if (isSales && state.bases.length === 0 && !isSure) {
      state.bases.push({ at: began, ids: own, isSure: false });
      if (starts !== undefined)
        for (const { at: from } of starts.allowed)
          state.bases.push({ at: from, ids: soldIn(this.#truth.at(from)), isSure: false });
    } else
      this.#settle(state, {
        began,
        own,
        rows: isReceived ? rows : [],
        now,
        isSure: isSure && by !== 'given up',
      });
    if (!isSure && by !== 'person') await this.#changes({ ...each, dies: null }, store, run);
  }

  /** What a store knows of a name after a file. */
  #settle(
    state: Name,
    {
      began,
      own,
      rows,
      now,
      isSure,
    }: {
      began: number;
      own: readonly string[];
      rows: readonly Record<string, string>[];
      now: State;
      isSure: boolean;
    },
  ): void {
    // What is no longer shown, or is in the selection no more, was sold all the same.
    const kept = state.bases
      .flatMap(({ ids }) => ids)
      .filter((id) => now.get(id)?.status === 'sold' || !now.has(id));
    const base = { at: began, ids: [...new Set([...own, ...kept])], isSure };
    if (isSure) Object.assign(state, { bases: [base], received: [] });
    else {
      state.bases.push(base);
      state.received.push(...rows.map(({ id = '' }) => id));
    }
  }

  /** The states that a file of sales may begin with; undefined if there are none. */
  #firstOf(
    bases: readonly Base[],
    start: number | null,
    allowed: readonly { at: number }[],
    isSince: boolean,
  ): Base[] | undefined {
    if (bases.some(({ isSure }) => isSure) || start === null) return [...bases];
    const known =
      bases.length > 0
        ? bases
        : isSince
          ? allowed.map(({ at }) => ({ at, ids: soldIn(this.#truth.at(at)), isSure: false }))
          : [];
    const found = known.filter(({ at }) => isAbout(at, start));
    return found.length === 0 ? undefined : found;
  }

  #judgeSold(
    rows: readonly Record<string, string>[],
    own: readonly string[],
    { from, received }: { from: readonly Base[]; received: readonly string[] },
    [began, at]: readonly [number, number],
    isFiltered: boolean,
  ): void {
    const ids = rows.map(({ id = '' }) => id);
    if (new Set(ids).size < ids.length) this.#say('an item is listed twice');
    const sure = from.filter(({ isSure }) => isSure);
    for (const id of own) {
      const isListed = ids.includes(id);
      const mustBe =
        (sure.length > 0 ? sure : from).every((base) => !base.ids.includes(id)) && !received.includes(id);
      const mayBe = from.some((base) => !base.ids.includes(id));
      if (isListed ? !mayBe : mustBe)
        this.#say(`the sale of ${id} is ${isListed ? 'listed again' : 'in no file'}`);
    }
    for (const row of rows) {
      const { id = '', _became_after: after = '', _became_by: by = '' } = row;
      if (!own.includes(id)) this.#say(`${id} was not sold`);
      if (!(Date.parse(by) >= began && Date.parse(by) <= at)) this.#say(`${id} was seen as sold at ${by}`);
      if (after === '' ? !isFiltered : !mayBecomeSold(this.#truth, id, Date.parse(after), Date.parse(by)))
        this.#say(`${id} was not sold between ${after} and ${by}`);
      if (after !== '' && !from.some((base) => isAbout(base.at, Date.parse(after))))
        this.#say(`nobody looked at ${after}`);
    }
    this.sold += rows.length;
  }

  /** Each row shows its item as it is. */
  #judgeRows(rows: readonly Record<string, string>[], now: State): void {
    for (const row of rows) {
      const item = now.get(row['id'] ?? '');
      if (item !== undefined && shapeOf(row) !== shapeOf(asRow(item)))
        this.#say(`${JSON.stringify(row)} is not ${JSON.stringify(item)}`);
      if (item === undefined && row['_change'] !== 'left') this.#say(`${JSON.stringify(row)} is no item`);
    }
  }

  #judgeNeeded(rows: readonly Record<string, string>[], before: State, now: State): void {
    for (const { id = '', _change } of rows)
      if (JSON.stringify(before.get(id)) === JSON.stringify(now.get(id)))
        this.#say(`${id} has not changed, and is "${_change}"`);
  }

  /** Whoever applies each file has what is there. */
  #apply(
    rows: readonly Record<string, string>[],
    copy: Map<string, string>,
    now: State,
    own: readonly string[],
  ): void {
    for (const row of rows)
      if (row['_change'] === 'left') copy.delete(row['id'] ?? '');
      else copy.set(row['id'] ?? '', shapeOf(row));
    const have = [...copy.values()].sort();
    const wanted = own.map((id) => shapeOf(asRow(now.get(id) as Item))).sort();
    if (have.join('\n') !== wanted.join('\n'))
      this.#say(`the files result in\n${have.join('\n')}\nand there is\n${wanted.join('\n')}`);
  }

  async #try<T>(
    ledger: Ledger,
    after: number | null,
    command: (deps: ReportDeps) => Promise<T>,
  ): Promise<Outcome<T>> {
    const { values, isDead } = dying(ledger.values, after ?? Number.POSITIVE_INFINITY);
    try {
      return { made: await command({ client: this.#client, values, clock: this.#clock }) };
    } catch (error) {
      if (isDead()) return { died: true };
      if (error instanceof ShelfliftError) return { refused: error.code };
      this.#say(`it ended with a defect: ${String((error as Error).stack)}`);
      return { died: true };
    }
  }

  /** Only what nobody knows may be refused. */
  #mayRefuse(outcome: { refused: string } | { died: true }, isKnown: boolean): void {
    if ('refused' in outcome && (isKnown || outcome.refused !== 'no_reading'))
      this.#say(`it was refused: ${outcome.refused}`);
  }

  async #manifest(file: string): Promise<{ manifest: Manifest; at: number; from: number }> {
    const { problems } = await verifyExport(file);
    if (problems.length > 0) this.#say(problems.join(' '));
    const manifest = JSON.parse(await readFile(`${file}.manifest.json`, 'utf8')) as Manifest;
    if (manifest.consistency !== 'stable') this.#say('nothing has moved');
    return { manifest, at: Date.parse(manifest.endedAt), from: Date.parse(manifest.startedAt) };
  }

  async #tables(file: string, ending: string): Promise<Tables> {
    const content = await readFile(file);
    if (ending === 'xlsx') return workbookTables(content);
    return ending === 'csv' ? figuresIn(content.toString()) : pageTables(content.toString());
  }

  #same(
    what: string,
    found: readonly Line[] | undefined,
    expected: readonly Line[],
    form = (line: Line) => line,
  ): void {
    const text = (lines: readonly Line[]) =>
      lines
        .map(form)
        .map(({ currency, cells }) => `${currency}|${cells.join('|')}`)
        .sort()
        .join('\n');
    // A section without rows may be left out.
    const [is, wanted] = [text(found ?? []), text(expected)];
    if (is !== wanted) this.#say(`${what} has\n${is}\nand not\n${wanted}`);
  }

  #figures(expected: readonly Figure[], { figures = [] }: Manifest): void {
    for (const [label, currency, wanted] of expected) {
      const found = figures.find((each) => each.label === label && (each.currency ?? '') === currency);
      if (found === undefined || shown(found.value, currency) !== wanted)
        this.#say(`${label} ${currency} is ${found?.value}, not ${wanted}`);
    }
  }

  #chosen(chosen: Filter): Omit<Selection, 'collection'> & { collection?: string } {
    const { collection, ...rest }: Selection = FILTERS[chosen];
    return {
      ...rest,
      ...(collection === undefined ? {} : { collection: this.#collections[collection] ?? '' }),
    };
  }

  #select(time: number, chosen: Filter): Item[] {
    return [...this.#truth.at(time).values()].filter((item) =>
      CHOOSES[chosen](item, this.#collections[1] ?? ''),
    );
  }

  readonly #nameOf = (id: string): string => {
    const at = this.#collections.indexOf(id);
    return at === 0 ? this.#first : `Books (${id.slice(0, 8)})`;
  };

  #file(ending: string): string {
    this.#count += 1;
    return join(this.#at.folder, `${this.#count}.${ending}`);
  }

  #say(what: string): void {
    this.violations.push(`${this.now}: ${what}`);
  }
}

interface Manifest {
  startedAt: string;
  endedAt: string;
  comparedWith: string | null;
  consistency: string;
  figures?: { label: string; value: string | null; currency?: string }[];
  changes?: { since: string | null; left: number };
}

/** No system has so many processes. */
let nobody = 2 ** 30;

/** A store whose process dies after some writes: what it has written is that of a process that is not there. */
function dying(values: KeyValues, after: number): { values: KeyValues; isDead: () => boolean } {
  if (after === Number.POSITIVE_INFINITY) return { values, isDead: () => false };
  let left = after;
  const own = (nobody += 1);
  // Values are JSON within JSON.
  const swapped = (text: string, from: number, to: number) =>
    text.replaceAll(new RegExp(`(pid\\\\*":)${from}\\b`, 'g'), `$1${to}`);
  const there = <T>(given: T): T =>
    given === undefined ? given : (JSON.parse(swapped(JSON.stringify(given), process.pid, own)) as T);
  const back = <T>(given: T): T =>
    given === undefined ? given : (JSON.parse(swapped(JSON.stringify(given), own, process.pid)) as T);
  const isWrite = (name: string) => /^(put|replace|remove)/.test(name);
  const mortal = new Proxy(values, {
    get(target, name: keyof KeyValues) {
      return async (...given: unknown[]) => {
        if (isWrite(name) && left > 0) left -= 1;
        else if (isWrite(name) || left < 0) {
          left = -1;
          throw new Error('it dies here');
        }
        const method = target[name] as (...some: unknown[]) => Promise<unknown>;
        return back(await method.apply(target, there(given)));
      };
    },
  });
  return { values: mortal, isDead: () => left < 0 };
}

const isAbout = (a: number | null, b: number | null) =>
  a === null || b === null ? a === b : Math.abs(a - b) < SLACK;
const soldIn = (state: State) =>
  [...state.values()].filter(({ status }) => status === 'sold').map(({ id }) => id);
const spoken = (readings: readonly ({ at: number } | null)[]) =>
  readings.map((each) => (each === null ? 'none' : new Date(each.at).toISOString())).join(' or ') || 'none';
/** A page shows times to the minute; a workbook and data show all of them. */
const minutes = ({ currency, cells }: Line): Line => ({
  currency,
  cells: cells.map((cell) => cell.replace(/^(\d{4}-\d\d-\d\dT\d\d:\d\d).*$/, '$1')),
});

const SHAPE = [
  'id',
  'name',
  'status',
  'estimated_value',
  'currency',
  'collection_id',
  'custom_fields.sold_for',
  'custom_fields.sold_at',
];
const shapeOf = (row: Record<string, string>) => SHAPE.map((field) => row[field] ?? '').join('|');

function asRow(item: Item): Record<string, string> {
  const fields = {
    ...item,
    ...Object.fromEntries(
      Object.entries(item.custom_fields ?? {}).map(([name, each]) => [`custom_fields.${name}`, each]),
    ),
  };
  return Object.fromEntries(
    Object.entries(fields).map(([field, each]) => [
      field,
      typeof each === 'string' || typeof each === 'number' ? String(each) : '',
    ]),
  );
}

function jsonRows(text: string): Record<string, string>[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => asRow(JSON.parse(line) as Item));
}
