/**
 * A month as one package: the inventory at its end, how it developed since the end of the previous month, the sold items, and
 * the sales as reported, with a cover page and a manifest for each file.
 *
 *   two readings of the inventory → roll-forward → tables and cover → manifests → one .zip
 */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { zipSync } from 'fflate';
import { MissingScopeError } from '../api/errors.ts';
import { message } from '../messages/message.ts';
import type { Message } from '../messages/params.ts';
import { isOwned } from '../api/item-words.ts';
import { saidOf, UsageError } from '../base/errors.ts';
import { commandLine } from '../export/command-line.ts';
import {
  distanceOf,
  EVERYTHING,
  itemsOf,
  NEAR_MS,
  nearestTo,
  type ReadItem,
  type Reading,
  Readings,
  ReadingTaker,
} from '../export/keep/readings.ts';
import { keepReading, keptReadings } from '../export/keep/sales-history.ts';
import { readRows, readSales, whenRead } from '../export/read/read-rows.ts';
import { ExportSource } from '../export/read/source.ts';
import { teamOf } from '../export/read/team.ts';
import { checkRequest } from '../export/request.ts';
import {
  PREMISES,
  type ReportManifest,
  recordedPeriod,
  warned,
  writeManifest,
} from '../export/verify/manifest.ts';
import { ListMovedError } from '../listing/every-item.ts';
import { VERSION } from '../packaged/version.ts';
import { inventoryOf } from './inventory.ts';
import type { Report, Section } from './model.ts';
import { itemTables, rollForwardSections, stepsOf } from './month-sections.ts';
import { checkOver, daysText, type Period, periodOf, placeTime, readingNear } from '../export/keep/period.ts';
import { resolveReport } from './read.ts';
import { type ReportDeps, type ReportSummary, writeReport, writeWhole } from './report.ts';
import { checkCurrency, MonthOptions } from './request.ts';
import { type Comparison, compare, sumKnown } from './roll-forward.ts';
import { readingsOf, salesReport } from './sales.ts';
import { machineText } from './value-text.ts';
import { hashFigures, writeTable } from './write-csv.ts';

export interface MonthRequest {
  /** `2026-10`, a month that has ended. */
  month: string;
  /** Path of the .zip. */
  out: string;
  /** Currency of the sales summary, which the API does not name. */
  currency?: string;
  /** Default: this machine's. */
  timeZone?: string;
}

/**
 * Reads the inventory if the month has just ended; otherwise, uses the readings of the store.
 *
 * @throws UsageError `bad_period`, `bad_zone`, `bad_currency`, `unknown_format`, `cannot_write`, `period_not_over`,
 *   `no_reading`; ListMovedError; ApiError
 */
export async function writeMonth(request: MonthRequest, deps: ReportDeps): Promise<ReportSummary> {
  const period = periodOf(request.month, 'month', request.timeZone);
  const currency = checkCurrency('sales', request.currency);
  if (!request.out.toLowerCase().endsWith('.zip'))
    throw new UsageError('unknown_format', message('month_not_zip', { file: request.out }));
  const reading = await checkRequest({ resource: 'items', out: request.out, format: 'csv' });
  await using source = new ExportSource(deps);
  checkOver(period, source.clock.now());
  const { values } = deps;
  if (values === undefined) throw new UsageError('no_reading', message('month_needs_store', {}));
  const command = commandLine('report month', [MonthOptions], { ...request });
  const { query, namesKnown } = await resolveReport({ reading }, source);
  const { team } = query;
  const owner = { target: deps.client.target, team };
  const readings = await Readings.open(values, { ...owner, selection: EVERYTHING });
  const { opening, closing, fresh } = await endsOf(period, readings, query, source);
  const sales = await salesOf(period, owner, deps, source);

  const items = await Array.fromAsync(itemsOf(closing));
  // Stored before the file is written: after a failure, perhaps days later, the same readings make the same package.
  if (fresh) await readings.keep(closing, false);
  await readings.setEndOfMonth(period.end, closing.at);
  if (opening !== undefined) await readings.setEndOfMonth(period.start, opening.at);
  if (sales.fresh !== undefined) await keepReading(values, owner, sales.fresh);
  const comparison =
    opening === undefined ? undefined : await compare(opening, items, (status) => isOwned({ status }));
  const warnings = [
    ...(namesKnown ? [] : [message('collections_by_id', {})]),
    ...(comparison === undefined
      ? [
          message('month_without_opening', {
            at: placeTime(period.start, period.timeZone),
            days: daysText((await withItems(readings)).map(({ at }) => at.slice(0, 10))),
          }),
        ]
      : []),
    ...sales.warnings,
  ];
  const report = reportOf(
    { period, opening, closing, comparison, items, warnings, sales: sales.kept, currency },
    {
      names: query.collectionNames,
      apiUrl: deps.client.apiUrl,
    },
  );
  const { explanation } = report;
  const about: Omit<ReportManifest, 'file' | 'format' | 'bytes' | 'sha256' | 'dataSha256' | 'rows'> = {
    manifest: 1,
    shelflift: VERSION,
    report: 'month',
    command,
    figures: report.cover.figures.map(({ label, value, kind, currency: code }) => ({
      label,
      value: value === null ? null : machineText(value, kind, code),
      kind,
      ...(code === undefined ? {} : { currency: code }),
    })),
    period: recordedPeriod(period),
    comparedWith: comparison?.at ?? null,
    ...(comparison === undefined ? {} : { steps: stepsOf(comparison) }),
    filters: {},
    team: teamOf(team),
    premise: PREMISES.items,
    explanation,
    ...whenRead(source, undefined),
    startedAt: closing.startedAt,
    endedAt: closing.at,
    consistency: 'stable',
    passes: 1,
    ...warned(warnings),
  };
  const written = await writePackage(reading.file, report, about);
  return {
    ...written,
    report: 'month',
    format: 'zip',
    rows: closing.items,
    consistency: 'stable',
    passes: 1,
    comparedWith: comparison?.at ?? null,
  };
}

async function withItems(readings: Readings): Promise<Reading[]> {
  return (await readings.all()).filter(({ pieces }) => pieces !== undefined);
}

/**
 * The readings at the two ends of the month: the readings of the reports of this month and the last one, or else the
 * nearest. Later readings are farther from a month that has ended, so the choice does not change.
 */
async function endsOf(
  { start, end, timeZone }: Period,
  readings: Readings,
  query: Awaited<ReturnType<typeof resolveReport>>['query'],
  source: ExportSource,
): Promise<{ opening: Reading | undefined; closing: Reading; fresh: boolean }> {
  const all = await withItems(readings);
  const opening = (await readings.endOfMonth(start)) ?? nearestTo(all, start, (each) => each);
  const known = (await readings.endOfMonth(end)) ?? nearestTo(all, end, (each) => each);
  const distance = known === undefined ? NEAR_MS : distanceOf(known, end);
  if (source.clock.now() - end < distance)
    return { opening, closing: await readNow(query, source), fresh: true };
  const closing = known ?? readingNear(all, end, timeZone, (each) => each);
  return { opening, closing, fresh: false };
}

async function readNow(
  query: Awaited<ReturnType<typeof resolveReport>>['query'],
  source: ExportSource,
): Promise<Reading> {
  const taker = new ReadingTaker(true);
  await using rows = await readRows(query, source, { sink: taker });
  if (rows.reading.consistency === 'moved') throw new ListMovedError(rows.reading.explanation);
  const at = new Date(source.clock.now()).toISOString();
  return taker.reading({ startedAt: source.startedAt, at, team: query.team });
}

/** The readings of the sales summary in the month, with a new one if the month has just ended. */
async function salesOf(
  period: Period,
  owner: Parameters<typeof keptReadings>[1],
  { values }: ReportDeps,
  source: ExportSource,
) {
  const before = values === undefined ? [] : await keptReadings(values, owner);
  const isNear = source.clock.now() - period.end <= NEAR_MS;
  try {
    const fresh = isNear ? await readSales(source) : undefined;
    const all = fresh === undefined ? before : [...before, fresh];
    try {
      return { kept: readingsOf(period, all), fresh, warnings: [] };
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      return { kept: undefined, fresh, warnings: [message('month_sales_unknown', { why: saidOf(error) })] };
    }
  } catch (error) {
    if (!(error instanceof MissingScopeError)) throw error;
    return { kept: undefined, fresh: undefined, warnings: [message('sales_not_permitted', {})] };
  }
}

interface Month {
  period: Period;
  opening: Reading | undefined;
  closing: Reading;
  comparison: Comparison | undefined;
  /** All items at the end. */
  items: readonly ReadItem[];
  warnings: readonly Message[];
  sales: ReturnType<typeof readingsOf> | undefined;
  currency: string | undefined;
}

/** The content of the package: its cover, and its tables by file name. */
interface MonthReport {
  cover: Report;
  tables: readonly (readonly [file: string, section: Section])[];
  explanation: string;
}

function reportOf(
  { period, opening, closing, comparison, items, warnings, sales, currency }: Month,
  { names, apiUrl }: { names: ReadonlyMap<string, string>; apiUrl: string },
): MonthReport {
  const { start, end, timeZone, name } = period;
  const tables = itemTables(items, comparison, names);
  const flows = comparison === undefined ? [] : rollForwardSections(comparison, names);
  const inventory = inventoryOf(closing, names);
  const shown = sales === undefined ? undefined : salesReport(sales, currency, period);
  const sold = (shown?.sections ?? []).map((section) => ({
    ...section,
    id: `sales_${section.id}`,
    title: `Sales: ${section.title}`,
  }));
  const currencies = comparison === undefined ? [] : [...comparison.currencies];
  const explanation = `The inventory was read completely from ${closing.startedAt} to ${closing.at}, the reading nearest to the end of the month (${placeTime(end, timeZone)}).`;
  const cover: Report = {
    name: 'month',
    title: `Month ${name}`,
    at: closing.at,
    facts: [
      ['Read from', apiUrl],
      ['Period', `${placeTime(start, timeZone)} to ${placeTime(end, timeZone)}`],
      ['Completeness', explanation],
      ['Written by', `shelflift ${VERSION}`],
    ],
    warnings,
    figures: [
      ...currencies.map(([code, { opening }]) => ({
        key: 'opening_value',
        label: 'Opening value',
        value: sumKnown(opening),
        kind: 'money' as const,
        currency: code,
      })),
      ...inventory.figures.map((figure) =>
        figure.key === 'value' ? { ...figure, key: 'closing_value', label: 'Closing value' } : figure,
      ),
      ...(comparison === undefined
        ? []
        : [
            {
              key: 'items_sold',
              label: 'Items sold in the month',
              value: currencies.reduce((sum, [, flow]) => sum - flow.step('sold').items, 0),
              kind: 'count' as const,
            },
          ]),
      ...(shown?.figures ?? []),
    ],
    sections: [
      ...flows,
      ...inventory.sections,
      ...tables.filter(([file]) => file !== 'inventory.csv').map(([, section]) => section),
      ...sold,
      readingsSection(opening, closing),
    ],
  };
  return {
    cover,
    tables: [
      ...tables,
      ...flows.map((section): [string, Section] => [`${section.id.replaceAll('_', '-')}.csv`, section]),
      ...sold
        .filter(({ id }) => ['sales_period', 'sales_period_counts', 'sales_restatements'].includes(id))
        .map((section): [string, Section] => [`${section.id.replaceAll('_', '-')}.csv`, section]),
    ],
    explanation,
  };
}

function readingsSection(opening: Reading | undefined, closing: Reading): Section {
  const row = (key: string, title: string, { startedAt, at, items }: Reading) => ({
    key,
    values: [title, startedAt, at, items],
  });
  return {
    id: 'readings',
    title: 'What the figures stand on',
    notes: [
      'Each reading was complete: the list was counted after it was read. All items count, sold and archived ones too.',
    ],
    columns: [
      { key: 'reading', title: 'Reading', kind: 'text' },
      { key: 'from', title: 'From', kind: 'time' },
      { key: 'to', title: 'To', kind: 'time' },
      { key: 'items', title: 'Items', kind: 'count' },
    ],
    blocks: [
      {
        currency: undefined,
        rows: [
          ...(opening === undefined ? [] : [row('opening', 'Opening', opening)]),
          row('closing', 'Closing', closing),
        ],
      },
    ],
    empty: '',
  };
}

type About = Omit<ReportManifest, 'file' | 'format' | 'bytes' | 'sha256' | 'dataSha256' | 'rows'>;

/** Writes tables, cover and manifests into a private folder, and then the .zip and its manifest. */
async function writePackage(
  file: string,
  { cover, tables }: MonthReport,
  about: About,
): Promise<Pick<ReportSummary, 'file' | 'bytes' | 'sha256' | 'manifest'>> {
  const folder = await mkdtemp(join(tmpdir(), 'shelflift-month-'));
  try {
    const files: { name: string; rows: number; sha256: string }[] = [];
    for (const [name, section] of tables) {
      const { rows, sha256 } = await writeTable(section, join(folder, name));
      await proof(
        join(folder, name),
        'csv',
        { rows, sha256, dataSha256: hashFigures({ sections: [section] }) },
        about,
      );
      files.push({ name, rows, sha256 });
    }
    const whole: Report = { ...cover, sections: [...cover.sections, filesSection(files)] };
    const dataSha256 = hashFigures(cover);
    for (const format of ['html', 'xlsx'] as const) {
      const name = join(folder, `cover.${format}`);
      const { sha256 } = await writeReport(whole, format, name, undefined);
      await proof(name, format, { rows: files.length, sha256, dataSha256 }, about);
    }
    const entries = await Promise.all(
      (await readdir(folder)).sort().map(async (name) => [name, await readFile(join(folder, name))] as const),
    );
    const { sha256 } = await writeWhole(
      file,
      zipSync(Object.fromEntries(entries), { mtime: new Date(cover.at), level: 6 }),
    );
    const { bytes, manifest } = await proof(file, 'zip', { rows: files.length, sha256, dataSha256 }, about);
    return { file, bytes, sha256, manifest };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Writes the manifest beside a file. */
function proof(
  file: string,
  format: ReportManifest['format'],
  written: Pick<ReportManifest, 'rows' | 'sha256' | 'dataSha256'>,
  about: About,
): Promise<{ bytes: number; manifest: string }> {
  return writeManifest(file, (bytes) => ({ ...about, file: basename(file), format, bytes, ...written }));
}

function filesSection(files: readonly { name: string; rows: number; sha256: string }[]): Section {
  return {
    id: 'files',
    title: 'Files of this package',
    notes: ['A manifest beside each file has its checksum, the figures, and how complete they are.'],
    columns: [
      { key: 'file', title: 'File', kind: 'text' },
      { key: 'rows', title: 'Rows', kind: 'count' },
      { key: 'sha256', title: 'SHA-256', kind: 'text' },
    ],
    blocks: [
      {
        currency: undefined,
        rows: files.map(({ name, rows, sha256 }) => ({ key: name, values: [name, rows, sha256] })),
      },
    ],
    empty: '',
  };
}
