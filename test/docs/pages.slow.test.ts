/**
 * The commands of docs/*.md run as printed, page by page and in order, against a practice server.
 */
import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { newPlace } from '../cli/run-shelflift.ts';
import { root, stepsOf } from './steps.ts';

const pages = readdirSync(join(root, 'docs'))
  // The commands of reseller.md have a test of their own, which also looks at what they do.
  .filter((name) => name.endsWith('.md') && name !== 'reseller.md')
  .filter((name) => stepsOf(name).length > 0);

test('each page about a task has commands that run', () => {
  expect(pages).toEqual(
    expect.arrayContaining(['change.md', 'export.md', 'import.md', 'mend.md', 'operate.md', 'report.md']),
  );
});

test.each(pages)('the commands in docs/%s run as printed', async (page) => {
  await using sandbox = await startSandbox({ seed: 7 });
  const place = newPlace({ SHELFLIFT_API_URL: sandbox.url, SHELFLIFT_API_KEY: sandbox.key });
  cpSync(join(root, 'samples'), join(place.folder, 'samples'), { recursive: true });
  // Where the page is not about the first import, there has been one.
  if (page !== 'import.md')
    await place.shell('shelflift import samples/die-cast.csv --template die-cast --collection Trains');
  for (const { line, exit } of stepsOf(page)) {
    const { code, stderr, stdout } = await place.shell(line);
    expect(code, `${line}\n${stdout}\n${stderr}`).toBe(exit);
  }
});
