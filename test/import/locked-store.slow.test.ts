/** Another program holds the store's write lock, as VACUUM of a large store does for a long time. */
import { english } from '../../src/messages/message.ts';
import { nextText } from '../../src/cli/show/output.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import { toyNames, toys } from '../support/csv.ts';
import { openImport } from '../support/open-import.ts';

/** Takes the write lock of a store until it is released. */
function lock(store: string) {
  const other = new DatabaseSync(store, { timeout: 5000 });
  other.exec('BEGIN IMMEDIATE');
  return { release: () => other.close() };
}

describe('a store that another program has locked', () => {
  it('pauses an import without blocking the process, and every row is sent once', async () => {
    await using it = await openImport();
    const file = await it.file('toys.csv', toys(60));
    let holder: ReturnType<typeof lock> | undefined;
    let ticks = 0;
    const outcome = await it.import(
      { file },
      {
        client: {
          onRequest: ({ operation, status }) => {
            if (operation !== 'createItem' || status !== 201 || it.items().length < 11 || holder) return;
            holder = lock(it.store);
            void (async () => {
              // Timers run on: the process is not blocked.
              for (; ticks < 20; ticks += 1) await sleep(20);
              holder.release();
            })();
          },
        },
      },
    );
    expect(ticks).toBe(20);
    expect(outcome).toMatchObject({ exitCode: 0, summary: { state: 'done', rows: { created: 60 } } });
    expect(it.names()).toEqual(toyNames(60));
  });

  it('parks the import with exit code 6 if it stays locked, and a resume sends the rest', async () => {
    await using it = await openImport();
    const file = await it.file('toys.csv', toys(60));
    const told: string[] = [];
    let holder: ReturnType<typeof lock> | undefined;
    await using ledger = await openLedger(it.store, {
      outageMs: 300,
      onOutage: (said) => told.push(english(said)),
    });
    const outcome = await it.import(
      { file },
      {
        ledger,
        client: {
          onRequest: ({ operation, status }) => {
            if (operation === 'createItem' && status === 201 && it.items().length >= 11)
              holder ??= lock(it.store);
          },
        },
      },
    );
    expect(outcome).toMatchObject({
      exitCode: 6,
      summary: { state: 'parked_unreachable', error: { code: 'store_locked' } },
    });
    expect(outcome.summary.rows.pending).toBeGreaterThan(0);
    expect(nextText(outcome, {})).toContain('shelflift jobs resume');
    holder?.release();
    const resumed = await it.resume(outcome.summary.job, {}, { ledger });
    expect(resumed).toMatchObject({ exitCode: 0, summary: { state: 'done', rows: { created: 60 } } });
    expect(it.names()).toEqual(toyNames(60));
  });

  it('delays the opening of the store', async () => {
    await using it = await openImport();
    const holder = lock(it.store);
    const closing = sleep(300).then(() => holder.release());
    await using ledger = await openLedger(it.store);
    await ledger.values.put('a', [{ key: 'b', value: 'c' }]);
    await closing;
    expect(await it.ledger.values.get('a', 'b')).toBe('c');
  });

  it('does not block a lane that its holder has released', async () => {
    await using it = await openImport();
    await using ledger = await openLedger(it.store, { outageMs: 100 });
    const lease = await ledger.lanes.acquire('key', 'one');
    if (!('token' in lease)) throw new Error('the lane is held');
    const holder = lock(it.store);
    const released = lease.release();
    holder.release();
    await released;
    expect(await it.ledger.lanes.acquire('key', 'two')).toHaveProperty('token');
  });
});
