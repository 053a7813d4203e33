/** Options that only the command line has; the library describes the others. */
import { z } from 'zod';
import { ImportOptions, RunOptions } from '../import/job/options.ts';
import { JOB_STATES } from '../ledger/states.ts';
import { duration, flag, list, needed, rowNumbers, text, wholeNumber } from '../base/option.ts';
import { whereFlag } from '../where/where.ts';
import { FINAL_STATES, OPEN_STATES } from '../worker/queue/run.ts';

const GLOBAL = { group: 'Global' } as const;
const yesNo = (description: string) => z.boolean().describe(description);

/** Every command takes these options; the last four affect how a job runs. */
export const GlobalOptions = z.object({
  apiUrl: flag(text.describe('Base address of the API [env SHELFLIFT_API_URL].'), GLOBAL),
  profile: flag(
    text.describe('Saved address and key (shelflift profile add); overrides the environment.'),
    GLOBAL,
  ),
  sandbox: flag(yesNo('Use a sandbox API on this machine: no server, no key.'), GLOBAL),
  store: flag(text.describe('Ledger: an SQLite file or postgres://… [env SHELFLIFT_STORE].'), GLOBAL),
  maxRate: flag(z.number().positive().describe('Maximum requests per second.'), GLOBAL),
  maxConcurrency: flag(z.number().positive().describe('Maximum requests in flight (at most 64).'), GLOBAL),
  timeoutMs: flag(duration.describe('Timeout for each request.'), {
    ...GLOBAL,
    name: 'timeout',
    default: '30s',
  }),
  waitMs: RunOptions.shape.waitMs,
  waitForLimit: RunOptions.shape.waitForLimit,
  quietPeriodMs: RunOptions.shape.quietPeriodMs,
  json: flag(yesNo('Print one JSON object on stdout, and nothing else.'), GLOBAL),
  quiet: flag(yesNo('Show no progress.'), GLOBAL),
  progress: flag(
    z
      .enum(['text', 'json'])
      .describe('Format of progress and errors on stderr; json writes one object per line.'),
    GLOBAL,
  ),
  language: flag(
    z
      .enum(['en', 'de'])
      .describe('Language of messages (default: the language of the terminal; en without a terminal).'),
    GLOBAL,
  ),
  color: flag(
    z.enum(['auto', 'always', 'never']).describe('Colours (auto: on a terminal, unless NO_COLOR is set).'),
    { ...GLOBAL, default: 'auto' },
  ),
  verbose: flag(yesNo('Log each request to stderr; show stack traces.'), GLOBAL),
  logFile: flag(text.describe('Append each request to this file, as JSON lines.'), GLOBAL),
  yes: RunOptions.shape.yes,
});

export const ImportFiles = z.object({
  file: needed(z.array(text).describe('CSV, XLSX, XLS or ODS file; - is standard input.'), {
    positional: true,
  }),
});

export const InputFile = z.object({
  file: needed(text.describe('CSV, XLSX, XLS or ODS file; - is standard input.'), { positional: true }),
});

export const AskOptions = z.object({
  ask: flag(
    yesNo('Ask how to correct the rows, even if standard input is not a terminal: one answer per line.'),
  ),
  noAsk: flag(yesNo('Never ask.')),
  saveAs: flag(
    text.describe('Save how the file is read, with all answers, as a recipe: --recipe NAME repeats it.'),
    {
      group: 'Map',
    },
  ),
});

/** How a file is read by commands that inspect it without importing it. */
export const ReadOptions = z.object({
  ...ImportOptions.pick({ headerRow: true, delimiter: true, encoding: true }).shape,
  sheet: flag(text.describe('Sheet of a workbook.'), { group: 'Read' }),
});

export const InferOptions = z.object({
  out: flag(text.describe('File to write (default: stdout).'), { group: 'Write' }),
});

export const CheckOptions = z.object({
  template: needed(text.describe('Import template: the name of a template, or a YAML file.'), {
    group: 'Map',
  }),
  rows: flag(wholeNumber(0).describe('Rows to show (default: 5).')),
  decimal: ImportOptions.shape.decimal,
});

export const Changes = z.object({
  change: needed(
    z
      .array(text)
      .describe(
        "FIELD=VALUE; 'FIELD=<clear>' empties a field; tags+=VALUE and tags-=VALUE add and remove a tag; 'estimated_value*=1.10', += and -= raise or lower a value, and so does 'estimated_value+=10%'.",
      ),
    { positional: true },
  ),
});

export const JobId = z.object({
  id: needed(text.describe('Id of a job, its first characters, or "last".'), { positional: true }),
});

export const WhyOptions = z.object({
  item: needed(text.describe('Id of an item, or at least its first 8 characters.'), { positional: true }),
  offline: flag(yesNo('Do not read the item from the API; show only the data of the store.')),
});

/** States of jobs and of workers' runs. */
const LISTED_STATES = [
  ...new Set([...JOB_STATES.filter((state) => state !== 'staging'), ...OPEN_STATES, ...FINAL_STATES]),
] as const;

export const ListOptions = z.object({
  limit: flag(wholeNumber(1).describe('Maximum number of jobs, runs and schedules to list (default: 50).')),
  state: flag(z.enum(LISTED_STATES).describe('Only jobs and runs in this state.')),
  sinceMs: flag(duration.describe('Only jobs and runs that began within this time, such as 7d.'), {
    name: 'since',
  }),
});

export const ShowOptions = z.object({
  changes: flag(yesNo('Show the item of each row before and after its change.')),
  follow: flag(yesNo('Watch the job until it has ended.')),
});

export const PruneOptions = z.object({
  olderThanMs: flag(
    duration.describe(
      'Jobs without activity for this long (default and minimum: 90d); they can no longer be undone.',
    ),
    { name: 'older-than' },
  ),
});

export const DryRun = z.object({ dryRun: flag(yesNo('Only list the jobs.')) });

export const ResultsOptions = z.object({ outDir: flag(text.describe('Folder for the files.')) });

export const ResolveOptions = z.object({
  row: needed(rowNumbers.describe('Rows of the file: 3,7-9.')),
  sheet: flag(text.describe('Sheet of the row, if several sheets have this row.')),
  as: needed(
    text.describe(
      'For a changed item: theirs or mine. For a lost answer: created:ITEM_ID, retry (the item does not exist) or skip.',
    ),
  ),
});

export const OutOptions = z.object({
  overwrite: flag(yesNo('Replace the --out file even if it was edited, or was not written by shelflift.'), {
    group: 'Write',
  }),
});

export const DiffOptions = z.object({
  before: needed(text.describe('The earlier export: CSV, XLSX or NDJSON.'), { positional: true }),
  after: needed(text.describe('The later export; its format may differ.'), { positional: true }),
  by: flag(list.describe('Fields that identify an item, comma-separated (default: id).'), {
    group: 'Select',
  }),
  out: flag(text.describe('Write the differences for review; .xlsx or .html sets the format.'), {
    group: 'Write',
  }),
});

export const VerifyOptions = z.object({
  file: needed(text.describe('File that an export wrote.'), { positional: true }),
  live: flag(yesNo('Also read the API again and compare it with the file.')),
});

export const OpenOption = z.object({ open: flag(yesNo('Open the file after it is written.')) });

export const DupesOptions = z.object({
  out: flag(
    text.describe('CSV or XLSX file to write, with an action column (keep, archive) to fill in and import.'),
  ),
  close: flag(yesNo('Also report names that differ by a letter or two.')),
  archived: flag(yesNo('Include archived items.')),
  where: whereFlag,
  suggest: flag(
    yesNo('Fill in the action column: keep the oldest item that is owned, archive the other owned ones.'),
  ),
});

export const ConfigOption = z.object({
  config: flag(
    text.describe(
      'Profiles, schedules and watched folders (default: shelflift.yaml in this folder, if there is one).',
    ),
  ),
});

export const WorkerOptions = z.object({
  once: flag(yesNo('Run everything that is queued or due, then end.')),
  check: flag(yesNo('Report problems in the configuration; if there are none, list the next runs.')),
  connect: flag(
    yesNo('With --check: also log in to every server of the configuration; nothing is delivered.'),
  ),
  days: flag(wholeNumber(1).describe('With --check: how many days ahead (default: 7).')),
  graceMs: flag(
    duration.describe('After SIGTERM: how long running jobs may take to end or park (default: 30s).'),
    { name: 'grace' },
  ),
  health: flag(text.describe('HOST:PORT of /healthz, /readyz and /metrics; overrides the configuration.')),
});

export const ScheduleName = z.object({
  name: needed(text.describe('Name of the schedule in the configuration.'), { positional: true }),
});

export const TemplateName = z.object({
  name: needed(text.describe('Shipped template or layout, or the YAML file of a template.'), {
    positional: true,
  }),
});

/** The names that `template list` shows under recipes and answers. */
export const RememberedName = z.object({
  name: needed(text.describe('Name of a recipe, or of remembered answers.'), { positional: true }),
});

export const FormFile = z.object({
  out: flag(text.describe('File to write, ending in .xlsx.'), { positional: true }),
});

/** How long the jobs of the page wait. */
export const WaitOptions = RunOptions.pick({ waitMs: true, waitForLimit: true, quietPeriodMs: true });

export const McpOptions = z.object({
  root: needed(
    z
      .union([text, z.array(text)])
      .describe('Folder whose files the assistant may read and add to (repeatable).'),
    { repeatable: true },
  ),
});

export const UiOptions = z.object({
  file: flag(text.describe('CSV, XLSX, XLS or ODS file to import.'), { positional: true }),
  port: flag(
    wholeNumber(0).max(65_535).describe('Port; 0 picks a free port (default: 4748, or a free port).'),
  ),
  noOpen: flag(yesNo('Only print the address; open no browser.')),
});

export const NewProfile = z.object({
  name: needed(text.describe('A name of your choice.'), { positional: true }),
  keyEnv: flag(text.describe('Read the key from this environment variable each time, instead of saving it.')),
});

export const ProfileName = z.object({
  name: needed(text.describe('Name, as in profile list.'), { positional: true }),
});

export const StoreCopyOptions = z.object({
  from: needed(text.describe('Store to copy: a file or postgres://…')),
  to: needed(text.describe('Empty store to copy into: a file or postgres://…')),
});

export const BackupFile = z.object({
  file: needed(text.describe('File to create; it can be used with --store directly.'), { positional: true }),
});
