import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CRASH_STEPS, type CrashStep } from '../support/crash-steps.ts';
import type { CrashingImport } from '../support/crashing-import.ts';
import { csv, toyNames, toys } from '../support/csv.ts';
import { expectExactlyOnce } from '../support/exactly-once.ts';
import { openImport, type OpenImport } from '../support/open-import.ts';

const PROGRAM = join(import.meta.dirname, '../support/crashing-import.ts');

/** Steps that only a lost answer leads to. */
const LOST: Partial<Record<CrashStep, 'dropAfterCommit' | 'dropBefore'>> = {
  'lost answer committed': 'dropAfterCommit',
  'settling has found it': 'dropAfterCommit',
  'what settling found committed': 'dropAfterCommit',
  'settling has not found it': 'dropBefore',
  'release committed': 'dropBefore',
};

/** Before this a job does not exist yet. */
const NOTHING_YET: CrashStep = 'rows staged';

async function killed(it: OpenImport, given: Pick<CrashingImport, 'step' | 'file' | 'how'>): Promise<void> {
  const all: CrashingImport = { ...given, apiUrl: it.sandbox.url, key: it.sandbox.key, store: it.store };
  const child = spawn(process.execPath, [PROGRAM, JSON.stringify(all)], {
    stdio: 'inherit',
    // Most of so short a run would be compiling.
    env: { ...process.env, NODE_COMPILE_CACHE: join(tmpdir(), 'shelflift-test-compile-cache') },
  });
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  expect({ code, signal }).toEqual({ code: null, signal: 'SIGKILL' });
}

describe.concurrent('an import that is killed at the step', () => {
  it.each(CRASH_STEPS)('"%s" continues, and each row is sent once', async (step) => {
    await using it = await openImport({ latencyMs: 40 });
    const lost = LOST[step];
    if (lost !== undefined) it.sandbox.control.failNext(lost, 'createItem');
    const file = await it.file('toys.csv', toys(4));
    await killed(it, { step, file });

    if (step === NOTHING_YET) {
      await expect(it.resume('last')).rejects.toMatchObject({ code: 'no_such_job' });
      await it.import({ file });
    } else {
      const { summary, exitCode } = await it.resume('last');
      expect({ exitCode, state: summary.state }).toEqual({ exitCode: 0, state: 'done' });
      expect(existsSync(summary.files.results ?? ''), 'its results').toBe(true);
    }
    const job = await it.ledger.jobs.find('last');
    expect(await expectExactlyOnce(it.ledger, job.id, it.items())).toEqual({ created: 4, held: 0 });
    expect(it.names()).toEqual(toyNames(4));
  });
});

describe.concurrent('an upsert whose first create shows that the server changes keys, and which is killed at the step', () => {
  it.each<CrashStep>(['outcome committed', 'outcome known'])(
    '"%s" sends no further create until a person confirms',
    async (step) => {
      await using it = await openImport({ latencyMs: 40, storing: { escapeTexts: true } });
      const sku = 'custom_fields.sku';
      const rows = [0, 1, 2].map((index) => [`Toy ${index}`, `A&B-${index}`]);
      const file = await it.file('toys.csv', csv(['name', sku], rows));
      await killed(it, { step, file, how: { mode: 'upsert', match: [sku] } });
      expect(it.items()).toHaveLength(1);
      for (let time = 1; time <= 2; time += 1) {
        const { summary, exitCode } = await it.resume('last');
        expect([exitCode, summary.state, summary.error?.code]).toEqual([3, 'parked_refused', 'key_not_kept']);
        expect(it.items()).toHaveLength(1);
      }
      const { summary } = await it.resume('last', { yes: true });
      expect(summary.state).toBe('done');
      expect(new Set(it.names()).size).toBe(it.items().length);
      expect(it.items()).toHaveLength(3);
    },
  );
});
