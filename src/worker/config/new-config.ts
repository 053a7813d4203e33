/** The text of a shelflift.yaml, with comments for the person who will change it. */
import { resolve } from 'node:path';
import { type Document, isMap, isSeq, parseDocument, type YAMLMap } from 'yaml';
import type { MailLanguage } from '../notify/language.ts';
import type { Smtp } from './schema.ts';

/** Schedules that `worker init` and the page offer. */
export const PRESETS = {
  items: {
    cron: (hour: number, minute: number) => `${minute} ${hour} * * *`,
    when: 'each day',
    task: 'export: items, out: "items-{{period.end:yyyy-MM-dd}}.csv"',
    comment: 'All items with all fields, as CSV.',
    time: '02:00',
  },
  inventory: {
    cron: (hour: number, minute: number) => `${minute} ${hour} 1 * *`,
    when: 'the first of each month',
    task: 'report: inventory, out: "inventory-{{period.start:yyyy-MM}}.xlsx"',
    comment: 'Numbers and values, as a workbook that a person reads. The name has the month before.',
    time: '01:00',
  },
  sales: {
    cron: (hour: number, minute: number) => `${minute} ${hour} 1 * *`,
    when: 'the first of each month',
    task: 'report: sales, out: "sales-{{period.start:yyyy-MM}}.xlsx"',
    comment: 'Totals, and how they changed since the month before. currency: EUR shows them as money.',
    time: '01:00',
  },
  sold: {
    cron: (hour: number, minute: number) => `${minute} ${hour} 1 * *`,
    when: 'the first of each month',
    task: 'export: items, changedSinceLast: sold, became: sold, out: "sold-{{period.start:yyyy-MM}}.xlsx"',
    comment: 'What was sold since the last delivered file. The name has the month before.',
    time: '06:00',
  },
  month: {
    cron: (hour: number, minute: number) => `${minute} ${hour} 1 * *`,
    when: 'the first of each month',
    task: 'report: month, out: "{{period.start:yyyy-MM}}.zip"',
    comment: 'One package with a cover page. The earlier on that day, the nearer to the end of the month.',
    time: '00:30',
  },
  listings: {
    cron: (hour: number, minute: number) => `${minute} ${hour} * * 1`,
    when: 'each Monday',
    task: 'export: listings, out: "listings-{{period.end:yyyy-MM-dd}}.xlsx"',
    comment: 'What is for sale or trade.',
    time: '06:00',
  },
} as const;
export type Preset = keyof typeof PRESETS;

export type Target =
  | { folder: string }
  | { email: string }
  | { rclone: string }
  | { sftp: { host: string; user: string; hostKey: string; passwordEnv: string; folder: string } };

export interface Answers {
  apiUrl: string;
  key: { keyEnv: string } | { keyFile: string };
  timeZone: string;
  schedules: { preset: Preset; hour: number; minute: number; target: Target }[];
  drop: { path: string; collection: string } | undefined;
  smtp: Pick<Smtp, 'host' | 'port' | 'tls' | 'from' | 'user' | 'passwordEnv'> | undefined;
  notify: string | undefined;
  /** Language of the mails. */
  language?: MailLanguage;
}

export function configYaml(answers: Answers): string {
  const { apiUrl, key, timeZone, schedules, drop, smtp, notify, language = 'en' } = answers;
  const parts = [
    ['# What the worker does. Check it after each change.'],
    [
      'profiles:',
      '  # Where the API is, and where its key is: never the key itself.',
      `  main: ${inline({ apiUrl, ...key })}`,
    ],
    ...(schedules.length === 0
      ? []
      : [['schedules:', ...schedules.flatMap((each) => scheduleLines(each, timeZone))]]),
    ...(drop === undefined
      ? []
      : [
          [
            'hotFolders:',
            '  # A spreadsheet that is put here is imported, and moved to done/ or failed/ with its results.',
            `  - { path: ${quoted(drop.path)}, profile: main, import: { ${drop.collection === '' ? '' : `collection: ${quoted(drop.collection)}, `}skipInvalid: true } }`,
          ],
        ]),
    ...(smtp === undefined ? [] : [['# The server that sends mail.', `smtp: ${inline(smtp)}`]]),
    ...(notify === undefined
      ? []
      : [
          [
            '# Who gets a mail when something fails, and when it works again.',
            `notify: { email: ${quoted(notify)}${language === 'en' ? '' : `, language: ${language}`} }`,
          ],
        ]),
  ];
  return `${parts.map((lines) => lines.join('\n')).join('\n\n')}\n`;
}

function scheduleLines(
  { preset, hour, minute, target }: Answers['schedules'][number],
  timeZone: string,
): string[] {
  const { cron, when, task, comment } = PRESETS[preset];
  const time = `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
  return [
    `  ${preset}:`,
    '    profile: main',
    `    cron: ${quoted(cron(hour, minute))}   # ${when}, ${time}`,
    `    timeZone: ${quoted(timeZone)}`,
    `    # ${comment}`,
    `    task: { ${task} }`,
    `    deliver: [${deliveryOf(target)}]`,
    '    catchUp: once   # if no worker ran at that time: run it once, later',
  ];
}

function deliveryOf(target: Target): string {
  if ('email' in target) return `{ email: { to: ${quoted(target.email)} } }`;
  if ('sftp' in target) return `{ sftp: ${inline(target.sftp)} }`;
  return inline(target);
}

function inline(fields: Record<string, string | number | undefined>): string {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return `{ ${given.map(([key, value]) => `${key}: ${JSON.stringify(value)}`).join(', ')} }`;
}

/** Quotes as JSON does, because JSON is YAML. */
function quoted(text: string): string {
  return JSON.stringify(text);
}

/**
 * A configuration with more schedules and folders. Existing comments and entries stay. A name that is taken gets a
 * number, and a profile with this address and key is used.
 *
 * @param text valid, or empty
 * @param folder of the file: where its relative paths start
 */
export function withMore(text: string, answers: Answers, folder: string): string {
  const made = configYaml(answers);
  if (text.trim() === '') return made;
  const document: Document = parseDocument(text);
  const more = parseDocument(made);
  document.contents ??= document.createNode({});
  let profile = profileOf(document, answers, folder);
  if (profile === undefined) {
    const profiles = mapAt(document, 'profiles');
    profile = freeName(profiles, 'main');
    profiles.set(profile, more.getIn(['profiles', 'main'], true));
  }
  for (const { preset } of answers.schedules) {
    const schedules = mapAt(document, 'schedules');
    more.setIn(['schedules', preset, 'profile'], profile);
    schedules.set(freeName(schedules, preset), more.getIn(['schedules', preset], true));
  }
  if (answers.drop !== undefined) {
    more.setIn(['hotFolders', 0, 'profile'], profile);
    const folders = document.get('hotFolders');
    if (isSeq(folders) && folders.items.length > 0) folders.add(more.getIn(['hotFolders', 0], true));
    else document.set('hotFolders', more.get('hotFolders', true));
  }
  return document.toString({ lineWidth: 0 });
}

function profileOf(document: Document, { apiUrl, key }: Answers, folder: string): string | undefined {
  const { profiles } = document.toJS() as { profiles?: Record<string, Partial<Record<string, string>>> };
  const isSame = ({ apiUrl: address, keyEnv, keyFile }: Partial<Record<string, string>>) =>
    address === apiUrl &&
    ('keyEnv' in key
      ? keyEnv === key.keyEnv
      : keyFile !== undefined && resolve(folder, keyFile) === resolve(folder, key.keyFile));
  return Object.entries(profiles ?? {}).find(([, profile]) => isSame(profile))?.[0];
}

/** A map of the configuration, added if it is missing. */
function mapAt(document: Document, name: string): YAMLMap {
  const found = document.get(name, true);
  if (isMap(found) && found.items.length > 0) return found;
  const made = document.createNode({}) as YAMLMap;
  document.set(name, made);
  return made;
}

function freeName(map: YAMLMap, wanted: string): string {
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? wanted : `${wanted}-${count}`;
    if (!map.has(name)) return name;
  }
}
