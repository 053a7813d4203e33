import { randomBytes } from 'node:crypto';

/** The day and eight random digits: short enough to type, and a list of jobs sorts by day. */
export function newJobId(): string {
  const day = new Date().toISOString().slice(2, 10).replaceAll('-', '');
  return `${day}-${randomBytes(4).toString('hex')}`;
}

/** Matches a job id anywhere in a text. */
export const JOB_ID = /\b\d{6}-[0-9a-f]{8}\b/g;
