/**
 * Delivers a finished file.
 *
 * A delivery is recorded after it was made, so after a kill in between it is repeated. In a folder, over
 * SFTP or with rclone, the repetition replaces the file with itself. An e-mail may arrive twice, with the
 * same Message-ID, so many mail servers drop the second copy.
 */
import { existsSync } from 'node:fs';
import { basename, dirname, join, posix, resolve } from 'node:path';
import { type Delivery, type EmailTarget, wayOf } from '../config/schema.ts';
import { ShelfliftError } from '../../base/errors.ts';
import { makeFolder } from '../../base/make-folder.ts';
import type { KeyValues } from '../../ledger/key-values.ts';
import { readManifest } from '../../export/verify/verify.ts';
import { message } from '../../messages/message.ts';
import { copyWhole } from '../copy-file.ts';
import { fillPattern } from '../schedule/file-pattern.ts';
import type { CommandOf } from '../notify/advice.ts';
import type { ConnectionContext } from '../remote/connection-context.ts';
import { remotePath } from '../remote/rclone.ts';
import type { Sent } from './email.ts';
import { coverText } from './cover-text.ts';
import type { IsTaken } from './change-files.ts';
import { namedFiles, type Parcel } from './parcel.ts';
import { openTargetFolder } from './target-folder.ts';

/** @param signal ends the delivery at once, as a kill would */
export async function deliver(
  delivery: Delivery,
  parcel: Parcel,
  {
    context,
    values,
    command,
  }: { context: ConnectionContext; values: KeyValues; command: CommandOf | undefined },
  signal: AbortSignal,
): Promise<void> {
  const way = wayOf(delivery);
  switch (way.kind) {
    case 'folder': {
      const folder = await openTargetFolder(way, context.configFolder, values);
      // The manifest comes last: once it is there, its file is complete.
      for (const { file, as } of namedFiles(parcel)) {
        const target = join(folder, dirname(parcel.name), as);
        makeFolder(dirname(target));
        await copyWhole(file, target, signal);
      }
      return;
    }
    case 'sftp': {
      const { deliverBySftp } = await import('./sftp.ts');
      return deliverBySftp(way.sftp, parcel, context, signal);
    }
    case 'rclone': {
      const { deliverByRclone } = await import('./rclone.ts');
      return deliverByRclone(way.rclone, parcel, context, signal);
    }
    case 'email':
      return deliverByMail(way.email, parcel, { context, command }, signal);
  }
}

/** Where a delivered file of a name goes, for comparisons; undefined for a mail, which replaces nothing. */
export function placeOf(
  delivery: Delivery,
  name: string,
  context: Pick<ConnectionContext, 'configFolder'>,
): string | undefined {
  const way = wayOf(delivery);
  switch (way.kind) {
    case 'folder':
      return placeInFolder(delivery, { name }, context);
    case 'sftp': {
      const { user, host, port, folder } = way.sftp;
      return `sftp ${user}@${host}:${port} ${posix.join(folder, name.replaceAll('\\', '/'))}`;
    }
    case 'rclone':
      return `rclone ${remotePath(way.rclone, name)}`;
    case 'email':
    default:
      return undefined;
  }
}

/** Opens the target of a delivery, to see whether it has a file of some name. */
export async function lookAt(
  delivery: Delivery,
  name: string,
  { context, values, signal }: { context: ConnectionContext; values: KeyValues; signal: AbortSignal },
  choose: (isTaken: IsTaken) => Promise<string>,
): Promise<string> {
  const way = wayOf(delivery);
  switch (way.kind) {
    case 'folder': {
      const folder = await openTargetFolder(way, context.configFolder, values);
      return choose((each) => existsSync(join(folder, each)));
    }
    case 'sftp': {
      const { lookBySftp } = await import('./sftp.ts');
      return lookBySftp(way.sftp, context, signal, choose);
    }
    case 'rclone': {
      const { lookByRclone } = await import('./rclone.ts');
      return lookByRclone(way.rclone, name, { context, signal }, choose);
    }
    case 'email':
    default:
      return choose(() => false);
  }
}

async function deliverByMail(
  email: EmailTarget,
  parcel: Parcel,
  { context, command }: { context: ConnectionContext; command: CommandOf | undefined },
  signal: AbortSignal,
): Promise<void> {
  const { sendMail } = await import('./email.ts');
  const { contact = parcel.contact, language = 'en' } = email;
  const [file = ''] = parcel.files;
  const manifest = await readManifest(file);
  const mail = {
    to: email.to,
    reached: parcel.reached ?? [],
    subject: fillPattern(email.subject ?? `${parcel.schedule}: ${basename(parcel.name)}`, parcel.period),
    text: coverText({ ...parcel, contact, language, command }, manifest),
    key: parcel.key,
    ...(contact === undefined ? {} : { replyTo: contact }),
    attachments: parcel.files,
  };
  const sent = await sendMail(context, mail, signal);
  if (sent.refused.length > 0) throw new RefusedRecipientsError(sent);
}

/** The mail server refused the mail for some of its recipients; the others have it. */
export class RefusedRecipientsError extends ShelfliftError {
  readonly sent: Sent;

  constructor(sent: Sent) {
    super('delivery_failed', message('recipients_refused', { refused: [...sent.refused] }));
    this.sent = sent;
  }
}

/** The path of a delivered file; undefined for deliveries that are not to a folder. */
export function placeInFolder(
  delivery: Delivery,
  parcel: Pick<Parcel, 'name'>,
  context: Pick<ConnectionContext, 'configFolder'>,
): string | undefined {
  return 'folder' in delivery ? resolve(context.configFolder, delivery.folder, parcel.name) : undefined;
}

/** Describes a delivery for people and logs. */
export function describeDelivery(delivery: Delivery): string {
  if ('folder' in delivery) return `folder ${delivery.folder}`;
  if ('sftp' in delivery) return `sftp ${delivery.sftp.host}:${delivery.sftp.folder}`;
  if ('rclone' in delivery) return `rclone ${delivery.rclone}`;
  return `email ${delivery.email.to.join(', ')}`;
}
