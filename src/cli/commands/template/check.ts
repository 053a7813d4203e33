import { messageJson } from '../../show/actions.ts';
import { english, inOneLine, message } from '../../../messages/message.ts';
import type { CommandModule } from 'yargs';
import { ExitCode } from '../../../base/exit-code.ts';
import type { CheckedRow, TemplateCheck } from '../../../mapping/template/check-template.ts';
import { describeReason } from '../../../mapping/issue-reasons.ts';
import { examples } from '../../examples.ts';
import { addFlags, type FlagsOf } from '../../flags.ts';
import { print, printJson } from '../../show/output.ts';
import { defined } from '../../../base/defined.ts';
import { saidOf } from '../../../base/errors.ts';
import { templateAdvice } from '../../../mapping/issue-actions.ts';
import { say } from '../../show/say.ts';

const ROWS_SHOWN = 5;

export const check: CommandModule<object, FlagsOf<'template check'>> = {
  command: 'check <file>',
  describe: 'Try a template on a file: show the first rows before and after, and the problems.',
  builder: (yargs) =>
    addFlags(yargs, 'template check').example(
      examples({
        '$0 template check toys.csv --template generic': 'nothing is sent, and no key is needed',
        '$0 template check toys.csv --template generic --rows 20 --json': 'for scripts',
      }),
    ),
  handler: async (flags) => {
    const { checkTemplate } = await import('../../../mapping/template/check-template.ts');
    const { readOptions } = await import('../../read-options.ts');
    const { CheckOptions, ReadOptions } = await import('../../options.ts');
    const { rows = ROWS_SHOWN, template, ...mark } = readOptions(CheckOptions, flags);
    const { askingFilePassword } = await import('../../session.ts');
    const password = askingFilePassword(flags);
    const options = { ...readOptions(ReadOptions, flags), ...mark, password };
    const checked = await checkTemplate(flags.file, template, options, rows);
    process.exitCode = checked.counts.invalid > 0 ? ExitCode.rows : ExitCode.ok;
    if (flags.json === true) printJson(asJson(checked));
    else print(inWords(checked));
  },
};

function asJson(checked: TemplateCheck): Record<string, unknown> {
  return {
    ...checked,
    rows: checked.rows.map(({ row, before, after, skipped, copies, issues }) => ({
      row,
      before,
      ...defined({ after, skipped, copies }),
      issues: issues.map(({ said: __, ...issue }) => issue),
    })),
    detected: inOneLine(checked.detected),
    columns: checked.columns.map((column) => ({
      ...column,
      reason: english(column.reason),
      why: messageJson(column.reason),
    })),
    notes: checked.notes.map((note) => english(note)),
  };
}

function inWords(checked: TemplateCheck): string {
  const { columns, counts, notes, problems } = checked;
  const used = columns.filter((column) => column.target !== undefined);
  const ignored = columns.filter((column) => column.target === undefined);
  const lines = [
    checked.file,
    say(message('detected_as', { parts: checked.detected })),
    say(message('columns_used', { pairs: used.map((column) => `${headed(column)} → ${column.target}`) })),
  ];
  if (ignored.length > 0) {
    const columns = ignored.map((column) => `${headed(column)} (${say(column.reason)})`);
    lines.push(say(message('columns_ignored', { columns })));
  }
  if (checked.mode !== 'create')
    lines.push(say(message('mode_and_match', { mode: checked.mode, match: checked.match.join(' + ') })));
  for (const note of notes) lines.push(`${say(message('label_note', {}))}: ${say(note)}`);
  for (const row of checked.rows) lines.push('', ...rowInWords(row));
  const { items, ...rows } = counts;
  lines.push('', say(message('rows_checked', { ...rows, ...(items === rows.valid ? {} : { items }) })));
  for (const problem of problems) {
    const { line, values } = describeReason(problem);
    lines.push(`  ${say(line)}`);
    if (values !== undefined) lines.push(`    ${say(values)}`);
    for (const { label } of templateAdvice(problem)) lines.push(`    ${say(label)}`);
  }
  return lines.join('\n');
}

const LABELS = (['label_before', 'label_after', 'label_skipped', 'label_wrong'] as const).map((code) =>
  message(code, {}),
);

function headed({ header, letter }: { header: string; letter: string }): string {
  return header || say(message('column_without_header', { letter }));
}

function rowInWords({ row, before, after, skippedSaid, copies, issues }: CheckedRow): string[] {
  const labels = LABELS.map(say);
  const width = Math.max(...labels.map((label) => label.length)) + 1;
  const [beforeLabel = '', afterLabel = '', skippedLabel = '', wrongLabel = ''] = labels.map((label) =>
    label.padEnd(width),
  );
  const lines = [say(message('row_of_sheet', { row })), `  ${beforeLabel}${pairs(before)}`];
  if (skippedSaid !== undefined) return [...lines, `  ${skippedLabel}${say(skippedSaid)}`];
  const items = copies === undefined ? '' : ` · ${say(message('counted_items', { number: copies }))}`;
  lines.push(`  ${afterLabel}${pairs(after ?? {})}${items}`);
  for (const issue of issues) lines.push(`  ${wrongLabel}${say(saidOf(issue))}`);
  return lines;
}

function pairs(values: Record<string, unknown>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? oneLine(value) : JSON.stringify(value)}`)
    .join(' · ');
}

/** Shows any content of a cell as one line. */
function oneLine(text: string): string {
  const short = text.length > 60 ? `${text.slice(0, 59).toWellFormed()}…` : text;
  return short.replace(/\p{Cc}+/gu, ' ');
}
