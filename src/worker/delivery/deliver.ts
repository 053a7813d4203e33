/**
 * Delivers a finished file.
 *
 * A delivery is recorded after it was made, so after a kill in between it is repeated. In a folder, over
 * SFTP or with rclone, the repetition replaces the file with itself. An e-mail may arrive twice, with the
 * same Message-ID, so many mail servers drop the second copy.
 */
import { basename, dirname, join, resolve } from 'node:path';
import { type Delivery, type EmailTarget, wayOf } from '../config/schema.ts';
import { makeFolder } from '../../base/make-folder.ts';
import type { KeyValues } from '../../ledger/key-values.ts';
import { readManifest } from '../../export/verify/verify.ts';
import { copyWhole } from '../copy-file.ts';
import { fillPattern } from '../schedule/file-pattern.ts';
import type { CommandOf } from '../notify/advice.ts';
import type { ConnectionContext } from '../remote/connection-context.ts';
import { coverText } from './cover-text.ts';
import type { Parcel } from './parcel.ts';
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
      for (const file of parcel.files) {
        const target = join(folder, dirname(parcel.name), basename(file));
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
    subject: fillPattern(email.subject ?? `${parcel.schedule}: ${basename(parcel.name)}`, parcel.period),
    text: coverText({ ...parcel, contact, language, command }, manifest),
    key: parcel.key,
    ...(contact === undefined ? {} : { replyTo: contact }),
    attachments: parcel.files,
  };
  await sendMail(context, mail, signal);
}

/** The path of a delivered file; undefined for deliveries that are not to a folder. */
export function placeInFolder(
  delivery: Delivery,
  parcel: Parcel,
  context: ConnectionContext,
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
