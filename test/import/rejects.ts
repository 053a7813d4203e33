/** Imports of equal rows of which the server refuses some, and of their rejects as a spreadsheet program saves them. */
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { RunOptions } from '../../src/import/job/options.ts';
import type { JobOutcome } from '../../src/import/results/summary.ts';
import { csv, parseCsv } from '../support/csv.ts';
import { type OpenImport, type RunSetting } from '../support/open-import.ts';
import { overriding } from '../support/overriding.ts';

export const HEADERS = ['name', 'brand', 'release_year'];
export const ROBOT = ['Robot', 'Kenner', '1984'];
export const BEAR = ['Bear', 'Steiff', '1950'];

/** The server refuses the requests with these numbers, counted from 1: only it knows which collections exist. */
export function refusing(...numbers: number[]): RunSetting {
  let creates = 0;
  return {
    wrap: (client) =>
      overriding(client, {
        createItem: (body, options) => {
          creates += 1;
          return client.createItem(
            numbers.includes(creates) ? { ...body, collection_id: randomUUID() } : body,
            options,
          );
        },
      }),
  };
}

let copies = 0;

/** Imports a copy of a file, saved by a spreadsheet program that may have changed the order of its lines and columns. */
export async function again(
  at: OpenImport,
  path: string,
  run: RunOptions = { yes: true },
  edit: (lines: Record<string, string>[]) => Record<string, string>[] = (lines) => lines,
  setting: RunSetting = {},
): Promise<JobOutcome & { told: string }> {
  copies += 1;
  const lines = edit(parseCsv(await readFile(path, 'utf8')));
  const headers = Object.keys(lines[0] ?? {}).toReversed();
  const text = csv(
    headers,
    lines.map((line) => headers.map((header) => line[header] ?? '')),
  );
  const told: string[] = [];
  const outcome = await at.import(
    { file: await at.file(`saved ${copies}.csv`, text), run },
    {
      ...setting,
      onEvent: (event) => (event.type === 'note' || event.type === 'warning') && told.push(event.message),
    },
  );
  return { ...outcome, told: told.join('\n') };
}

export const alive = (at: OpenImport) => at.items().filter(({ status }) => status !== 'archived').length;
