/**
 * Schemas of the options that callers pass: they check the options of a caller from plain JavaScript. They are derived from the
 * schemas of the command line.
 */
import { z } from 'zod';
import { expecting } from '../base/schema-words.ts';
import { Layout } from '../export/layout/layout.ts';
import type { ExportEvent } from '../export/read/source.ts';
import { ItemExportOptions, ExportOptions as CommandExport, FilterOptions } from '../export/request.ts';
import {
  ImportOptions as CommandImport,
  RunOptions,
  SetOptions as CommandSet,
  UndoOptions as CommandUndo,
} from '../import/job/options.ts';
import { Template } from '../mapping/template/template.ts';
import { printExpression } from '../where/expression.ts';
import { WhereOption } from '../where/where.ts';
import { whereTree } from '../where/where-object.ts';
import { aFunction, aSignal, instance, milliseconds } from './check.ts';
import type { MapRow, ReadOptions, SendOptions } from './options.ts';

/** An object is turned into the equivalent expression. */
const Where = z.preprocess(
  (given) =>
    typeof given === 'object' && given !== null && !Array.isArray(given)
      ? printExpression(whereTree(given))
      : given,
  WhereOption,
);
const filter = { ...FilterOptions.shape, where: Where.exactOptional() };

const call = { signal: aSignal.exactOptional(), waitMs: milliseconds.exactOptional() };
const {
  plan,
  asAdvised: _,
  takeOver: _takeOver,
  recheckMs: _recheck,
  waitMs: _wait,
  quietPeriodMs: _quiet,
  ...runShape
} = RunOptions.shape;
const confirm = aFunction<NonNullable<SendOptions['confirm']>>().exactOptional();
const send = {
  ...runShape,
  ...call,
  confirm,
  recheckMs: milliseconds.exactOptional(),
  quietPeriodMs: milliseconds.exactOptional(),
};
const {
  dryRun: _dryRun,
  skipInvalid: _skip,
  template: _template,
  map: columnsByName,
  outDir: _outDir,
  ...importShape
} = CommandImport.shape;

const { dryRun: _setDryRun, outDir: _setOutDir, ...setShape } = CommandSet.shape;

const aStream = instance<object>((value) => typeof value === 'object' && value !== null, 'a_stream');
const results = z
  .union([z.literal(false), z.string().min(1), aStream], expecting('no_results_or_place', {}))
  .exactOptional();

/** Schemas of callers' options. */
export const Given = {
  Send: z.object(send),
  Import: z.object({
    ...importShape,
    ...send,
    results,
    planFile: plan,
    template: z.union([z.string().min(1), Template], expecting('a_template', {})).exactOptional(),
    defaults: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).exactOptional(),
    map: z
      .union([aFunction<MapRow<never>>(), columnsByName.unwrap()], expecting('a_mapping', {}))
      .exactOptional(),
    mapVersion: z.string().min(1).exactOptional(),
    filePassword: aFunction<NonNullable<ReadOptions['filePassword']>>().exactOptional(),
  }),
  List: z.object({
    ...filter,
    ...call,
    requireStable: z.boolean().exactOptional(),
    onEvent: aFunction<(event: ExportEvent) => void>().exactOptional(),
  }),
  Export: z.object({
    ...ItemExportOptions.shape,
    where: filter.where,
    ...CommandExport.shape,
    ...call,
    out: z.union([z.string().min(1), aStream], expecting('a_path_or_stream', {})),
    resource: z.enum(['items', 'listings', 'collections', 'sales']).exactOptional(),
    template: z.union([z.string().min(1), Layout], expecting('a_layout', {})).exactOptional(),
  }),
  Report: z.object({
    ...filter,
    ...call,
    kind: z.enum(['inventory', 'listings', 'sales']),
    out: z.string().min(1).exactOptional(),
    by: z.array(z.string().min(1)).exactOptional(),
    locale: z.string().min(1).exactOptional(),
    currency: z.string().min(1).exactOptional(),
  }),
  Set: z.object({ ...setShape, ...filter, ...send, results }),
  Undo: z.object({ ...send, rows: CommandUndo.shape.rows, sheet: CommandUndo.shape.sheet, results }),
  Dupes: z.object({
    ...call,
    close: z.boolean().exactOptional(),
    archived: z.boolean().exactOptional(),
    where: filter.where,
    out: z.string().min(1).exactOptional(),
    suggest: z.boolean().exactOptional(),
  }),
};
