/** `--sandbox`: a reference API inside this process, kept in the user's state folder. */
import { join } from 'node:path';
import { systemClock } from '../base/clock.ts';
import { stateFolder } from '../base/config.ts';
import { UsageError } from '../base/errors.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { makeFolder } from '../base/make-folder.ts';
import { byHand, message } from '../messages/message.ts';
import type { Action, Message } from '../messages/params.ts';

/** The sandbox's port changes each time, so jobs know it by this name, which no real API can have. */
export const SANDBOX_TARGET = 'sandbox:';

const LOCK_PATIENCE_MS = 10_000;
const LOCK_RETRY_MS = 250;
/** First contents: always the same few toys, in the collections of an ordinary collector. */
const FIRST_TOYS = { seed: 7, seedItems: 24 };

const RUN_SANDBOX: Action = {
  do: 'run',
  command: 'sandbox',
  options: { seed: '7' },
  label: message('to_share_sandbox', {}),
};

/** Where the sandbox keeps its data and its ledger. */
export function sandboxFiles(environment: NodeJS.ProcessEnv): { data: string; ledger: string } {
  const folder = join(stateFolder(environment), 'sandbox');
  return { data: join(folder, 'data.db'), ledger: join(folder, 'ledger.db') };
}

/**
 * Starts it on a free port of this machine. Only one process can use its data file at a time: this waits for the file
 * up to 10 s.
 *
 * @throws UsageError `sandbox_in_use`, and errors of the data file
 */
export async function startEmbeddedSandbox(
  environment: NodeJS.ProcessEnv,
  { say, signal }: { say: (note: Message) => void; signal: AbortSignal },
): Promise<Sandbox> {
  const { startSandbox } = await import('../sandbox/sandbox.ts');
  const file = sandboxFiles(environment).data;
  makeStateFolder(file);
  const givingUpAt = systemClock.monotonic() + LOCK_PATIENCE_MS;
  for (let tries = 0; ; tries += 1) {
    try {
      const sandbox = await startSandbox({ dataFile: file, ...FIRST_TOYS });
      const known = sandbox.teams[0]?.collections ?? [];
      if (!known.some(({ name }) => name === 'Main')) sandbox.control.addCollection('Main');
      return sandbox;
    } catch (error) {
      if (!(error instanceof UsageError) || error.code !== 'sandbox_file_in_use') throw error;
      if (systemClock.monotonic() > givingUpAt) {
        throw new UsageError('sandbox_in_use', message('sandbox_in_use', {}), {
          cause: error,
          position: { file },
          actions: [byHand('wait_for_sandbox', {}), RUN_SANDBOX],
        });
      }
      if (tries === 0) say(message('waiting_for_sandbox', {}));
      await systemClock.sleep(LOCK_RETRY_MS, signal);
    }
  }
}

function makeStateFolder(file: string): void {
  const folder = join(file, '..');
  try {
    makeFolder(folder, 0o700);
  } catch (cause) {
    throw new UsageError('state_folder_unwritable', message('state_folder_unwritable', { folder }), {
      cause,
      actions: [byHand('set_state_folder', {})],
    });
  }
}
