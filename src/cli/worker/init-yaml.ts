/** The text of a shelflift.yaml, with comments for the person who will change it. */
import type { Smtp } from '../../worker/config/schema.ts';

/** What `worker init` offers. */
export const PRESETS = {
  items: {
    says: 'all items, each day',
    cron: (hour: number, minute: number) => `${minute} ${hour} * * *`,
    when: 'each day',
    task: 'export: items, out: "items-{{period.end:yyyy-MM-dd}}.csv"',
    comment: 'All items with all fields, as CSV.',
    time: '02:00',
  },
  inventory: {
    says: 'the inventory with its values, each month',
    cron: (hour: number, minute: number) => `${minute} ${hour} 1 * *`,
    when: 'the first of each month',
    task: 'report: inventory, out: "inventory-{{period.start:yyyy-MM}}.xlsx"',
    comment: 'Numbers and values, as a workbook that a person reads. The name has the month before.',
    time: '01:00',
  },
  sales: {
    says: 'the sales as reported, each month',
    cron: (hour: number, minute: number) => `${minute} ${hour} 1 * *`,
    when: 'the first of each month',
    task: 'report: sales, out: "sales-{{period.start:yyyy-MM}}.xlsx"',
    comment: 'Totals, and how they changed since the month before. currency: EUR shows them as money.',
    time: '01:00',
  },
  sold: {
    says: 'items newly sold, each month',
    cron: (hour: number, minute: number) => `${minute} ${hour} 1 * *`,
    when: 'the first of each month',
    task: 'export: items, changedSinceLast: sold, became: sold, out: "sold-{{period.start:yyyy-MM}}.xlsx"',
    comment: 'What was sold since the last delivered file. The name has the month before.',
    time: '06:00',
  },
  month: {
    says: 'each month for bookkeeping: inventory, what came and left, sales',
    cron: (hour: number, minute: number) => `${minute} ${hour} 1 * *`,
    when: 'the first of each month',
    task: 'report: month, out: "{{period.start:yyyy-MM}}.zip"',
    comment: 'One package with a cover page. The earlier on that day, the nearer to the end of the month.',
    time: '00:30',
  },
  listings: {
    says: 'the listings, each week',
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
}

export function configYaml({ apiUrl, key, timeZone, schedules, drop, smtp, notify }: Answers): string {
  const parts = [
    ['# What shelflift worker does. After each change: shelflift worker --check'],
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
            `notify: { email: ${quoted(notify)} }`,
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

/** JSON is YAML. */
function quoted(text: string): string {
  return JSON.stringify(text);
}
