/** A report for programs, in tidy form: one figure per row. */
import { english } from '../messages/message.ts';
import { createHash } from 'node:crypto';
import { createTableWriter } from '../sheets/write-table.ts';
import type { TableColumn } from '../sheets/table-writer.ts';
import type { Report, Row, Section } from './model.ts';
import { ValueFormat, machineText } from './value-text.ts';

const COLUMNS: TableColumn[] = ['section', 'key', 'currency', 'measure', 'value'].map((header) => ({
  header,
  kind: header === 'value' ? 'number' : 'text',
}));

type TextOf = typeof machineText;
type Line = [section: string, key: string, currency: string, measure: string, value: string];

/**
 * Columns: section, key, currency, measure, value. A section's totals are in a separate section (`by_brand_total`), so
 * that no brand can be mistaken for them. Unknown values are blank.
 *
 * @param locale format of figures and times; undefined: plain digits
 */
export async function writeCsv(report: Report, file: string, locale?: string): Promise<{ sha256: string }> {
  const format = locale === undefined ? undefined : new ValueFormat(locale);
  const textOf: TextOf = (value, kind, currency) =>
    format === undefined ? machineText(value, kind, currency) : format.text(value, kind, currency);
  const writer = await createTableWriter({ file, format: 'csv', columns: COLUMNS });
  try {
    await writer.write([
      ['report', report.name, '', 'at', format === undefined ? report.at : format.time(report.at)],
    ]);
    await writer.write(report.facts.map(([label, text]) => ['report', label, '', 'fact', text]));
    await writer.write(report.warnings.map((said) => ['report', '', '', 'warning', english(said)]));
    for (const section of report.sections) await writer.write([...lines(section, textOf)]);
    return await writer.finish();
  } catch (error) {
    await writer.abort();
    throw error;
  }
}

/** A section as a plain table: its columns, preceded by the currency if the rows have one. Totals are left out. */
export async function writeTable(
  { columns, blocks }: Section,
  file: string,
): Promise<{ rows: number; sha256: string }> {
  const hasCurrency =
    columns.some(({ kind }) => kind === 'money') || blocks.some(({ currency }) => currency !== undefined);
  const writer = await createTableWriter({
    file,
    format: 'csv',
    columns: [
      ...(hasCurrency ? [{ header: 'currency', kind: 'text' as const }] : []),
      ...columns.map(
        ({ key, kind }): TableColumn => ({
          header: key,
          kind: kind === 'text' || kind === 'time' ? 'text' : 'number',
        }),
      ),
    ],
  });
  try {
    for (const { currency = '', rows } of blocks)
      await writer.write(
        rows.map(({ values }) => [
          ...(hasCurrency ? [currency] : []),
          ...columns.map(({ kind }, index) => machineText(values[index] ?? null, kind, currency)),
        ]),
      );
    return await writer.finish();
  } catch (error) {
    await writer.abort();
    throw error;
  }
}

/** Lower-case hex: equal for equal figures, at any time of reading and in any format. */
export function hashFigures({ sections }: Pick<Report, 'sections'>): string {
  const hash = createHash('sha256');
  for (const section of sections)
    for (const line of lines(section, machineText)) hash.update(`${JSON.stringify(line)}\n`);
  return hash.digest('hex');
}

function* lines(section: Section, textOf: TextOf): Generator<Line> {
  for (const { currency, rows, total } of section.blocks) {
    for (const row of rows) yield* cells(section, section.id, row, currency, textOf);
    if (total !== undefined)
      yield* cells(section, `${section.id}_total`, { ...total, key: '' }, currency, textOf);
  }
}

function* cells(
  section: Section,
  id: string,
  row: Row,
  currency: string | undefined,
  textOf: TextOf,
): Generator<Line> {
  for (const [index, { key, kind }] of section.columns.entries()) {
    const value = row.values[index] ?? null;
    // Skip what the key already says, and the word "Total".
    if (index === 0 && (value === row.key || row.key === '')) continue;
    const text = textOf(value, kind, currency);
    yield [id, row.key, currency ?? '', key, text];
  }
}
