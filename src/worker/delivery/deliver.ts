/**
 * Brings a finished file to where it is wanted.
 *
 * A delivery is noted after it was made. A kill in between makes it twice: into a folder and by SFTP that is the
 * same file under the same name; an e-mail may come twice, with the same Message-ID, by which many mail servers
 * know it again.
 */
import { basename, dirname, join, resolve } from 'node:path';
import type { Delivery } from '../config/schema.ts';
import { fillPattern } from '../schedule/file-pattern.ts';
import { deliverToFolder } from './folder.ts';
import type { Parcel, Place } from './place.ts';

/** @param signal aborted: ends at once, and what was begun is left as after a kill */
export async function deliver(
  delivery: Delivery,
  parcel: Parcel,
  place: Place,
  signal: AbortSignal,
): Promise<void> {
  if ('folder' in delivery) {
    const folder = resolve(place.configFolder, delivery.folder);
    // The manifest last: where it is, its file is.
    for (const file of parcel.files)
      await deliverToFolder(file, folder, join(dirname(parcel.name), basename(file)), signal);
    return;
  }
  if ('sftp' in delivery) {
    const { deliverBySftp } = await import('./sftp.ts');
    await deliverBySftp(delivery.sftp, parcel, place, signal);
    return;
  }
  const { sendMail } = await import('./email.ts');
  const [file] = parcel.files;
  const mail = {
    to: delivery.email.to,
    subject: fillPattern(
      delivery.email.subject ?? `${parcel.schedule}: ${basename(parcel.name)}`,
      parcel.period,
    ),
    text: `${basename(parcel.name)}, made by the schedule ${parcel.schedule}.\n`,
    key: parcel.key,
    ...(file === undefined ? {} : { attachment: { name: basename(parcel.name), file } }),
  };
  await sendMail(place, mail, signal);
}

/** Where a file lies once it is delivered; undefined where that is no folder. */
export function placeInFolder(delivery: Delivery, parcel: Parcel, place: Place): string | undefined {
  return 'folder' in delivery ? resolve(place.configFolder, delivery.folder, parcel.name) : undefined;
}

/** For people and logs. */
export function describeDelivery(delivery: Delivery): string {
  if ('folder' in delivery) return `folder ${delivery.folder}`;
  if ('sftp' in delivery) return `sftp ${delivery.sftp.host}:${delivery.sftp.folder}`;
  return `email ${delivery.email.to.join(', ')}`;
}
