/** What inference gets right on made-up tables after the shapes of public exports, whose answers are known. */
import { scoreInference } from '../../test/inference/score.ts';
import { knownTables } from '../../test/inference/tables.ts';

export const name = 'inference';

export async function run(): Promise<string> {
  const tables = knownTables();
  const { fields, faults, wrongUnasked } = scoreInference(tables);
  const lines = fields.map(({ field, certain, asked, missed, precision, recall }) =>
    [
      '',
      field,
      percent(precision),
      percent(recall),
      `${certain.right} / ${certain.wrong}`,
      `${asked.right} / ${asked.wrong}`,
      missed,
      '',
    ].join(' | '),
  );
  for (const fault of faults) process.stderr.write(`${fault}\n`);
  return [
    `${tables.length} tables; questions count as answers. ${wrongUnasked.length} columns are wrong and would be used unasked.`,
    '',
    '| field | precision | recall | certain: right / wrong | asked: right / wrong | missed |',
    '|---|---|---|---|---|---|',
    ...lines.map((line) => line.trim()),
  ].join('\n');
}

function percent(share: number): string {
  return Number.isNaN(share) ? '–' : `${Math.round(100 * share)} %`;
}
