/** `worker --check --connect`: logs in to every server that a configuration names, and delivers nothing. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '../../api/client.ts';
import { ShelfliftError } from '../../base/errors.ts';
import { keyOfProfile } from '../../base/profile.ts';
import { describeDelivery } from '../delivery/deliver.ts';
import { verifyMailServer } from '../delivery/email.ts';
import { awayProblem } from '../delivery/target-folder.ts';
import { describeAddress, reach } from '../remote/https.ts';
import { type Reason, reasonOf } from '../remote/plain-words.ts';
import type { ConnectionContext } from '../remote/connection-context.ts';
import { rclone } from '../remote/rclone.ts';
import { withSftp } from '../remote/sftp.ts';
import { describeSource, fetchSource } from '../sources/fetch-source.ts';
import type { ReadConfig } from './read-config.ts';
import { type Delivery, wayOf } from './schema.ts';

export interface Connection {
  /** `schedules.accounting.deliver.0` */
  path: string;
  /** The target, as text. */
  to: string;
  /** Why it does not work; undefined if it does. */
  problem?: Reason;
}

/** Checks the connections one by one, in the order of the file. */
export async function checkConnections(
  config: ReadConfig,
  environment: Record<string, string | undefined>,
  signal: AbortSignal,
): Promise<Connection[]> {
  const context: ConnectionContext = { configFolder: config.folder, environment, smtp: config.smtp };
  const found: Connection[] = [];
  const check = async (path: string, to: string, work: () => Promise<unknown>) => {
    const problem = await work().then(
      () => undefined,
      (error: unknown) => reasonOf(error),
    );
    found.push({ path, to, ...(problem === undefined ? {} : { problem }) });
  };
  for (const [name, profile] of Object.entries(config.profiles))
    await check(`profiles.${name}`, profile.apiUrl, async () => {
      const key = keyOfProfile(name, profile, config.folder, environment);
      await using client = createClient({ apiUrl: profile.apiUrl, key });
      await client.listCollections({ signal }).catch((error: unknown) => {
        // The API answers and knows this key, which may lack a scope on purpose.
        if (!(error instanceof ShelfliftError) || error.code !== 'missing_scope') throw error;
      });
    });
  for (const [name, { task, deliver, ping }] of Object.entries(config.schedules)) {
    const at = `schedules.${name}`;
    const source = task.import;
    if (source !== undefined)
      await check(`${at}.task.import`, describeSource(source), async () => {
        const folder = await mkdtemp(join(tmpdir(), 'shelflift-'));
        try {
          await fetchSource(source, join(folder, 'file'), { etag: undefined, context, signal });
        } finally {
          await rm(folder, { recursive: true, force: true });
        }
      });
    for (const [index, delivery] of deliver.entries())
      await check(`${at}.deliver.${index}`, describeDelivery(delivery), () =>
        connect(delivery, context, signal),
      );
    if (ping !== undefined)
      await check(`${at}.ping`, describeAddress(ping), () => reach(ping, context, signal));
  }
  if (config.smtp !== undefined)
    await check('smtp', `${config.smtp.host}:${config.smtp.port}`, () => verifyMailServer(context, signal));
  const webhook = config.notify?.webhook;
  if (webhook !== undefined)
    await check('notify.webhook', describeAddress(webhook), () => reach(webhook, context, signal));
  return found;
}

async function connect(delivery: Delivery, context: ConnectionContext, signal: AbortSignal): Promise<void> {
  const way = wayOf(delivery);
  switch (way.kind) {
    case 'folder': {
      const problem = awayProblem(way, context.configFolder);
      if (problem !== undefined) throw new ShelfliftError('folder_away', problem);
      return;
    }
    case 'sftp':
      await withSftp(way.sftp, context, signal, (client) => client.exists(way.sftp.folder));
      return;
    case 'rclone':
      await rclone('lsf', ['--max-depth', '1'], [way.rclone], { context, signal }).catch((error: unknown) => {
        // The delivery creates the folder.
        if (!(error instanceof ShelfliftError) || error.code !== 'remote_missing') throw error;
      });
      return;
    case 'email':
      await verifyMailServer(context, signal);
  }
}
