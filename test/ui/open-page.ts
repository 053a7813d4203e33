/** The page, served within the test. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { openUi, type RunningUi, type UiOptions } from '../../src/ui/server.ts';
import { type Ask, enter, send, type Visit } from './visit.ts';

export interface OpenPage {
  folder: string;
  environment: NodeJS.ProcessEnv;
  port: number;
  served: RunningUi;
  /** With the token that nobody has used yet. */
  url: string;
  ask: Ask;
  /** Opens a session as a browser does. */
  enter(): Promise<Visit>;
}

export async function openPage(options: Partial<UiOptions> = {}): Promise<OpenPage> {
  const folder = mkdtempSync(join(tmpdir(), 'shelflift-ui-'));
  const environment = {
    HOME: folder,
    XDG_STATE_HOME: join(folder, 'state'),
    XDG_CONFIG_HOME: join(folder, 'config'),
    ...options.environment,
  };
  const { url, served } = await openUi({
    choice: {},
    port: 0,
    settings: { timeoutMs: 30_000 },
    ...options,
    environment,
  });
  onTestFinished(async () => {
    await served?.[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });
  if (served === undefined) throw new Error('another page runs for this store');
  const port = Number(new URL(url).port);
  const ask: Ask = (path, given = {}) => send(port, path, given);
  return { folder, environment, port, served, url, ask, enter: () => enter(url, ask) };
}

/** Waits until the page leads on from a run. */
export async function ended(visit: Visit, path: string): Promise<string> {
  return vi.waitFor(
    async () => {
      const answer = await visit.get(path);
      if (answer.status !== 303) throw new Error(`still ${answer.status}`);
      return answer.headers.location ?? '';
    },
    { timeout: 150_000, interval: 30 },
  );
}
