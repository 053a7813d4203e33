import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openAtomicFile, writeFileAtomic } from '../../src/sheets/atomic-file.ts';
import { needsRoot } from '../support/root.ts';

const NOBODY = 65_534;

function newFolder(): (name: string) => string {
  const folder = mkdtempSync(join(tmpdir(), 'shelflift-atomic-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return (name) => join(folder, name);
}

const modeOf = (file: string) => statSync(file).mode & 0o777;

describe.skipIf(process.platform === 'win32')('an atomically written file', () => {
  test.each([0o600, 0o640, 0o666])('keeps the mode of the file that it replaces', async (mode) => {
    const path = newFolder();
    const file = path('a.csv');
    writeFileSync(file, 'old');
    chmodSync(file, mode);
    const written = await openAtomicFile(file);
    await written.write('new');
    await written.commit();
    expect([readFileSync(file, 'utf8'), modeOf(file)]).toEqual(['new', mode]);
  });

  test('gets the given mode, even if it replaces another file', async () => {
    const file = newFolder()('a.csv');
    for (const mode of [0o640, 0o600]) {
      const written = await openAtomicFile(file, mode);
      await written.commit();
      expect(modeOf(file)).toBe(mode);
    }
  });

  test('replaces the target of a link, and the link stays a link', async () => {
    const path = newFolder();
    writeFileSync(path('target.csv'), 'old', { mode: 0o600 });
    symlinkSync('target.csv', path('link.csv'));
    await writeFileAtomic(path('link.csv'), 'new');
    expect(lstatSync(path('link.csv')).isSymbolicLink()).toBe(true);
    expect([readFileSync(path('target.csv'), 'utf8'), modeOf(path('target.csv'))]).toEqual(['new', 0o600]);
  });

  test('is refused if a link leads nowhere, or if the name is not that of a regular file', async () => {
    const path = newFolder();
    symlinkSync(path('nothing.csv'), path('link.csv'));
    await expect(writeFileAtomic(path('link.csv'), 'new')).rejects.toMatchObject({
      code: 'cannot_write',
      message: expect.stringContaining('it is a link to a file that is not there') as string,
    });
    expect(existsSync(path('nothing.csv'))).toBe(false);
    await using server = createServer().listen(path('socket'));
    await once(server, 'listening');
    await expect(writeFileAtomic(path('socket'), 'new')).rejects.toMatchObject({
      code: 'cannot_write',
      message: expect.stringContaining('it is not a regular file') as string,
    });
  });

  test.for(['target.csv', 'link.csv'])(
    'is refused if a link leads to a file of another user, or another user created the link (%s)',
    async (other, context) => {
      needsRoot(context);
      const path = newFolder();
      writeFileSync(path('target.csv'), 'old');
      symlinkSync(path('target.csv'), path('link.csv'));
      lchownSync(path(other), NOBODY, NOBODY);
      await expect(writeFileAtomic(path('link.csv'), 'new')).rejects.toMatchObject({
        code: 'cannot_write',
        message: expect.stringContaining('do not both belong to this user') as string,
      });
      expect(readFileSync(path('target.csv'), 'utf8')).toBe('old');
    },
  );
});
