/** `-` is a table on standard input. */
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { makeOds, odsRow, odsText } from '../sheets/support/make-ods.ts';
import { newPlace, TOYS } from './run-shelflift.ts';

async function newShop(api: { url: string; key: string }) {
  const temporary = await mkdtemp(join(tmpdir(), 'stdin-'));
  const place = newPlace({
    SHELFLIFT_API_URL: api.url,
    SHELFLIFT_API_KEY: api.key,
    SHELFLIFT_STORE: 'l.db',
    TMPDIR: temporary,
  });
  return { place, temporary };
}

it('a table on standard input is imported like a file, once, and leaves no copy', async () => {
  await using api = await startSandbox();
  const { place, temporary } = await newShop(api);
  const args = ['import', '-', '--collection', 'Main', '--json'];
  const first = await place.run(args, { stdin: TOYS.replaceAll(',', '\t') });
  expect(first.code, first.stderr).toBe(0);
  const summary = JSON.parse(first.stdout) as { rows: { created: number }; files: { results: string } };
  expect(summary.rows.created).toBe(3);
  expect(summary.files.results).toBe(join(place.folder, 'stdin.results.csv'));
  expect(readFileSync(summary.files.results, 'utf8').split('\n')[1]).toMatch(/^Robot\tAcme\t1985\t/u);
  expect(first.stderr).toMatch(/^stdin\ndetected: tab/mu);
  expect(readdirSync(temporary)).toEqual([]);

  const again = await place.run(args, { stdin: TOYS.replaceAll(',', '\t') });
  expect(JSON.parse(again.stdout)).toMatchObject({ state: 'already_applied' });
});

it('import and template infer both read a workbook on standard input', async () => {
  await using api = await startSandbox();
  const { place, temporary } = await newShop(api);
  const book = makeOds({
    sheets: ['Name,Year', 'Robot,1985', 'Bear,1999']
      .map((line) =>
        odsRow(
          line
            .split(',')
            .map((text) => odsText(text))
            .join(''),
        ),
      )
      .join(''),
  });
  const outcome = await place.run(['import', '-', '--collection', 'Main', '--dry-run', '--json'], {
    stdin: book,
  });
  expect(JSON.parse(outcome.stdout), outcome.stderr).toMatchObject({ rows: { pending: 2 } });
  const inferred = await place.run(['template', 'infer', '-', '--json'], { stdin: TOYS });
  expect(JSON.parse(inferred.stdout)).toMatchObject({ file: 'stdin', rows: 3 });
  expect(inferred.stdout).not.toContain(temporary);
  expect(readdirSync(temporary)).toEqual([]);
});

it('errors name stdin, and the command that reads it', async () => {
  await using api = await startSandbox();
  const { place, temporary } = await newShop(api);
  const fail = async (stdin: string, ...more: string[]) => {
    const run = await place.run(['import', '-', '--collection', 'Main', ...more], { stdin });
    expect(run.code).toBe(2);
    expect(run.stderr).not.toContain(temporary);
    return run.stderr;
  };
  expect(await fail('')).toContain('stdin is empty.');
  // Nobody can answer where the table comes from.
  const unsure = 'Zst,Ding\nMOC,Luke Skywalker\nloose,Leia Organa\nmint,Han Solo\n';
  expect(await fail(unsure)).toContain('shelflift template infer - --out');
});
