/**
 * What is cancelled stays so, unless a person takes it up again on a page that showed it as cancelled. The same button
 * in another tab, or after the back button, meant a job that was still open.
 */
import type { ErrorCode } from '../../base/error-codes.ts';
import type { JobRecord } from '../../ledger/ledger.ts';
import { html, type Html } from '../html.ts';

/** For each form that sends a job. */
export function knownState({ state, error }: Pick<JobRecord, 'state' | 'error'>): Html {
  return html`${state === 'cancelled' ? html`<input type="hidden" name="cancelled" value="known">` : ''}${error === undefined ? '' : html`<input type="hidden" name="stopped" value="${error.code}">`}`;
}

/** Whether the job was cancelled after the form had been shown. */
export function isCancelledSince({ state }: Pick<JobRecord, 'state'>, form: URLSearchParams): boolean {
  return state === 'cancelled' && form.get('cancelled') !== 'known';
}

/** Whether the page of the form has given this reason for the stop of the job. */
export function hasGiven(
  code: ErrorCode,
  { error }: Pick<JobRecord, 'error'>,
  form: URLSearchParams,
): boolean {
  return error?.code === code && form.get('stopped') === code;
}
