/**
 * What is cancelled stays so, unless a person takes it up again on a page that showed it as cancelled. The same button
 * in another tab, or after the back button, meant a job that was still open.
 */
import type { JobRecord } from '../../ledger/ledger.ts';
import { html, type Html } from '../html.ts';

/** For each form that sends a job. */
export function knownState({ state }: Pick<JobRecord, 'state'>): Html {
  return state === 'cancelled' ? html`<input type="hidden" name="cancelled" value="known">` : html``;
}

/** Whether the job was cancelled after the form had been shown. */
export function isCancelledSince({ state }: Pick<JobRecord, 'state'>, form: URLSearchParams): boolean {
  return state === 'cancelled' && form.get('cancelled') !== 'known';
}
