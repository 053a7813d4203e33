/** How an import without a template would read the rows of a job: from its stored cells, without the file. */
import { UsageError } from '../../base/errors.ts';
import type { JobRecord } from '../../ledger/ledger.ts';
import { SAMPLE_ROWS } from '../../mapping/infer/infer-columns.ts';
import { NO_TEMPLATE } from '../../mapping/template/load-template.ts';
import type { Template } from '../../mapping/template/template.ts';
import { message } from '../../messages/message.ts';
import type { Cell } from '../../sheets/cell.ts';
import type { SheetTable } from '../../sheets/table.ts';
import type { JobDeps } from '../job/deps.ts';
import { type JudgedTable, type Judging, tableOf } from '../job/judging.ts';
import { type ImportRequest, RecipeOptions } from '../job/options.ts';
import { rowPages } from '../job/row-pages.ts';
import { inferMapping } from '../stage/infer-mapping.ts';
import { storedCells } from '../stage/judge-row.ts';
import { SourceTables } from '../stage/source-tables.ts';

/**
 * The columns as an import with `--template none` would use them, whoever chose the template of the job.
 *
 * @throws UsageError `cannot_mend` for a job that changes items; as an import does if no column is the name
 */
export async function readingWithoutTemplate(
  job: JobRecord,
  judging: Judging,
  deps: JobDeps,
): Promise<Template> {
  const [first] = judging.tables;
  if (job.mode !== 'create' || first === undefined)
    throw new UsageError('cannot_mend', message('only_new_without_template', { job: job.id }));
  const cells: Cell[][] = [];
  for await (const page of rowPages(deps.ledger, job.id)) {
    // Other sheets may have their columns in another order.
    for (const row of page)
      if (row.copy === 0 && tableOf(judging.tables, row) === first) cells.push(storedCells(row, first.order));
    if (cells.length >= SAMPLE_ROWS) break;
  }
  const sample = cells.slice(0, SAMPLE_ROWS);
  const { match: _, ...recipe } = RecipeOptions.parse(job.request.recipe ?? {});
  const { readAs = {} } = job.request;
  const rates = pairsOf(readAs['rate']);
  const keepUnknown = readAs['keep-unknown'] === true;
  const request: ImportRequest = {
    ...recipe,
    file: job.source.file,
    template: NO_TEMPLATE,
    map: pairsOf(readAs['map']),
    defaults: pairsOf(readAs['default']),
    ...(Object.keys(rates).length === 0 ? {} : { rates }),
    ...(keepUnknown ? { keepUnknown } : {}),
    // Nobody has agreed to show the other columns to everybody.
    ...(readAs['drop-unknown'] === true || (job.plan.intoPublic === true && !keepUnknown)
      ? { dropUnknown: true }
      : {}),
  };
  const table = openedAs(job, first);
  const { template } = await inferMapping(request, table, { cells: () => Promise.resolve(sample) }, deps);
  const [judged] = new SourceTables(request, template, table, undefined, sample).judging(0).tables;
  return judged?.template ?? first.template;
}

/** A table that has the columns of the file, and no rows. */
function openedAs({ source }: JobRecord, { sheet, headers, letters, format }: JudgedTable): SheetTable {
  const isHeadless = headers.every((header, index) => header === letters[index]);
  return {
    file: source.file,
    format,
    ...(sheet === undefined ? {} : { sheet }),
    sheets: [],
    headers,
    letters,
    headerRow: isHeadless ? 0 : 1,
    detected: [],
    notes: [],
    doubts: [],
    batches: (async function* () {})(),
    skipped: { blank: 0, repeatedHeader: 0, totals: 0 },
  };
}

/** Pairs of a command's option, as the job keeps them. */
function pairsOf(pairs: unknown): Record<string, string> {
  if (!Array.isArray(pairs)) return {};
  return Object.fromEntries(
    pairs.map((pair: string) => {
      const at = pair.indexOf('=');
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}
