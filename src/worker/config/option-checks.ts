/** Checks the values of task and import options, so that problems are reported before a run fails. */
import { defined } from '../../base/defined.ts';
import { UsageError } from '../../base/errors.ts';
import { checkColumns } from '../../export/query.ts';
import { checkOptions } from '../../export/request.ts';
import { message, withActions } from '../../messages/message.ts';
import { isTarget, TARGET_NAMES } from '../../mapping/targets.ts';
import { loadTemplate, NO_TEMPLATE } from '../../mapping/template/load-template.ts';
import { checkReportOptions } from '../../reports/request.ts';
import type { YamlProblem } from '../../base/yaml-file.ts';
import { templatePath } from '../tasks/template-path.ts';
import { listOf, mapOf } from './cross-checks.ts';
import { withoutDashes } from './spellings.ts';
import { ImportTask, SourceImport } from './import-options.ts';
import { type Task, TaskOptions } from './task-options.ts';

/** The option that an error concerns; undefined if the error concerns the whole task. */
const OPTIONS: Record<string, keyof Task> = {
  unknown_status: 'status',
  unknown_column: 'columns',
  double_column: 'columns',
  layout_and_columns: 'columns',
  no_such_layout: 'template',
  bad_layout: 'template',
  needs_xlsx: 'template',
  bad_locale: 'locale',
  bad_delimiter: 'delimiter',
  bad_currency: 'currency',
  bad_by: 'by',
  bad_period: 'since',
};

/** @param folder where relative paths start */
export async function optionProblems(value: unknown, folder: string): Promise<YamlProblem[]> {
  const config = mapOf(value);
  const problems: YamlProblem[] = [];
  for (const [name, schedule] of Object.entries(mapOf(config['schedules'])))
    problems.push(...(await taskProblems(['schedules', name, 'task'], mapOf(schedule)['task'], folder)));
  for (const [index, watched] of listOf(config['hotFolders']).entries())
    problems.push(
      ...(await importProblems(
        ['hotFolders', index, 'import'],
        mapOf(watched)['import'],
        ImportTask,
        folder,
      )),
    );
  return problems;
}

/** Finds problems one at a time: it removes an invalid option and checks the rest again. */
async function taskProblems(path: PropertyKey[], written: unknown, folder: string): Promise<YamlProblem[]> {
  const { data: task } = TaskOptions.safeParse(written);
  if (task === undefined) return [];
  if (task.import !== undefined)
    return importProblems([...path, 'import'], mapOf(written)['import'], SourceImport, folder);
  const problems: YamlProblem[] = [];
  for (;;) {
    const error = await wrongIn(task, folder);
    if (error === undefined) return problems;
    const option = OPTIONS[error.code];
    const there = option !== undefined && task[option] !== undefined;
    const key = Object.keys(mapOf(written)).find((each) => there && option in withoutDashes({ [each]: '' }));
    problems.push({
      path: key === undefined ? path : [...path, key],
      said: withActions(error.said, ...error.actions),
    });
    if (!there) return problems;
    delete task[option];
  }
}

async function wrongIn(task: Task, folder: string): Promise<UsageError | undefined> {
  const {
    export: resource,
    report,
    import: _source,
    template,
    columns,
    out,
    period: _period,
    asOf: _asOf,
    ...options
  } = task;
  // `Task` reports a missing `out`, and neither or both of export and report.
  if ((resource === undefined) === (report === undefined) || out === undefined) return undefined;
  const given = defined(options);
  try {
    if (report !== undefined && report !== 'month')
      await checkOptions(checkReportOptions({ ...given, report, out }).reading);
    if (resource === undefined) return undefined;
    checkColumns(resource, columns);
    const layout = template === undefined ? {} : { template: templatePath(template, folder) };
    await checkOptions({ ...given, ...layout, ...(columns === undefined ? {} : { columns }), resource, out });
    return undefined;
  } catch (error) {
    // `Task` reports a wrong file ending.
    if (error instanceof UsageError && error.code !== 'unknown_format') return error;
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}

async function importProblems(
  path: PropertyKey[],
  written: unknown,
  schema: typeof ImportTask | typeof SourceImport,
  folder: string,
): Promise<YamlProblem[]> {
  const { data: task } = schema.safeParse(written ?? {});
  if (task === undefined) return [];
  const problems: YamlProblem[] = [];
  if (task.template !== undefined) {
    try {
      if (task.template !== NO_TEMPLATE) await loadTemplate(templatePath(task.template, folder));
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      problems.push({ path: [...path, 'template'], said: withActions(error.said, ...error.actions) });
    }
  }
  for (const option of ['map', 'default'] as const)
    for (const field of Object.keys(task[option] ?? {}))
      if (!isTarget(field))
        problems.push({
          path: [...path, option, field],
          said: message('no_field_expected', { field, expected: TARGET_NAMES }),
        });
  return problems;
}
