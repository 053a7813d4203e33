/** Exports to streams of the caller, which may be slow, or fail. */
import { createHash } from 'node:crypto';
import { Writable } from 'node:stream';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { InterruptedError, open } from '../../src/index.ts';
import { startSandbox } from '../../src/sandbox.ts';

async function shelfWith(seedItems: number) {
  const sandbox = await startSandbox({ seed: 7, seedItems });
  onTestFinished(() => sandbox.close());
  const shelf = await open({ apiUrl: sandbox.url, key: sandbox.key, store: ':memory:' });
  onTestFinished(() => shelf.close());
  return shelf;
}

/** A Web stream that takes its time for each piece, and counts a piece only when it is through. */
function slowStream() {
  const chunks: Uint8Array[] = [];
  const stream = new WritableStream<Uint8Array>({
    write: async (chunk) => {
      await systemClock.sleep(2);
      chunks.push(chunk);
    },
  });
  return { stream, bytes: () => Buffer.concat(chunks) };
}

it.each(['ndjson', 'csv', 'xlsx'] as const)(
  'an export as %s ends only after a slow Web stream has received all of it',
  async (format) => {
    const shelf = await shelfWith(40);
    const { stream, bytes } = slowStream();
    const { rows, sha256 } = await shelf.export({ out: stream, format });
    expect(rows).toBe(40);
    expect(createHash('sha256').update(bytes()).digest('hex')).toBe(sha256);
    await shelf.close();
    // It is not ended, and can be used on.
    await stream.getWriter().close();
  },
);

it.each(['ndjson', 'csv'] as const)(
  'an export as %s fails with the error of its Web stream',
  async (format) => {
    const shelf = await shelfWith(5);
    const stream = new WritableStream<Uint8Array>({
      write: () => Promise.reject(new Error('the tape is torn')),
    });
    await expect(shelf.export({ out: stream, format })).rejects.toMatchObject({
      code: 'stream_failed',
      message: expect.stringContaining('the tape is torn'),
      cause: { message: 'the tape is torn' },
    });
  },
);

it('an export fails with the error of its Node stream', async () => {
  const shelf = await shelfWith(5);
  const out = new Writable({ write: (_chunk, _encoding, done) => done(new Error('the tape is torn')) });
  await expect(shelf.export({ out, format: 'ndjson' })).rejects.toMatchObject({
    code: 'stream_failed',
    cause: { message: 'the tape is torn' },
  });
});

it('an export to a Web stream that accepts nothing can be stopped', async () => {
  const shelf = await shelfWith(5);
  const begun = Promise.withResolvers<void>();
  const stream = new WritableStream<Uint8Array>({
    write: () => {
      begun.resolve();
      return new Promise(() => undefined);
    },
  });
  const run = shelf.export({ out: stream, format: 'ndjson' });
  await begun.promise;
  run.stop();
  await expect(run).rejects.toBeInstanceOf(InterruptedError);
});

it('an export to a Node stream that accepts nothing can be stopped', { timeout: 20_000 }, async () => {
  const shelf = await shelfWith(5);
  const begun = Promise.withResolvers<void>();
  const stream = new Writable({ write: () => begun.resolve() });
  const run = shelf.export({ out: stream, format: 'ndjson' });
  await begun.promise;
  run.stop();
  await expect(run).rejects.toBeInstanceOf(InterruptedError);
  expect(stream.destroyed).toBe(false);
});
