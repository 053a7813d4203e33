/** The types of the library say what its schemas check, and what the engine takes. */
import { readFileSync } from 'node:fs';
import { expect, expectTypeOf, it } from 'vitest';
import type { z } from 'zod';
import type * as resources from '../../src/api/resources.ts';
import type { Item } from '../../src/api/resources.ts';
import * as schemas from '../../src/api/schemas.ts';
import type { Correction } from '../../src/library/correction.ts';
import type { JobResult } from '../../src/library/result.ts';
import type { Shelf } from '../../src/library/shelf.ts';
import type {
  FetchedImport,
  HotFolder,
  Schedule,
  WorkerConfig,
  WorkerImport,
  WorkerProfile,
} from '../../src/library/worker-config.ts';
import type { ImportTask, SourceImport } from '../../src/worker/config/import-options.ts';
import type { WorkerConfig as WorkerSchema } from '../../src/worker/config/schema.ts';
import type { Task } from '../../src/worker/config/task-options.ts';
import { Given } from '../../src/library/given.ts';
import type {
  CallOptions,
  DupesOptions,
  ExportOptions,
  ImportBaseOptions,
  ItemQuery,
  ListOptions,
  MapOptions,
  ReportOptions,
  SendOptions,
  SetOptions,
  UndoOptions,
} from '../../src/library/options.ts';
import { BLOCKS } from '../../src/cli/command-options.ts';
import { dashed, flagOf } from '../../src/base/option.ts';
import { Correction as CorrectionSchema } from '../../src/mapping/template/change.ts';
import {
  type FaultRates,
  FaultRatesForm,
  type RateLimit,
  RateLimitForm,
} from '../../src/sandbox/settings.ts';

type KeysOf<S extends z.ZodType> = keyof z.infer<S>;

it('the library has types for exactly the options of the command line', () => {
  expectTypeOf<KeysOf<typeof Given.Send>>().toEqualTypeOf<keyof SendOptions>();
  expectTypeOf<KeysOf<typeof Given.Import>>().toEqualTypeOf<
    keyof ImportBaseOptions | keyof MapOptions<never>
  >();
  expectTypeOf<KeysOf<typeof Given.List>>().toEqualTypeOf<keyof ItemQuery | keyof ListOptions>();
  expectTypeOf<KeysOf<typeof Given.Export>>().toEqualTypeOf<keyof ExportOptions>();
  expectTypeOf<KeysOf<typeof Given.Report>>().toEqualTypeOf<keyof ReportOptions>();
  expectTypeOf<KeysOf<typeof Given.Set>>().toEqualTypeOf<keyof SetOptions>();
  expectTypeOf<KeysOf<typeof Given.Undo>>().toEqualTypeOf<keyof UndoOptions>();
  expectTypeOf<KeysOf<typeof Given.Dupes>>().toEqualTypeOf<keyof DupesOptions>();
  expectTypeOf<'signal' | 'waitMs'>().toEqualTypeOf<keyof CallOptions>();
});

it('the docs list the options whose names differ from their flags', () => {
  const page = readFileSync(new URL('../../docs/library.md', import.meta.url), 'utf8');
  const blocks = ['importing', 'running', 'changing', 'undoing', 'pruning', 'working', 'global'] as const;
  const others = blocks.flatMap((block) =>
    Object.entries(BLOCKS[block].shape).flatMap(([key, option]) => {
      const { name = dashed(key) } = flagOf(key, option as z.ZodType) ?? {};
      return name === dashed(key) ? [] : [{ flag: `--${name}`, key }];
    }),
  );
  expect(others.length).toBeGreaterThan(5);
  expect(others.filter(({ flag, key }) => !page.includes(flag) || !page.includes(`\`${key}`))).toEqual([]);
});

it('the types of resources match their schemas', () => {
  expectTypeOf<z.infer<typeof schemas.Item>>().toExtend<resources.Item>();
  expectTypeOf<resources.Item>().toExtend<z.infer<typeof schemas.Item>>();
  expectTypeOf<z.infer<typeof schemas.Collection>>().toExtend<resources.Collection>();
  expectTypeOf<resources.Collection>().toExtend<z.infer<typeof schemas.Collection>>();
  expectTypeOf<z.infer<typeof schemas.SalesSummary>>().toExtend<resources.SalesSummary>();
  expectTypeOf<resources.SalesSummary>().toExtend<z.infer<typeof schemas.SalesSummary>>();
  expectTypeOf<z.infer<typeof schemas.Pagination>>().toExtend<resources.Pagination>();
  expectTypeOf<resources.Pagination>().toExtend<z.infer<typeof schemas.Pagination>>();
  expectTypeOf<z.infer<typeof schemas.ItemCreate>>().branded.toEqualTypeOf<resources.ItemCreate>();
  expectTypeOf<z.infer<typeof schemas.ItemUpdate>>().branded.toEqualTypeOf<resources.ItemUpdate>();
  expectTypeOf<z.infer<typeof schemas.ItemStatus>>().toEqualTypeOf<resources.ItemStatus>();
  expectTypeOf<z.infer<typeof schemas.ItemCondition>>().toEqualTypeOf<resources.ItemCondition>();
  expectTypeOf<z.infer<typeof schemas.ItemPackaging>>().toEqualTypeOf<resources.ItemPackaging>();
  expectTypeOf<z.infer<typeof FaultRatesForm>>().branded.toEqualTypeOf<FaultRates>();
  expectTypeOf<z.infer<typeof RateLimitForm>>().toEqualTypeOf<RateLimit>();
  expectTypeOf<z.infer<typeof CorrectionSchema>>().toExtend<Correction>();
  expectTypeOf<Correction>().toExtend<z.infer<typeof CorrectionSchema>>();
});

type Keys<T> = T extends T ? keyof T : never;

it('the library has types for exactly the keys of shelflift.yaml', () => {
  type Schema = z.input<typeof WorkerSchema>;
  type Entry<T> = NonNullable<T> extends Record<string, infer V> ? V : never;
  expectTypeOf<keyof WorkerConfig>().toEqualTypeOf<keyof Schema>();
  expectTypeOf<keyof WorkerProfile>().toEqualTypeOf<keyof Entry<Schema['profiles']>>();
  expectTypeOf<keyof Schedule>().toEqualTypeOf<keyof Entry<Schema['schedules']>>();
  expectTypeOf<keyof HotFolder>().toEqualTypeOf<keyof NonNullable<Schema['hotFolders']>[number]>();
  expectTypeOf<Keys<Schedule['task']>>().toEqualTypeOf<keyof z.infer<typeof Task>>();
  expectTypeOf<keyof WorkerImport>().toEqualTypeOf<keyof z.infer<typeof ImportTask>>();
  expectTypeOf<keyof FetchedImport>().toEqualTypeOf<keyof z.infer<typeof SourceImport>>();
  type Parsed = z.infer<typeof WorkerSchema>;
  expectTypeOf<keyof NonNullable<WorkerConfig['smtp']>>().toEqualTypeOf<keyof NonNullable<Parsed['smtp']>>();
  expectTypeOf<keyof NonNullable<WorkerConfig['notify']>>().toEqualTypeOf<
    keyof NonNullable<Parsed['notify']>
  >();
  expectTypeOf<keyof NonNullable<WorkerConfig['retries']>>().toEqualTypeOf<
    keyof NonNullable<Parsed['retries']>
  >();
  expectTypeOf<keyof NonNullable<WorkerConfig['health']>>().toEqualTypeOf<
    keyof NonNullable<Parsed['health']>
  >();
});

/** Never called: what matters is that the compiler finds each mistake. */
export function wrongCalls(shelf: Shelf): unknown[] {
  const schedule = { profile: 'main', cron: '0 6 * * *', timeZone: 'UTC' };
  return [
    // @ts-expect-error -- the option is called skipInvalid
    shelf.import({ file: 'a.csv' }, { skipInvalids: true }),
    // @ts-expect-error -- there is no such mode
    shelf.import({ file: 'a.csv' }, { mode: 'replace' }),
    // @ts-expect-error -- a function needs a version
    shelf.import({ rows: [{ a: 1 }] }, { map: () => ({ name: 'A' }) }),
    // @ts-expect-error -- items have no title
    shelf.import({ rows: [{ a: 1 }] }, { map: () => ({ title: 'A' }), mapVersion: '1' }),
    // @ts-expect-error -- there is no such status
    shelf.set({ status: 'gone' }, { where: { brand: 'X' } }),
    // @ts-expect-error -- the operator is called gte
    shelf.items({ where: { estimated_value: { atLeast: 20 } } }),
    // @ts-expect-error -- there is no such report
    shelf.report({ kind: 'stock' }),
    // @ts-expect-error -- the key is called keyEnv
    { profiles: { main: { apiUrl: 'https://x', key_env: 'KEY' } } } satisfies WorkerConfig,
    // @ts-expect-error -- an export has no asOf
    { ...schedule, task: { export: 'items', out: 'a.csv', asOf: '2026-10-31' } } satisfies Schedule,
    // @ts-expect-error -- the field is called brand
    ({} as Item).brnd,
    // @ts-expect-error -- no extra field was named
    ({} as Item).location,
    ({} as Item<{ location: string }>).location.trim(),
    // @ts-expect-error -- only a parked job has a reason
    ({} as JobResult).reason,
    // @ts-expect-error -- there is no such state
    ({} as JobResult).state === 'parked_limit',
    // @ts-expect-error -- the key is called collection
    { path: 'drop', profile: 'main', import: { colection: 'Main' } } satisfies HotFolder,
  ];
}
