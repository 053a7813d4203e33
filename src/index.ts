/**
 * shelflift: moves whole collections between spreadsheets and the Collection Inventory API.
 *
 * An import goes, stage by stage:
 *   sheets/   a file becomes rows, whatever kind of spreadsheet it is
 *   mapping/  rows become fields of the contract; what cannot be cast is an issue on its row
 *   ledger/   every row's state is on disk before anything leaves
 *   import/   stage → plan → write, with settling → results
 *   api/      one client, one lane a key, paced by what the server says
 * An export goes the other way: api/ → export/ → sheets/; a report reads as an export does, and counts: reports/.
 *
 * Nothing here prints, reads the environment, or ends the process.
 */
export { type ApiClient, type ClientOptions, createClient, type RequestRecord } from './api/client.ts';
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
export {
  Collection,
  Item,
  ItemCreate,
  type ItemStatus,
  ItemUpdate,
  SalesSummary,
} from './api/schemas.ts';
export { type ErrorDetails, type Position, SheetError, ShelfliftError, UsageError } from './errors.ts';
export { type DiffRequest, diffExports } from './export/diff/diff.ts';
export type { DiffRow, DiffSide, DiffSummary } from './export/diff/model.ts';
export { exportItems, type ExportItemsOptions, type ExportSummary } from './export/export.ts';
export { Layout } from './export/layout/layout.ts';
export { listLayouts, loadLayout, parseLayout } from './export/layout/load-layout.ts';
export { Manifest } from './export/verify/manifest.ts';
export type { ExportEvent } from './export/read/source.ts';
export { type Verification, verifyExport } from './export/verify/verify.ts';
export { compareLive, type LiveComparison } from './export/verify/verify-live.ts';
export type { ImportEvent } from './import/job/events.ts';
export type { FieldChange } from './import/changes/field-changes.ts';
export type { SetRequest } from './import/set/stage-set.ts';
export {
  applyPlan,
  changeItems,
  explainItem,
  importItems,
  type JobContext,
  jobChanges,
  resumeImport,
  undoChanges,
} from './import/library.ts';
export type { ChangeRow } from './import/review/change-rows.ts';
export type { Explained } from './import/review/explain-item.ts';
export type { FieldOrigin, ItemStory, StoryEntry } from './import/review/item-story.ts';
export type { PlanReport } from './import/review/plan-report.ts';
export {
  type DuplicateGroup,
  type DuplicateOptions,
  type Duplicates,
  findDuplicates,
} from './import/similar/find-duplicates.ts';
export { writeDuplicates } from './import/similar/write-duplicates.ts';
export type { UndoRequest } from './import/undo/stage-undo.ts';
export type { ImportRequest, RunOptions } from './import/job/options.ts';
export type { JobOutcome, JobSummary } from './import/results/summary.ts';
export { checkTemplate, type TemplateCheck } from './mapping/template/check-template.ts';
export { inferFile, type InferredFile } from './mapping/infer/infer-file.ts';
export { listTemplates, loadTemplate, parseTemplate } from './mapping/template/load-template.ts';
export { Template } from './mapping/template/template.ts';
export { writeReportFile, type ReportDeps, type ReportSummary } from './reports/report.ts';
export type { ReportRequest } from './reports/request.ts';
export { type Sandbox, startSandbox } from './sandbox/sandbox.ts';
export type { SandboxControl } from './sandbox/control.ts';
export type { SandboxOptions } from './sandbox/settings.ts';
