/** The shape of shelflift.yaml (design §9). Names are a contract: add, never rename. */
import { z } from 'zod';
import { isLoopback, normaliseAddress } from '../../api/address.ts';
import { UsageError } from '../../base/errors.ts';
import { duration, text } from '../../base/option.ts';
import { ProfileFields } from '../../base/profile.ts';
import { expecting, inZod, problem } from '../../base/schema-words.ts';
import { checkedTogether, knownKeys } from '../../base/yaml-file.ts';
import { message } from '../../messages/message.ts';
import type { Message } from '../../messages/params.ts';
import { MAIL_LANGUAGES } from '../notify/language.ts';
import type { CatchUp as CatchUpRule } from '../schedule/due.ts';
import { cronProblem } from '../schedule/fire-times.ts';
import { isZone } from '../../base/zone.ts';
import { ImportTask } from './import-options.ts';
import { ADDRESS, ADDRESS_KEYS, RclonePath, SftpTarget, variable } from './remotes.ts';
import { Task, withDates } from './task-options.ts';

const NAME = /^[A-Za-z0-9][\w.-]*$/;
const name = z.string().regex(NAME, problem('expected_name', {}));
const ConfigProfile = checkedTogether(
  knownKeys({
    ...ProfileFields.shape,
    apiUrl: ProfileFields.shape.apiUrl.superRefine((address, context) => {
      try {
        normaliseAddress(address);
      } catch (error) {
        if (!(error instanceof UsageError)) throw error;
        context.addIssue({ code: 'custom', message: inZod(error.said) });
      }
    }),
    maxRate: z.number().positive().optional().describe('Maximum requests per second.'),
    maxConcurrency: z.number().positive().optional().describe('Maximum requests in flight.'),
  }),
  ({ keyEnv, keyFile }, report) => {
    if ((keyEnv === undefined) === (keyFile === undefined))
      report(message('expected_either', { one: 'keyEnv', other: 'keyFile' }));
  },
);

const cron = z.string({ error: problem('expected_cron', {}) }).superRefine((expression, context) => {
  const wrong = cronProblem(expression);
  if (wrong !== undefined) context.addIssue({ code: 'custom', message: inZod(wrong) });
});

const timeZone = z.string({ error: problem('expected_zone', {}) }).refine(isZone, {
  error: (issue) => problem('not_a_zone', { zone: String(issue.input) }),
});

const catchUpPolicy = z.enum(['once', 'all', 'skip']);
const CatchUp = z.union(
  [
    catchUpPolicy,
    knownKeys({
      policy: catchUpPolicy,
      limit: z.number().int().min(1).optional().describe('With all: at most this many (default: 100).'),
      age: duration.optional().describe('Skip fires older than this, such as 7d.'),
    }),
  ],
  { error: problem('expected_catch_up', {}) },
);

/** The text may contain dates, as file names do. */
const pattern = withDates(text);

const EmailTarget = knownKeys({
  to: z.union([text.transform((one) => [one]), z.array(text).min(1)]),
  subject: pattern.optional(),
  language: z.enum(MAIL_LANGUAGES).optional().describe('Language of the text (default: en).'),
  contact: text.optional().describe('Whom the recipient may ask (default: the addresses of notify).'),
});

export type EmailTarget = z.infer<typeof EmailTarget>;

export interface FolderTarget {
  folder: string;
  /** Whether the folder must be on a mounted file system. Default: as it was at the last delivery. */
  mounted?: boolean | undefined;
}

/** One place that a file goes to. */
export type Delivery = FolderTarget | { sftp: SftpTarget } | { rclone: string } | { email: EmailTarget };

type Way =
  | ({ kind: 'folder' } & FolderTarget)
  | { kind: 'sftp'; sftp: SftpTarget }
  | { kind: 'rclone'; rclone: string }
  | { kind: 'email'; email: EmailTarget };

/** A delivery with its kind, so that a `switch` compiles only if it handles every kind. */
export function wayOf(delivery: Delivery): Way {
  if ('folder' in delivery) return { kind: 'folder', ...delivery };
  if ('sftp' in delivery) return { kind: 'sftp', ...delivery };
  if ('rclone' in delivery) return { kind: 'rclone', ...delivery };
  return { kind: 'email', ...delivery };
}

const Delivery = knownKeys({
  folder: text.optional(),
  mounted: z
    .boolean()
    .optional()
    .describe('Whether the folder is on a mounted disk or share (default: as at the last delivery).'),
  sftp: SftpTarget.optional(),
  rclone: RclonePath.optional(),
  email: EmailTarget.optional(),
})
  .meta({ minProperties: 1, maxProperties: 2 })
  .transform((given, context): Delivery => {
    const { mounted, ...ways } = given;
    const [way, ...more] = Object.entries(ways).filter(([, settings]) => settings !== undefined);
    if (mounted !== undefined && given.folder === undefined)
      context.addIssue({ code: 'custom', message: problem('only_for_folder', {}), path: ['mounted'] });
    if (way !== undefined && more.length === 0) return given as Delivery;
    context.addIssue({ code: 'custom', message: problem('expected_delivery', {}) });
    return z.NEVER;
  });

const oneAddress = (given: Record<string, unknown>, report: (said: Message) => void) => {
  if (ADDRESS_KEYS.filter((key) => given[key] !== undefined).length !== 1)
    report(message('expected', { expected: message('one_of', { words: ADDRESS_KEYS }) }));
};

const Ping = checkedTogether(knownKeys(ADDRESS), oneAddress);

const Webhook = checkedTogether(
  knownKeys({ ...ADDRESS, secretEnv: variable.optional(), secretFile: text.optional() }),
  (given, report) => {
    oneAddress(given, report);
    if ((given['secretEnv'] === undefined) === (given['secretFile'] === undefined))
      report(message('expected_webhook_secret', {}));
  },
);
export type Webhook = z.infer<typeof Webhook>;

/** A path that starts at the root of a file system, or leads out of its folder. */
const LEADS_ELSEWHERE = /^([\\/]|[A-Za-z]:)|(^|[\\/])\.\.([\\/]|$)/;

const Schedule = checkedTogether(
  knownKeys({
    profile: z.string(),
    cron,
    timeZone,
    task: Task,
    deliver: z.array(Delivery).default([]),
    catchUp: CatchUp.default('once'),
    ping: Ping.optional().describe(
      'Health check to notify of each start (URL/start), success (URL) and failure (URL/fail).',
    ),
    retention: knownKeys({ keep: z.number().int().min(1) })
      .optional()
      .describe('In folders: how many files of this schedule are kept.'),
  }),
  ({ task, deliver }, report) => {
    const given: { out?: unknown; import?: unknown } = typeof task === 'object' && task !== null ? task : {};
    const { out } = given;
    if (given.import !== undefined && Array.isArray(deliver) && deliver.length > 0)
      report(message('import_delivers_nothing', {}), 'deliver');
    if (!Array.isArray(deliver) || deliver.length === 0 || typeof out !== 'string') return;
    if (LEADS_ELSEWHERE.test(out)) report(message('expected_name_in_folder', {}), 'task', 'out');
  },
);
export type Schedule = z.infer<typeof Schedule>;

const HotFolder = knownKeys({
  path: text,
  profile: z.string(),
  import: ImportTask.default({}),
  polling: z
    .boolean()
    .default(false)
    .describe('Poll the folder instead of listening for changes; for network shares.'),
  ready: z
    .boolean()
    .default(false)
    .describe('Take NAME only when NAME.ready is next to it, instead of when it stops growing.'),
  alertShare: z
    .number()
    .min(0)
    .max(1)
    .default(0.5)
    .describe('A file with a larger share of invalid or refused rows has failed (default: 0.5).'),
});
export type HotFolder = z.infer<typeof HotFolder>;

const Smtp = checkedTogether(
  knownKeys({
    host: text,
    port: z.number().int().min(1).max(65_535).default(587),
    from: text,
    user: text.optional(),
    passwordEnv: variable.optional(),
    passwordFile: text.optional(),
    tls: z
      .enum(['starttls', 'implicit', 'none'])
      .default('starttls')
      .describe('starttls is enforced. With none, a password is sent only to this machine.'),
    caFile: text.optional().describe('Certificate of a private authority, as PEM.'),
  }),
  ({ host, tls, passwordEnv, passwordFile }, report) => {
    const hasPassword = (passwordEnv ?? passwordFile) !== undefined;
    if (tls === 'none' && hasPassword && typeof host === 'string' && !isLoopback(host))
      report(message('password_in_clear', { host }), 'tls');
  },
);
export type Smtp = z.infer<typeof Smtp>;

/** A week covers a long weekend and time to repair the server. */
const OUTAGE_MS = 7 * 86_400_000;

export const Timetables = z.object({ schedules: z.record(name, z.object({ cron, timeZone })).default({}) });

export const WorkerConfig = knownKeys({
  $schema: z.string().optional(),
  profiles: z.record(name, ConfigProfile).default({}),
  schedules: z.record(name, Schedule).default({}),
  hotFolders: z.array(HotFolder).default([]),
  smtp: Smtp.optional(),
  notify: knownKeys({
    email: z
      .union([text.transform((one) => [one]), z.array(text).min(1)])
      .optional()
      .describe('Who gets mail when a schedule or watched folder starts to fail, and when it recovers.'),
    language: z.enum(MAIL_LANGUAGES).optional().describe('Language of the mails (default: en).'),
    webhook: Webhook.optional().describe('Where the end of each run is posted, signed (Standard Webhooks).'),
  })
    .meta({ minProperties: 1 })
    .refine(
      (given) => (given.email ?? given.webhook) !== undefined,
      expecting('one_of', { words: ['email', 'webhook'] }),
    )
    .optional()
    .describe('Who is notified, and how.'),
  retries: knownKeys({
    tries: z.number().int().min(1).default(5).describe('Failed runs before a job is given up (default: 5).'),
    backoff: duration
      .default(60_000)
      .describe('Wait before the second try, doubled each time (default: 1m).'),
    outage: duration
      .default(OUTAGE_MS)
      .describe('How long to wait for something unreachable before it counts as an error (default: 7d).'),
  }).default({ tries: 5, backoff: 60_000, outage: OUTAGE_MS }),
  parallel: z
    .number()
    .int()
    .min(1)
    .default(32)
    .describe('Maximum number of runs at the same time, each with its own key (default: 32).'),
  health: knownKeys({
    host: text.default('127.0.0.1'),
    port: z.number().int().min(0).max(65_535),
  })
    .optional()
    .describe('Where to serve /healthz, /readyz and /metrics.'),
});
export type WorkerConfig = z.infer<typeof WorkerConfig>;

const ALL_LIMIT = 100;

/** How a schedule catches up on missed fires. */
export function catchUpOf({ catchUp }: Schedule): CatchUpRule {
  const given = typeof catchUp === 'string' ? { policy: catchUp } : catchUp;
  return {
    policy: given.policy,
    limit: ('limit' in given ? given.limit : undefined) ?? ALL_LIMIT,
    ageMs: ('age' in given ? given.age : undefined) ?? Number.POSITIVE_INFINITY,
  };
}
