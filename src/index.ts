/**
 * shelflift: moves whole collections between spreadsheets and the Collection Inventory API.
 *
 * Start with `open`: it returns a shelf, which has a method for every task. Nothing here prints, reads the environment,
 * or ends the process.
 *
 * @module shelflift
 * @example
 * import { open } from 'shelflift';
 * await using shelf = await open({ apiUrl, key, store: 'ledger.db' });
 * const { rows } = await shelf.import({ file: 'toys.csv' }, { collection: 'Main' });
 * await shelf.export({ out: 'items.xlsx' });
 */
import './base/check-node.ts';

export { open, runWorker } from './library/open.ts';
export type { ChangeSource, OpenOptions, Plan, SetChanges, Shelf } from './library/shelf.ts';
export { type Ledger, type LedgerOptions, openLedger } from './library/ledger.ts';
export type { WorkerEnd, WorkerEvent, WorkerOptions, WorkerRun } from './library/worker.ts';
export type {
  CatchUp,
  Delivery,
  ExportTask,
  FetchedImport,
  FileTask,
  HotFolder,
  ImportTask,
  Password,
  ReportTask,
  Schedule,
  SftpServer,
  WebAddress,
  WorkerConfig,
  WorkerImport,
  WorkerProfile,
} from './library/worker-config.ts';
export type { Run } from './library/run.ts';
export type { ShelfEvent } from './library/events.ts';
export type { ItemChanges, NumberChange } from './library/item-changes.ts';
export type {
  CallOptions,
  ColumnOptions,
  DupesOptions,
  ExportLayout,
  ExportOptions,
  ResultsTarget,
  ImportBaseOptions,
  ImportOptions,
  ImportTemplate,
  ItemFields,
  ItemQuery,
  ListOptions,
  MapOptions,
  MapRow,
  NodeWritable,
  ReadOptions,
  ReportOptions,
  SendOptions,
  SetOptions,
  UndoOptions,
} from './library/options.ts';
export type {
  ByteStream,
  FileRow,
  FileSource,
  ImportSource,
  RowsSource,
  StreamSource,
} from './library/source.ts';
export { RowError } from './library/row-error.ts';
export type { ExportSummary } from './export/export.ts';
export type { Duplicates, List, ListSummary } from './library/read.ts';
export type {
  Report,
  ReportBlock,
  ReportColumn,
  ReportFigure,
  ReportKind,
  ReportRow,
  ReportSection,
  ReportValue,
} from './library/report.ts';
export type { Correction, Json, RowCondition, RowTest } from './library/correction.ts';
export type { JobQuery, Jobs, ListedJob, MendRequest, RowQuery } from './library/jobs.ts';
export type {
  JobFacts,
  JobResult,
  JobState,
  ParkedJob,
  ParkReason,
  StandingJob,
  UnansweredJob,
} from './library/result.ts';
export type { LiveComparison } from './export/verify/verify-live.ts';
export type { ExportEvent } from './export/read/source.ts';
export type { ImportEvent } from './import/job/events.ts';
export type { FieldChange } from './import/engine/field-changes.ts';
export type { ItemShown } from './import/engine/operation.ts';
export type { Resolution } from './import/jobs/resolve-row.ts';
export type { Pruned } from './import/jobs/prune-jobs.ts';
export { textOf } from './messages/german.ts';
export { isMessage } from './messages/message.ts';
export type {
  Action,
  ActionOptions,
  ByHand,
  JobAction,
  Kind,
  Kinds,
  Labelled,
  Message,
  MessageCode,
  MessageOf,
  MessageParams,
  RunCommand,
  SetOption,
  ValuesOf,
} from './messages/params.ts';
export type { JobRow } from './import/correction/job-rows.ts';
export type { RowsIssue } from './import/results/issues.ts';
export type { JobReport } from './import/results/summary.ts';
export type { ResultFiles } from './import/results/results.ts';
export type { Undecided, UndecidedRow } from './import/results/undecided.ts';
export type { ChangeRow } from './import/review/change-rows.ts';
export type { Explained } from './import/history/explain-item.ts';
export type { PlanReport, ValueEffect } from './import/review/plan-report.ts';
export type {
  FieldOrigin,
  ItemStory,
  StoryCell,
  StoryChange,
  StoryEntry,
} from './import/history/item-story.ts';
export type { RowTotals } from './import/job/row-totals.ts';
export type { DuplicateGroup } from './import/similar/find-duplicates.ts';
export type { JobKind, StoredCandidate, StoredIssue } from './ledger/ledger.ts';
export type { FieldCondition, WhereField, WhereObject, WhereValue } from './where/where-object.ts';
export type { RowName } from './ledger/row-name.ts';
export type { RowAction } from './ledger/states.ts';
export type { CheckedRow, TemplateCheck, TemplateProblem } from './mapping/template/check-template.ts';
export type { ColumnUse } from './mapping/mapping.ts';
export type { Offer, OfferOptions, Rate } from './mapping/issue.ts';
export type { IssueReason } from './mapping/issue-reasons.ts';
export type { RowCode } from './messages/row-codes.ts';
export type { DiffRow, DiffSide, DiffSummary } from './export/diff/model.ts';
export {
  checkTemplate,
  diffExports,
  type DiffOptions,
  type InferredColumn,
  type InferredFile,
  inferFile,
  listLayouts,
  listTemplates,
  loadLayout,
  loadTemplate,
  parseLayout,
  parseTemplate,
  type ShippedTemplate,
  type Verification,
  verifyExport,
} from './library/templates.ts';

export type { Client, ClientOptions, RequestListener, RequestRecord } from './api/client.ts';
export {
  AbortedError,
  ApiError,
  type ApiErrorCode,
  InvalidRequestError,
  LimitReachedError,
  MissingScopeError,
  NotFoundError,
  RateLimitedError,
  RequestTimeoutError,
  UnauthorizedError,
  UnexpectedResponseError,
  UnreachableError,
} from './api/errors.ts';
export type { Collection, Item, ItemCondition, ItemPackaging, ItemStatus } from './api/resources.ts';
export type { ErrorCode } from './base/error-codes.ts';
export { type ErrorDetails, type Position, SheetError, ShelfliftError, UsageError } from './base/errors.ts';
export { ExitCode } from './base/exit-code.ts';
export { InterruptedError } from './import/job/interrupted.ts';
export type { RowState } from './ledger/states.ts';
