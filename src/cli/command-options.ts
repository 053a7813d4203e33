/** The options of each command. Only the generator of flags.generated.ts and its test load this file. */
import { z } from 'zod';
import { ExportOptions, FilterOptions, ItemExportOptions } from '../export/request.ts';
import { ImportOptions, RunOptions, SetOptions, UndoOptions } from '../import/job/options.ts';
import { CorrectionOptions } from '../import/correction/correction-options.ts';
import { flag, text } from '../base/option.ts';
import { FAULT_WORDS, STORING_WORDS } from '../sandbox/options.ts';
import { HEADER_STYLES, LIMITER_KINDS } from '../sandbox/settings.ts';
import {
  AsOfOptions,
  ItemReportOptions,
  MonthOptions,
  PeriodOptions,
  SalesReportOptions,
} from '../reports/request.ts';
import * as own from './options.ts';

/** Flags of the sandbox; parseSandboxOptions reads them. */
const SandboxCommandOptions = z.object({
  port: flag(z.number().describe('Port; 0 picks a free port.'), { default: 4747 }),
  host: flag(text.describe('Address to listen on (default: 127.0.0.1).')),
  data: flag(text.describe('SQLite file that keeps the data (default: in memory).')),
  seed: flag(z.number().describe('Fill the server with invented toys; the same number gives the same toys.')),
  seedItems: flag(z.number().describe('How many toys (default: 500).')),
  currency: flag(text.describe('Currency of item values.')),
  rateLimit: flag(text.describe('Requests per interval, such as 100/60s (default: none).')),
  limiter: flag(z.enum(LIMITER_KINDS).describe('Kind of rate limit (default: fixed).')),
  headers: flag(z.enum(HEADER_STYLES).describe('Rate limit headers (default: draft3).')),
  planLimit: flag(z.number().describe('Maximum items per team (default: none).')),
  latency: flag(text.describe('Delay before each answer, such as 20ms.')),
  customFields: flag(
    z.enum(['replace', 'merge']).describe('How PATCH treats custom_fields (default: replace).'),
  ),
  order: flag(z.enum(['created', 'updated']).describe('What "newest first" means (default: created).')),
  storing: flag(
    z.enum(STORING_WORDS).describe('How the server changes values before it stores them (repeatable).'),
    {
      repeatable: true,
    },
  ),
  listLag: flag(text.describe('Delay before lists show a new item, such as 5s.')),
  clockOffset: flag(text.describe("How far the server's clock is off, such as -2h.")),
  fault: flag(text.describe(`KIND=PROBABILITY (repeatable); kinds: ${FAULT_WORDS.join(', ')}.`), {
    repeatable: true,
  }),
  faultSeed: flag(z.number().describe('Seed for the faults; the same seed repeats them.')),
});

/** For a job that already has its plan. */
const SendOptions = RunOptions.omit({ plan: true, takeOver: true });

/** Only imports recognise known rows, or compare rows with similar items. */
const ChangeOptions = SendOptions.omit({ onlyNew: true, allRows: true, similar: true, maxMissing: true });

/** Each schema under the name of its block in the generated file. */
export const BLOCKS = {
  global: own.GlobalOptions,
  files: own.ImportFiles,
  asking: own.AskOptions,
  importing: ImportOptions,
  planning: RunOptions.pick({ plan: true }),
  running: SendOptions,
  takingOver: RunOptions.pick({ takeOver: true }),
  changing: ChangeOptions,
  changes: own.Changes,
  setting: SetOptions,
  undoing: UndoOptions,
  filtering: FilterOptions,
  itemExport: ItemExportOptions,
  exporting: ExportOptions,
  itemReport: ItemReportOptions,
  salesReport: SalesReportOptions,
  asOf: AsOfOptions,
  period: PeriodOptions,
  month: MonthOptions,
  opening: own.OpenOption,
  replacing: own.OutOptions,
  verifying: own.VerifyOptions,
  diffing: own.DiffOptions,
  jobId: own.JobId,
  explaining: own.WhyOptions,
  showing: own.ShowOptions,
  mending: CorrectionOptions,
  pruning: own.PruneOptions,
  dryRun: own.DryRun,
  results: own.ResultsOptions,
  resolving: own.ResolveOptions,
  config: own.ConfigOption,
  working: own.WorkerOptions,
  scheduleName: own.ScheduleName,
  dupes: own.DupesOptions,
  input: own.InputFile,
  listing: own.ListOptions,
  reading: own.ReadOptions,
  inferring: own.InferOptions,
  checking: own.CheckOptions,
  templateName: own.TemplateName,
  rememberedName: own.RememberedName,
  form: own.FormFile,
  assistant: own.McpOptions,
  page: own.UiOptions,
  newProfile: own.NewProfile,
  profileName: own.ProfileName,
  copying: own.StoreCopyOptions,
  backup: own.BackupFile,
  sandbox: SandboxCommandOptions,
} satisfies Record<string, z.ZodObject>;

/** The blocks of each command, besides the global block. */
export const COMMANDS: Record<string, (keyof typeof BLOCKS)[]> = {
  import: ['files', 'asking', 'importing', 'planning', 'running'],
  set: ['changes', 'setting', 'planning', 'changing'],
  'jobs list': ['listing', 'config'],
  'jobs show': ['jobId', 'showing'],
  'jobs submit import': ['files', 'importing', 'planning', 'running', 'config'],
  'jobs resume': ['jobId', 'running', 'takingOver'],
  'jobs apply': ['jobId', 'running', 'takingOver'],
  'jobs mend': ['jobId', 'asking', 'mending'],
  'jobs cancel': ['jobId'],
  'jobs undo': ['jobId', 'undoing', 'planning', 'changing'],
  'jobs prune': ['pruning', 'dryRun'],
  'jobs results': ['jobId', 'results'],
  'jobs resolve': ['jobId', 'resolving'],
  'export items': ['itemExport', 'exporting', 'replacing'],
  'export listings': ['itemExport', 'exporting', 'replacing'],
  'export collections': ['exporting', 'replacing'],
  'export sales': ['exporting', 'replacing'],
  'export verify': ['verifying'],
  'report inventory': ['itemReport', 'asOf', 'opening', 'replacing'],
  'report listings': ['itemReport', 'opening', 'replacing'],
  'report sales': ['salesReport', 'period', 'opening', 'replacing'],
  'report month': ['month', 'replacing'],
  why: ['explaining'],
  diff: ['diffing', 'replacing'],
  worker: ['config', 'working'],
  schedule: ['config'],
  'schedule list': [],
  'schedule run': ['scheduleName'],
  'schedule pause': ['scheduleName'],
  'schedule resume': ['scheduleName'],
  dupes: ['dupes', 'replacing'],
  'template list': [],
  'template forget': ['rememberedName'],
  'template show': ['templateName'],
  'template infer': ['input', 'reading', 'inferring', 'replacing'],
  'template check': ['input', 'reading', 'checking'],
  'template new': ['form'],
  'profile add': ['newProfile'],
  'profile list': [],
  'profile use': ['profileName'],
  doctor: [],
  'store copy': ['copying'],
  'store backup': ['backup'],
  'store check': [],
  'store prune': ['pruning'],
  ui: ['page', 'config'],
  mcp: ['assistant'],
  sandbox: ['sandbox'],
};
