/** 200,000 rows that a program gives take no more memory than it needs for ten. */
import { spawn } from 'node:child_process';
import { expect, it } from 'vitest';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { temporaryFolder } from '../support/open-import.ts';
import { ended } from '../cli/run-shelflift.ts';

const ROWS = 200_000;
/** With 250 bytes more kept of each row, the program runs out of memory. */
const MAX_HEAP_MB = 80;
const library = JSON.stringify(new URL('../../src/index.ts', import.meta.url).href);

it.each([
  ['rows', `{ rows: rows((row) => ({ name: 'Toy ' + row })) }`],
  ['a stream', `{ stream: rows((row) => Buffer.from(row === 0 ? 'name\\n' : 'Toy ' + row + '\\n')) }`],
])('a plan of 200,000 rows from %s stays within a small heap', async (_, source) => {
  await using sandbox = await startSandbox();
  const folder = await temporaryFolder();
  const program = `
    import { open } from ${library};
    async function* rows(make) { for (let row = 0; row <= ${ROWS}; row += 1) yield make(row); }
    await using shelf = await open({ apiUrl: process.argv[1], key: process.argv[2], store: process.argv[3] });
    const { summary } = await shelf.plan(${source}, { collection: 'Main', results: process.argv[4] });
    console.log(summary.rows.read);`;
  const argv = ['--input-type=module', `--max-old-space-size=${MAX_HEAP_MB}`, '--eval', program];
  const { code, stdout, stderr } = await ended(
    spawn(process.execPath, [...argv, sandbox.url, sandbox.key, `${folder}/ledger.db`, folder]),
  );
  expect(code, stderr).toBe(0);
  expect(Number(stdout)).toBeGreaterThanOrEqual(ROWS);
});
