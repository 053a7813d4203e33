/** Imports a file with the real command line, killed by SIGKILL at random moments until it has ended. */
import { expect } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts';
import type { SandboxOptions } from '../../src/sandbox/settings.ts';
import { ended, newPlace, type Place } from '../cli/run-shelflift.ts';
import { toys } from './csv.ts';
import { expectExactlyOnce } from './exactly-once.ts';
import { random } from './seed.ts';

export interface KillSetting {
  rows: number;
  kills: number;
  sandbox?: SandboxOptions;
  /** Most requests between the first and the kill. */
  spread: number;
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
  const kills = await killUntilEnded({
    ...setting,
    place,
    api: sandbox,
    argv: ['import', 'toys.csv', '--collection', 'Main'],
    goOn: () => Promise.resolve(['jobs', 'resume', 'last']),
  });
  await using ledger = await openLedger(setting.store ?? `${place.folder}/${store}`);
  const job = await ledger.jobs.find('last');
  expect(job.state).toBe('done');
  return { ...(await expectExactlyOnce(ledger, job.id, sandbox.control.items())), kills };
}

export interface KillRun {
  place: Place;
  api: Sandbox;
  /** What is killed first. */
  argv: string[];
  /** What goes on after a kill. */
  goOn: () => Promise<string[]>;
  kills: number;
  /** Most requests between the first and the kill: a time would depend on the machine. */
  spread: number;
}

/** @returns the number of kills; the command has ended by itself then, with 0 or 3 */
export async function killUntilEnded(run: KillRun): Promise<number> {
  const always = ['--json', '--quiet', '--quiet-period', '150ms', '--timeout', '10s'];
  let { argv } = run;
  for (let kills = 0; ; ) {
    const child = run.place.start([...argv, ...always]);
    const end = ended(child);
    if (kills < run.kills) {
      // Node, our modules and the reading of the file come before the first.
      const last = run.api.control.counts().requests + 1 + random() * run.spread;
      while (run.api.control.counts().requests < last && child.exitCode === null) await systemClock.sleep(2);
      // Also at what comes between two requests.
      await Promise.race([end, systemClock.sleep(random() * 20)]);
      child.kill('SIGKILL');
    }
    const { code, stdout, stderr } = await end;
    if (code !== null) {
      expect([0, 3], `${stdout}\n${stderr}`).toContain(code);
      return kills;
    }
    kills += 1;
    argv = await run.goOn();
  }
}
