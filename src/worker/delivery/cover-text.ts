/**
 * The text of a mail with a file: the file's content, date and totals, and how complete it is known to
 * be. Everything comes from the manifest next to the file, so the recipient can check all of it.
 */
import { basename } from 'node:path';
import { Big } from 'big.js';
import { ITEM_STATUSES } from '../../api/item-words.ts';
import type { Manifest, ReportManifest } from '../../export/verify/manifest.ts';
import { message } from '../../messages/message.ts';
import type { Action } from '../../messages/params.ts';
import { adviceLines, type CommandOf } from '../notify/advice.ts';
import { sayIn } from '../notify/language.ts';
import { ValueFormat } from '../../reports/value-text.ts';
import type { Period } from '../schedule/file-pattern.ts';
import type { MailLanguage } from '../notify/language.ts';
import { type CoverWords, WORDS } from './cover-words.ts';

export interface Cover {
  /** The name at the target. */
  name: string;
  schedule: string;
  period: Period;
  /** The person whom the recipient may ask; undefined if the configuration names nobody. */
  contact: string | undefined;
  language: MailLanguage;
  /** How to check the file, if there is a command line. */
  command: CommandOf | undefined;
}

type Line = readonly [label: string, ...values: string[]];

export function coverText(cover: Cover, manifest: Manifest | ReportManifest): string {
  const words = WORDS[cover.language];
  const look = new Looks(cover.language, cover.period.timeZone);
  const name = basename(cover.name);
  const { start, end, timeZone } = periodOf(cover, manifest);
  const said = manifest.said?.map(sayIn(cover.language)) ?? manifest.warnings;
  const lines: Line[] = [
    [words.schedule, cover.schedule],
    [words.period, `${words.fromTo(look.time(start), look.time(end))} (${timeZone})`],
    [words.read, `${readAt(manifest, words, look)} (${timeZone}), ${manifest.apiUrl}`],
    [words.contents, ...contents(manifest, words, look)],
    [
      'report' in manifest && manifest.report === 'month' ? words.files : words.rows,
      look.count(manifest.rows),
    ],
    ...('report' in manifest ? figures(manifest, words, look) : totals(manifest, words, look)),
    ...changes(manifest, words, look),
    [words.complete, ...completeness(manifest, words, look)],
    ...(said.length === 0 ? [] : [[words.warnings, ...said] as const]),
    [words.checksum, `SHA-256 ${manifest.sha256}`],
    ...(cover.contact === undefined ? [] : [[words.questions, cover.contact] as const]),
  ];
  const width = Math.max(...lines.map(([label]) => label.length)) + 2;
  const body = lines.flatMap(([label, ...values]) =>
    values.map((value, index) => `${(index === 0 ? `${label}:` : '').padEnd(width)}${value}`),
  );
  return [name, '', ...body, '', words.proof(`${name}.manifest.json`), ...check(name, cover), ''].join('\n');
}

/** The period of the figures; without one, the period of the schedule. */
function periodOf({ period }: Cover, manifest: Manifest | ReportManifest): Period {
  const own = 'report' in manifest ? manifest.period : undefined;
  if (own === undefined) return period;
  return { start: Date.parse(own.from), end: Date.parse(own.to), timeZone: own.timeZone };
}

function check(name: string, { language, command }: Cover): string[] {
  const verify: Action = {
    do: 'run',
    label: message('to_check_file', {}),
    command: 'export verify',
    args: [name],
  };
  return adviceLines([verify], sayIn(language), command);
}

/** Numbers, amounts and times in the recipient's format. */
class Looks {
  readonly #look: ValueFormat;
  readonly #times: Intl.DateTimeFormat;

  constructor(language: MailLanguage, timeZone: string) {
    const locale = language === 'de' ? 'de-DE' : 'en-GB';
    this.#look = new ValueFormat(locale);
    this.#times = new Intl.DateTimeFormat(locale, { timeZone, dateStyle: 'long', timeStyle: 'short' });
  }

  /** @param time ms since the epoch, or ISO 8601 */
  time(time: number | string): string {
    return this.#times.format(new Date(time));
  }

  count(count: number): string {
    return this.#look.count(count);
  }

  /** @param amount plain digits */
  money(amount: string, currency: string): string {
    return `${currency === '' ? '?' : currency.toUpperCase()} ${this.#look.text(new Big(amount), 'money', currency)}`;
  }
}

function readAt({ startedAt, endedAt }: Manifest | ReportManifest, words: CoverWords, look: Looks): string {
  const [from, to] = [look.time(startedAt), look.time(endedAt)];
  return from === to ? from : words.fromTo(from, to);
}

function contents(manifest: Manifest | ReportManifest, words: CoverWords, look: Looks): string[] {
  if ('report' in manifest) {
    const { report, comparedWith, period } = manifest;
    if (report === 'sales' && period !== undefined && comparedWith !== null)
      return [words.salesFrom(look.time(comparedWith))];
    return [words.reports[report] ?? report];
  }
  const { changes: changed } = manifest;
  if (changed === undefined) return [words.resources[manifest.resource]];
  const { became, since } = changed;
  const status = became === undefined ? undefined : words.status(became);
  if (since !== null) return [words.changesSince(look.time(since), status)];
  // An empty sheet would look like a month without sales.
  return [words.startingPoint(look.time(manifest.startedAt), status)];
}

function totals(
  { values, amounts, statuses, leftOut }: Manifest,
  words: CoverWords,
  look: Looks,
): (readonly [string, ...string[]])[] {
  const sumsOf = (sums: Readonly<Record<string, string>>) =>
    Object.entries(sums).map(([currency, sum]) => look.money(sum, currency));
  const sums = amounts ?? [{ title: words.totals, totals: values ?? {} }];
  const byStatus = Object.entries(statuses ?? {})
    .sort(([a], [b]) => orderOf(a) - orderOf(b))
    .map(([status, count]) => `${words.status(status)} ${look.count(count)}`);
  return [
    ...(byStatus.length === 0 ? [] : [[words.byStatus, byStatus.join(', ')] as const]),
    ...sums.flatMap(({ title, totals: each }) =>
      Object.keys(each).length === 0 ? [] : [[title, ...sumsOf(each)] as const],
    ),
    ...(leftOut === undefined ? [] : [[words.leftOut, look.count(leftOut)] as const]),
  ];
}

function orderOf(status: string): number {
  return (ITEM_STATUSES as readonly string[]).indexOf(status);
}

function figures({ figures: all }: ReportManifest, words: CoverWords, look: Looks): Line[] {
  const textOf = ({ value, kind, currency }: (typeof all)[number]) => {
    if (value === null) return words.unknown;
    if (kind === 'money') return look.money(value, currency ?? '');
    if (kind === 'count') return look.count(Number(value));
    return kind === 'plain' ? `${value} ${words.minorUnits}` : value;
  };
  return [...Map.groupBy(all, ({ label }) => label)].map(
    ([label, each]): Line => [words.figures[label] ?? label, ...each.map(textOf)],
  );
}

function changes(manifest: Manifest | ReportManifest, words: CoverWords, look: Looks): Line[] {
  if (!('report' in manifest)) {
    const { changes: changed } = manifest;
    if (changed === undefined || changed.since === null || changed.became !== undefined) return [];
    return [[words.changed, words.counts(changed)]];
  }
  const { comparedWith, steps = [] } = manifest;
  if (comparedWith === null) return manifest.report === 'inventory' ? [[words.changed, words.first]] : [];
  const currencies = [...new Set(steps.map(({ currency }) => currency))];
  const lines = currencies.map((currency) => {
    const parts = steps.flatMap(({ currency: own, step, items, value }) => {
      const name = own === currency ? words.steps[step] : undefined;
      if (name === undefined || (!items && Number(value) === 0)) return [];
      const amount = value === null ? undefined : look.money(value, currency);
      if (items === null) return [`${name} ${amount ?? words.unknown}`];
      return [`${name} ${look.count(items)}${amount === undefined ? '' : ` (${amount})`}`];
    });
    return `${currency === '' ? '?' : currency.toUpperCase()}: ${parts.length === 0 ? words.none : parts.join('; ')}`;
  });
  return lines.length === 0 ? [] : [[words.changed, words.comparedWith(look.time(comparedWith)), ...lines]];
}

function completeness(manifest: Manifest | ReportManifest, words: CoverWords, look: Looks): string[] {
  const list = 'report' in manifest ? manifest.report : manifest.resource;
  if (manifest.consistency === 'stable') return [words.stable[list] ?? words.stable['items'] ?? ''];
  const most = 'report' in manifest ? null : manifest.seen.missingAtMost;
  return [most === null ? words.moved : `${words.moved} ${words.missingAtMost(look.count(most))}`];
}
