/** Decides the lane of a submitted file: the key of a configured profile, or of the environment. */
import { laneIdOf } from '../../api/transport.ts';
import { UsageError } from '../../base/errors.ts';
import { keyOfProfile } from '../../base/profile.ts';
import type { SubmitDeps } from '../../worker/submit.ts';
import { openQueue } from '../../worker/queue/open-queue.ts';
import { withLedger, withReporter } from '../session.ts';
import { openTarget } from '../../account/target.ts';
import { type ConfigFlags, configOf, spoolOf } from './worker-session.ts';
import type { Message } from '../../messages/params.ts';
import { byHand, message } from '../../messages/message.ts';

export function withSubmission<T>(flags: ConfigFlags, work: (deps: SubmitDeps) => Promise<T>): Promise<T> {
  return withReporter(flags, async (around) => {
    const laneId = (await laneOfConfig(flags)) ?? (await laneOfTarget(flags, around));
    return withLedger(flags, async (ledger) => {
      await using queue = await openQueue(ledger);
      return await work({ ledger, queue, spool: await spoolOf(ledger), laneId });
    });
  });
}

/** --profile names a configured profile; without it, the only configured one is used. */
async function laneOfConfig(flags: ConfigFlags): Promise<string | undefined> {
  if (flags['api-url'] !== undefined || flags.sandbox === true) return undefined;
  const config = await configOf(flags);
  if (config === undefined) return undefined;
  const names = Object.keys(config.profiles);
  const name = flags.profile ?? (names.length === 1 ? names[0] : undefined);
  const profile =
    name !== undefined && Object.hasOwn(config.profiles, name) ? config.profiles[name] : undefined;
  if (profile === undefined || name === undefined) {
    if (flags.config === undefined) return undefined;
    throw new UsageError(
      'no_such_profile',
      message('no_profile_of_config', { option: '--profile', file: flags.config }),
      { actions: [byHand('profiles_are', { profiles: names })] },
    );
  }
  return laneIdOf({ apiUrl: profile.apiUrl, key: keyOfProfile(name, profile, config.folder, process.env) });
}

async function laneOfTarget(
  flags: ConfigFlags,
  around: { say: (note: Message) => void; signal: AbortSignal },
): Promise<string> {
  await using target = await openTarget(flags, process.env, around);
  return laneIdOf(target.client);
}
