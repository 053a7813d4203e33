/** A paused job that is mended keeps its rows: a longer version of its file sends only what is new. */
import { describe, expect, it } from 'vitest';
import { correctAndReport, type CorrectionRequest } from '../../src/import/correction/correct-job.ts';
import type { ImportRequest } from '../../src/import/job/options.ts';
import { csv } from '../support/csv.ts';
import { type OpenImport, openImport } from '../support/open-import.ts';

const HEADERS = ['name', 'brand', 'condition', 'custom_fields.sku'];
const toy = (name: string, condition = 'mint_on_card') => [name, 'Siku', condition, `S-${name}`];
const BRAND: CorrectionRequest = { changes: [{ type: 'cell', row: 4, column: 'brand', text: 'Matchbox' }] };
const WORD: CorrectionRequest = {
  changes: [{ type: 'word', field: 'condition', word: 'shiny', means: 'loose_mint' }],
};
const ONLY_NEW: Partial<ImportRequest> = { run: { onlyNew: true, skipInvalid: true } };

async function send(at: OpenImport, rows: string[][], request: Partial<ImportRequest>) {
  return at.import({ file: await at.file('toys.csv', csv(HEADERS, rows)), ...request });
}

/** Sends the first row of a file, and mends the job. */
async function mended(at: OpenImport, rows: string[][], ...corrections: CorrectionRequest[]) {
  const { summary } = await send(at, rows, { run: { first: 1, skipInvalid: true } });
  for (const each of corrections) await mend(at, summary.job, each);
  return summary.job;
}

function mend(at: OpenImport, job: string, correction: CorrectionRequest) {
  return at.run((deps) => correctAndReport(job, correction, deps));
}

const stored = (at: OpenImport) =>
  at
    .items()
    .map(({ name, brand, condition }) => `${name} ${brand} ${condition}`)
    .sort((a, b) => (a < b ? -1 : 1));

describe('an import of a longer file leaves to the mended job', () => {
  const rows = ['A', 'B', 'C', 'D'].map((name) => toy(name));
  const longer = [...rows, toy('E')];

  it.each<[string, CorrectionRequest[], string]>([
    ['a corrected row', [BRAND], 'C Matchbox mint_on_card'],
    [
      'rows that a rule has changed',
      [{ changes: [{ type: 'default', field: 'brand', value: 'X' }] }],
      'C Siku mint_on_card',
    ],
    ['a row whose correction was undone', [BRAND, { undo: 1 }], 'C Siku mint_on_card'],
  ])('%s', async (_, corrections, c) => {
    await using at = await openImport();
    const job = await mended(at, rows, ...corrections);
    const grown = await send(at, longer, ONLY_NEW);
    expect(at.names()).toEqual(['A', 'E']);
    expect(grown.exitCode).toBe(3);
    expect(grown.summary.unsentElsewhere).toEqual({ rows: 3, jobs: [job] });
    expect((await at.resume(job)).exitCode).toBe(0);
    expect(at.names()).toEqual(['A', 'B', 'C', 'D', 'E']);
    expect(stored(at)).toContain(c);
  });

  it('all of its rows, even if nobody answers', async () => {
    await using at = await openImport();
    await mended(at, rows, BRAND);
    await expect(send(at, longer, {})).rejects.toMatchObject({
      code: 'rows_sent_before',
      message: expect.stringMatching(
        /^4 of 5 rows were sent before .* has not sent 3 of them yet; 1 is new\./,
      ),
    });
  });
});

it('a row that was mended in two jobs is created once', async () => {
  await using at = await openImport();
  const rows = [toy('A'), toy('B'), toy('C', 'shiny')];
  const job = await mended(at, rows);
  const grown = await send(at, [...rows, toy('E')], ONLY_NEW);
  await mend(at, job, WORD);
  await mend(at, grown.summary.job, WORD);
  await at.resume(grown.summary.job, { onlyNew: true });
  expect((await at.resume(job, { onlyNew: true })).exitCode).toBe(0);
  expect(at.names()).toEqual(['A', 'B', 'C', 'E']);
});

it('a mended job still sends its copies of a row after a longer file with one more copy was imported', async () => {
  await using at = await openImport();
  const rows = [toy('A'), toy('A'), toy('A')];
  const job = await mended(at, rows);
  const grown = await send(at, [...rows, toy('A')], ONLY_NEW);
  expect(grown.summary.rows).toMatchObject({ created: 1, skipped: 3 });
  await mend(at, job, BRAND);
  expect((await at.resume(job, { onlyNew: true })).summary.rows.created).toBe(3);
  expect(stored(at)).toEqual([
    'A Matchbox mint_on_card',
    'A Siku mint_on_card',
    'A Siku mint_on_card',
    'A Siku mint_on_card',
  ]);
});
