/** Imports a file with the real command line, killed by SIGKILL at random moments until it has ended. */
import { expect } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts';
import type { SandboxOptions } from '../../src/sandbox/settings.ts';
import { ended, newPlace } from '../cli/run-shelflift.ts';
import { toys } from './csv.ts';
import { expectExactlyOnce } from './exactly-once.ts';

/** Node, our modules and the reading of the file come first; after this, something is being sent. */
const START_UP_MS = 600;

export interface KillSetting {
  rows: number;
  kills: number;
  sandbox?: SandboxOptions;
  /** Longest time between the start of sending and the kill, ms. */
  spreadMs: number;
  /** Where the ledger is; a file of its own where it is not given. */
  store?: string;
}

/** @returns how the job ended, after as many kills as were asked for (fewer where it was faster) */
export async function killOften(
  setting: KillSetting,
): Promise<{ created: number; held: number; kills: number }> {
  await using sandbox: Sandbox = await startSandbox(setting.sandbox ?? {});
  const store = setting.store ?? 'ledger.db';
  const place = newPlace({
    SHELFLIFT_API_URL: sandbox.url,
    SHELFLIFT_API_KEY: sandbox.key,
    SHELFLIFT_STORE: store,
  });
  place.file('toys.csv', toys(setting.rows));
  const always = ['--json', '--quiet', '--quiet-period', '150ms', '--timeout', '1s'];
  let argv = ['import', 'toys.csv', '--collection', 'Main', ...always];
  let kills = 0;
  for (;;) {
    const child = place.start(argv);
    const run = ended(child);
    const enough = kills >= setting.kills;
    if (!enough) {
      const before = sandbox.control.counts().requests;
      await Promise.race([run, firstRequest(sandbox, before)]);
      await Promise.race([run, systemClock.sleep(Math.random() * setting.spreadMs)]);
      child.kill('SIGKILL');
    }
    const { code, stdout, stderr } = await run;
    if (code === null) kills += 1;
    else {
      expect([0, 3], `${stdout}\n${stderr}`).toContain(code);
      break;
    }
    argv = ['jobs', 'resume', 'last', ...always];
  }
  await using ledger = await openLedger(setting.store ?? `${place.folder}/${store}`);
  const job = await ledger.findJob('last');
  expect(job.state).toBe('done');
  return { ...(await expectExactlyOnce(ledger, job.id, sandbox.control.items())), kills };
}

async function firstRequest(sandbox: Sandbox, before: number): Promise<void> {
  const giveUpAt = systemClock.monotonic() + 20 * START_UP_MS;
  while (sandbox.control.counts().requests === before && systemClock.monotonic() < giveUpAt)
    await systemClock.sleep(5);
}
