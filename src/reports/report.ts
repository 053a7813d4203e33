/**
 * A report, from the API to a file:
 *
 *   request → reading (export's) → figures (inventory, listings, sales) → file → data in the store for the next report
 *
 * Nothing appears before it is complete, and the store changes only when the file is in place.
 */
import { basename } from 'node:path';
import type { Item } from '../api/schemas.ts';
import type { ExportDeps } from '../export/export.ts';
import {
  EVERYTHING,
  isNearTurn,
  type ReadingPlace,
  Readings,
  ReadingTaker,
} from '../export/keep/readings.ts';
import { keepReading, keptReadings } from '../export/keep/sales-history.ts';
import type { RowSink } from '../export/keep/kept-rows.ts';
import { readRows, readSales, type Rows, whenRead } from '../export/read/read-rows.ts';
import { ExportSource } from '../export/read/source.ts';
import { selectionOf as recordOf } from '../export/query.ts';
import { markOf, teamOf } from '../export/read/team.ts';
import {
  PREMISES,
  type ReportManifest,
  writeManifest,
  recordedPeriod,
  warned,
} from '../export/verify/manifest.ts';
import { defined } from '../base/defined.ts';
import { CUSTOM_PREFIX } from '../mapping/custom-prefix.ts';
import { english, message } from '../messages/message.ts';
import type { Message } from '../messages/params.ts';
import { VERSION } from '../packaged/version.ts';
import type { SalesReading } from '../export/row.ts';
import { facts, noted, warnings } from './about.ts';
import { Inventory, inventoryOf } from './inventory.ts';
import { listingsReport } from './listings.ts';
import type { Report, ReportName } from './model.ts';
import { readListed, resolveReport } from './read.ts';
import { type CheckedReport, checkReport, type ReportFormat, type ReportRequest } from './request.ts';
import { checkOver, type Period, placeTime, readingNear } from '../export/keep/period.ts';
import { compare } from './roll-forward.ts';
import { readingsOf, salesReport } from './sales.ts';
import { currencyText, machineText, timeText } from './value-text.ts';
import { hashFigures, writeCsv } from './write-csv.ts';

/** `values` also keeps snapshots and readings between reports; without it, there is nothing to compare with. */
export type ReportDeps = ExportDeps;

/** Paths are absolute. */
export interface ReportSummary {
  file: string;
  report: ReportName | 'month';
  format: ReportManifest['format'];
  /** Number of items or listings (in the requested currency), or of sales readings, in the report. */
  rows: number;
  consistency: 'stable' | 'moved';
  passes: number;
  bytes: number;
  sha256: string;
  manifest: string;
  /** When the inventory for comparison was read; null if there is none. */
  comparedWith: string | null;
  /** With a `run`: pass it to markReported after the delivery. */
  shown?: ReadingPlace;
}

/** The data that was read and built, and the function that stores it once the file is in place. */
interface Built {
  report: Report<ReportName>;
  rows: number;
  consistency: 'stable' | 'moved';
  passes: number;
  comparedWith: string | null;
  about: Pick<ReportManifest, 'filters' | 'team' | 'premise' | 'explanation'>;
  /** The data that an interrupted run had read. */
  resumed?: Rows['resumed'];
  /** When the data was read, if that was before this run. */
  read?: Pick<ReportManifest, 'startedAt' | 'endedAt'> | undefined;
  /** @returns the reading that the report shows, if the next one is to be compared with it */
  keep: () => Promise<ReadingPlace | undefined>;
}

/** A report and how its data was read; `written` if it was also written to a file. */
export interface MadeReport extends Omit<Built, 'keep' | 'about' | 'resumed' | 'read'> {
  written?: { file: string; format: ReportFormat; bytes: number; sha256: string; manifest: string };
  /** With a `run`: pass it to markReported after the delivery. */
  shown?: ReadingPlace;
}

/**
 * @throws UsageError before anything is read (see checkReport); ApiError if an outage lasts longer than `patience`
 */
export async function makeReport(request: ReportRequest, deps: ReportDeps): Promise<MadeReport> {
  const checked = await checkReport(request);
  await using source = new ExportSource(deps);
  const { keep, about, resumed, read, ...built } = await BUILDERS[checked.report](checked, source, deps);
  const { format } = checked;
  const written =
    format === undefined
      ? {}
      : { written: await writeFiles(checked, format, { ...built, about, resumed, read }, source) };
  const shown = await keep();
  return { ...built, ...written, ...(deps.run === undefined ? {} : defined({ shown })) };
}

/** Writes the file, then its manifest. */
async function writeFiles(
  { command, reading: { file }, locale, period }: CheckedReport,
  format: ReportFormat,
  { report, rows, consistency, passes, comparedWith, about, resumed, read }: Omit<Built, 'keep'>,
  source: ExportSource,
): Promise<NonNullable<MadeReport['written']>> {
  const { sha256 } = await writeReport(report, format, file, locale);
  const { manifest, bytes } = await writeManifest(file, (size) => ({
    manifest: 1,
    shelflift: VERSION,
    report: report.name,
    file: basename(file),
    command,
    format,
    bytes: size,
    sha256,
    dataSha256: hashFigures(report),
    rows,
    figures: report.figures.map(({ label, value, kind, currency }) => ({
      label,
      value: value === null ? null : machineText(value, kind, currency),
      kind,
      ...(currency === undefined ? {} : { currency }),
    })),
    ...(period === undefined ? {} : { period: recordedPeriod(period) }),
    comparedWith,
    ...(comparedWith === null ? {} : { steps: stepsOf(report) }),
    ...about,
    ...whenRead(source, resumed),
    ...read,
    consistency,
    passes,
    ...warned([...source.warnings, ...report.warnings]),
  }));
  return { file, format, bytes, sha256, manifest };
}

/** @throws as makeReport */
export async function writeReportFile(
  request: ReportRequest & { out: string },
  deps: ReportDeps,
): Promise<ReportSummary> {
  const { report, written, ...read } = await makeReport(request, deps);
  if (written === undefined) throw new Error('a report with a file was not written');
  return { ...written, report: report.name, ...read };
}

/** The rows of the section `changes`, for the manifest. */
function stepsOf({ sections }: Report): NonNullable<ReportManifest['steps']> {
  const { blocks = [] } = sections.find(({ id }) => id === 'changes') ?? {};
  return blocks.flatMap(({ currency = '', rows }) =>
    rows.map(({ key, values: [, items = null, value = null] }) => ({
      currency,
      step: key,
      items: items === null ? null : Number(items),
      value: value === null ? null : machineText(value, 'money', currency),
    })),
  );
}

/** The inventory at the end of a day: only the names of collections are read. */
async function asOf(
  checked: CheckedReport,
  { end, timeZone, name }: Period,
  { query, namesKnown }: Awaited<ReturnType<typeof resolveReport>>,
  readings: Readings | undefined,
  { api: { apiUrl } }: ExportSource,
): Promise<Built> {
  const reading = readingNear((await readings?.all()) ?? [], end, timeZone, (each) => each);
  const { at, startedAt, items } = reading;
  const explanation = `The reading nearest to the end of ${name}, ${placeTime(end, timeZone)}. It was complete.`;
  return {
    rows: items,
    consistency: 'stable',
    passes: 1,
    comparedWith: null,
    about: { ...recordOf(query), premise: PREMISES.items, explanation },
    read: { startedAt, endedAt: at },
    report: {
      name: 'inventory',
      title: `Inventory at the end of ${name}`,
      at,
      facts: facts(checked, apiUrl, explanation),
      warnings: warnings({ complete: true, namesKnown, others: 0, checked }),
      ...inventoryOf(reading, query.collectionNames),
    },
    keep: async () => undefined,
  };
}

type Builder = (checked: CheckedReport, source: ExportSource, deps: ReportDeps) => Promise<Built>;

const BUILDERS: Record<CheckedReport['report'], Builder> = {
  async inventory(checked, source, deps) {
    const resolved = await resolveReport(checked, source);
    const { query, namesKnown } = resolved;
    if (checked.period !== undefined) checkOver(checked.period, source.clock.now());
    const { team } = query;
    const owner = {
      target: deps.client.target,
      selection: selectionOf(checked, query.collectionId),
      team,
    };
    const readings = deps.values === undefined ? undefined : await Readings.open(deps.values, owner);
    if (checked.period !== undefined) return asOf(checked, checked.period, resolved, readings, source);
    const empty = () => new Inventory(query.collectionNames, checked.currency, checked.by);
    let inventory = empty();
    // Added while they are read: parsing them again from the store took an eighth of a report's time.
    const sink: RowSink = {
      async add(items) {
        for (const item of items) inventory.add(item);
      },
      async reset() {
        inventory = empty();
      },
    };
    // A report of some items also reads them all.
    const every =
      deps.run === undefined || owner.selection === EVERYTHING
        ? undefined
        : new ReadingTaker(isNearTurn(source.clock.now()));
    await using rows = await readRows(query, source, { values: deps.values, sink, every });
    const at = new Date(source.clock.now()).toISOString();
    await rows.done();
    const { consistency, passes } = rows.reading;
    const explanation = english(rows.reading.explanation);
    const began = rows.resumed?.startedAt;
    const before = await readings?.lastReported();
    const comparison = before === undefined ? undefined : await compare(before, inventory.reading.items);
    const complete = consistency === 'stable';
    const { others } = inventory;
    for (const field of checked.by) {
      const name = field.startsWith(CUSTOM_PREFIX) ? field.slice(CUSTOM_PREFIX.length) : undefined;
      if (name !== undefined && !rows.customFields.has(name))
        source.warn(message('no_item_has_field', { field, others: [], more: false }));
    }
    if (checked.currency !== undefined && others === rows.count && others > 0) {
      source.warn(noneOf(checked.currency, others));
    }
    return {
      rows: rows.count - others,
      consistency,
      passes,
      comparedWith: comparison?.at ?? null,
      about: { ...recordOf(query), premise: PREMISES.items, explanation },
      resumed: rows.resumed,
      report: {
        name: 'inventory',
        title: 'Inventory',
        at,
        facts: facts(
          checked,
          deps.client.apiUrl,
          began === undefined
            ? explanation
            : `${explanation} Reading began at ${timeText(began)} and continued after an interruption.`,
        ),
        warnings: warnings({ complete, namesKnown, others, checked }),
        figures: inventory.figures,
        sections: noted(inventory.sections(comparison, complete)),
      },
      keep: async () => {
        // A list that changed may lack items, and the next report would call them new.
        if (!complete) return undefined;
        const about = { startedAt: began ?? source.startedAt, at, team };
        const shown = await readings?.keep(inventory.reading.reading(about), deps.run === undefined);
        if (every === undefined || deps.values === undefined || !rows.isWhole) return shown;
        const all = await Readings.open(deps.values, { ...owner, selection: EVERYTHING });
        await all.keep(every.reading(about), false);
        return shown;
      },
    };
  },

  async listings(checked, source, deps) {
    const { query, namesKnown } = await resolveReport(checked, source);
    const read = await readListed(query, source);
    const at = source.clock.now();
    const wanted = (item: Item) =>
      checked.currency === undefined || item.currency.toLowerCase() === checked.currency;
    const listings = read.listings.filter(wanted);
    const others = read.listings.length - listings.length;
    if (checked.currency !== undefined && listings.length === 0 && others > 0) {
      source.warn(noneOf(checked.currency, others));
    }
    const forSale = read.forSale && new Map([...read.forSale].filter(([, item]) => wanted(item)));
    const { figures, sections } = listingsReport({
      listings,
      forSale,
      collections: query.collectionNames,
      by: checked.by,
      nowMs: at,
    });
    return {
      rows: listings.length,
      consistency: read.consistency,
      passes: read.passes,
      comparedWith: null,
      about: { ...recordOf(query), premise: PREMISES.listings, explanation: read.explanation },
      report: {
        name: 'listings',
        title: 'Listings',
        at: new Date(at).toISOString(),
        facts: facts(checked, deps.client.apiUrl, read.explanation),
        warnings: warnings({
          complete: read.consistency === 'stable',
          namesKnown,
          others,
          checked,
        }),
        figures,
        sections: noted(sections),
      },
      keep: async () => undefined,
    };
  },

  async sales(checked, source, deps) {
    const team = await markOf(source);
    const owner = { target: deps.client.target, team };
    const before = deps.values === undefined ? [] : await keptReadings(deps.values, owner);
    const { period } = checked;
    if (period !== undefined) checkOver(period, source.clock.now());
    const fresh = period === undefined ? [await readSales(source)] : [];
    const shown = period === undefined ? [...before, ...fresh] : readingsOf(period, before);
    const reading = shown[shown.length - 1] as SalesReading;
    const { figures, sections } = salesReport(shown, checked.currency, period);
    const explanation = english(message('summary_in_one_response', {}));
    return {
      rows: shown.length,
      consistency: 'stable',
      passes: 1,
      comparedWith: shown.at(period === undefined ? -2 : 0)?.reported_at ?? null,
      about: {
        filters: {},
        team: teamOf(team),
        premise: PREMISES.sales,
        explanation,
      },
      report: {
        name: 'sales',
        title: 'Sales',
        at: reading.reported_at,
        facts: facts(checked, deps.client.apiUrl, explanation),
        warnings: [],
        figures,
        sections,
      },
      keep: async () => {
        if (deps.values !== undefined && period === undefined) await keepReading(deps.values, owner, reading);
        return undefined;
      },
    };
  },
};

/** The API has no list of currencies, so a mistyped code cannot be detected earlier. */
function noneOf(currency: string, others: number): Message {
  return message('no_item_in_currency', { currency: currencyText(currency), others });
}

function selectionOf({ reading, currency }: CheckedReport, collection: string | undefined): string {
  const statuses = reading.statuses === undefined ? undefined : [...reading.statuses].sort();
  const where = reading.where.map((expression) => expression.text).sort();
  // Left out if empty: snapshots of older versions keep their name.
  return JSON.stringify({ statuses, collection, currency, ...(where.length === 0 ? {} : { where }) });
}

/**
 * Writes a report in the requested format. The file appears, complete, when the promise resolves; on an error
 * nothing changes.
 */
export async function writeReport(
  report: Report,
  format: ReportFormat,
  file: string,
  locale: string | undefined,
): Promise<{ sha256: string }> {
  if (format === 'csv') return writeCsv(report, file, locale);
  if (format === 'html') {
    const { htmlPage } = await import('./html/page.ts');
    return writeWhole(file, htmlPage(report, locale));
  }
  const { workbook } = await import('./xlsx/workbook.ts');
  return writeWhole(file, await workbook(report));
}

export async function writeWhole(file: string, content: string | Uint8Array): Promise<{ sha256: string }> {
  const { openAtomicFile } = await import('../sheets/atomic-file.ts');
  const target = await openAtomicFile(file);
  try {
    await target.write(content);
    return await target.commit();
  } catch (error) {
    await target.abort();
    throw error;
  }
}
