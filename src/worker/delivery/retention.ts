/** Of the files that a schedule has delivered into a folder, the newest stay. */
import { rm } from 'node:fs/promises';
import type { Ledger } from '../../ledger/ledger.ts';
import { manifestPath } from '../../export/verify/manifest.ts';

const SPACE = 'delivered';

/** Only what was delivered before under this key is ever removed; what others put there is not touched. */
export async function keepNewest(ledger: Ledger, key: string, file: string, keep: number): Promise<void> {
  const before = JSON.parse((await ledger.values.get(SPACE, key)) ?? '[]') as string[];
  const all = [...before.filter((each) => each !== file), file];
  const old = all.slice(0, Math.max(0, all.length - keep));
  for (const each of old) {
    await rm(each, { force: true });
    await rm(manifestPath(each), { force: true });
  }
  await ledger.values.put(SPACE, [{ key, value: JSON.stringify(all.slice(old.length)) }]);
}
