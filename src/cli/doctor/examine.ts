/** All of doctor's checks, in the order in which a first run would fail. */
import type { RequestRecord } from '../../api/client.ts';
import { ExitCode } from '../../base/exit-code.ts';
import type { GlobalFlags } from '../flags.ts';
import { clientSettings } from '../session.ts';
import { storeOf } from '../../account/store-of.ts';
import { openTarget } from '../../account/target.ts';
import { checkApi } from '../../doctor/check-api.ts';
import { checkDisk, checkPage, checkStore } from '../../doctor/check-machine.ts';
import { failed, type Finding } from '../../doctor/check.ts';
import { addProfile } from '../../account/profiles.ts';
import { message } from '../../messages/message.ts';
import type { Message } from '../../messages/params.ts';

export interface Around {
  say: (note: Message) => void;
  signal: AbortSignal;
  onRequest: (record: RequestRecord) => void;
}

export async function examine(
  flags: GlobalFlags,
  environment: NodeJS.ProcessEnv,
  around: Around,
): Promise<Finding[]> {
  const findings = await examineApi(flags, environment, around);
  try {
    const store = storeOf(flags, environment);
    const disk = await checkDisk(store);
    const others = [disk, checkPage()].filter((finding) => finding !== undefined);
    findings.push(await checkStore(store), ...others);
  } catch (error) {
    findings.push(failed('store', error, ExitCode.usage, []));
  }
  return findings;
}

async function examineApi(
  flags: GlobalFlags,
  environment: NodeJS.ProcessEnv,
  around: Around,
): Promise<Finding[]> {
  const { timeoutMs } = await clientSettings(flags);
  try {
    await using target = await openTarget(flags, environment, around);
    const found: Finding[] = [
      {
        check: 'configuration',
        state: 'ok',
        found: message('connection_from', { address: target.addressFrom, key: target.keyFrom }),
      },
    ];
    found.push(...(await checkApi({ ...target.client, timeoutMs }, around.onRequest)));
    return found;
  } catch (error) {
    // Without a usable address and key nothing can be requested.
    return [failed('configuration', error, ExitCode.usage, [addProfile('main')])];
  }
}
