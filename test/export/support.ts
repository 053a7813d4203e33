/** A sandbox, a client and a folder for one test. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type ApiClient, createClient } from '../../src/api/client.ts';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts';
import type { SandboxOptions } from '../../src/sandbox/settings.ts';

export interface Setup {
  sandbox: Sandbox;
  client: ApiClient;
  folder: string;
  /** Path in the folder. */
  path: (name: string) => string;
}

export async function setUp(options: SandboxOptions = {}): Promise<Setup> {
  const sandbox = await startSandbox(options);
  onTestFinished(() => sandbox.close());
  const folder = await mkdtemp(join(tmpdir(), 'shelflift-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return { sandbox, client: clientOf(sandbox, sandbox.key), folder, path: (name) => join(folder, name) };
}

/** A client that ends with the test. */
export function clientOf(sandbox: Sandbox, key: string): ApiClient {
  const client = createClient({ apiUrl: sandbox.url, key });
  onTestFinished(() => client.close());
  return client;
}

/** The real clock, whose waits between tries take no time but are counted. */
export function patientClock(): Clock {
  let slept = 0;
  return {
    ...systemClock,
    monotonic: () => systemClock.monotonic() + slept,
    sleep: async (ms) => {
      slept += ms;
    },
  };
}
