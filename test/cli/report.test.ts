import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { opener } from '../../src/cli/open-file.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { newPlace } from './run-shelflift.ts';

test('report prints a summary that names the file with --json, and a sentence without --json', async () => {
  await using api = await startSandbox({ seed: 7, seedItems: 12 });
  const place = newPlace({ SHELFLIFT_API_URL: api.url, SHELFLIFT_API_KEY: api.key });
  const { code, stdout } = await place.call(['report', 'inventory', '--out', 'inventory.html', '--json']);
  const summary = JSON.parse(stdout) as { file: string };
  expect({ code, summary }).toEqual({
    code: 0,
    summary: {
      file: join(place.folder, 'inventory.html'),
      report: 'inventory',
      format: 'html',
      rows: 12,
      consistency: 'stable',
      passes: 1,
      bytes: expect.any(Number),
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      manifest: join(place.folder, 'inventory.html.manifest.json'),
      comparedWith: null,
    },
  });
  expect(existsSync(summary.file)).toBe(true);
  const again = await place.call(['report', 'inventory', '--out', 'inventory.csv', '--status', 'keep']);
  expect(again.stdout).toContain(`→ ${join(place.folder, 'inventory.csv')}`);
});

test('report reports mistakes without any request to the API', async () => {
  const place = newPlace({ SHELFLIFT_API_URL: 'http://127.0.0.1:9', SHELFLIFT_API_KEY: 'key' });
  for (const [words, hint] of [
    ['report inventory', 'shelflift report inventory --out inventory.html'],
    ['report inventory --out x.pdf', 'use .xlsx, .html or .csv'],
    ['report sales --out x.html --currency dollars', 'not an ISO 4217 currency'],
    ['report invntory --out x.html', 'Did you mean inventory?'],
  ] as const) {
    const { code, stderr } = await place.call(words.split(' '));
    expect({ words, code }).toEqual({ words, code: 2 });
    expect(stderr).toContain(hint);
  }
});

test('--open passes any file name unchanged to the desktop’s program', async () => {
  await using api = await startSandbox({ seed: 7, seedItems: 3 });
  const place = newPlace({ SHELFLIFT_API_URL: api.url, SHELFLIFT_API_KEY: api.key });
  const opened = join(place.folder, 'opened');
  const program = place.file(
    'xdg-open',
    `#!/bin/sh\nprintf '%s' "$1" > '${opened}.part' && mv '${opened}.part' '${opened}'\n`,
  );
  chmodSync(program, 0o755);
  const name = "a'; touch pwned; $(touch pwned).html";
  const PATH = `${place.folder}:${place.environment['PATH'] ?? ''}`;
  const run = await place.call(['report', 'sales', '--out', name, '--open'], { PATH });
  expect(run.code, run.stderr).toBe(0);
  for (let tries = 0; !existsSync(opened) && tries < 200; tries += 1) await wait(25);
  expect(readFileSync(opened, 'utf8')).toBe(join(place.folder, name));
  expect(existsSync(join(place.folder, 'pwned'))).toBe(false);

  const without = await place.call(['report', 'sales', '--out', 'sales.html', '--open'], {
    PATH: place.folder.concat('/nothing'),
  });
  expect(without.code).toBe(0);
  expect(without.stderr).toContain('found no program to open files with');
});

test('each platform opens files with its own program, and never with a shell', () => {
  expect(opener('x.html', 'linux')).toEqual({ command: 'xdg-open', args: ['x.html'] });
  expect(opener('x.html', 'darwin')).toEqual({ command: 'open', args: ['x.html'] });
  expect(opener('x.html', 'win32')).toEqual({ command: 'explorer.exe', args: ['x.html'] });
});
