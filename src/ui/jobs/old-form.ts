/**
 * A button that sends a job means what its page has shown. In another tab, or after the back button, that may be another
 * plan. What is cancelled stays so, unless a person takes it up again on a page that showed it as cancelled.
 */
import type { ErrorCode } from '../../base/error-codes.ts';
import { findJudging } from '../../import/job/judging.ts';
import { planCounts } from '../../import/review/plan-view.ts';
import type { JobRecord, Ledger } from '../../ledger/ledger.ts';
import { html, type Html } from '../html.ts';

/** For each form that sends a job. @param version of the plan that the page shows */
export function knownState({ state, error }: Pick<JobRecord, 'state' | 'error'>, version: string): Html {
  return html`<input type="hidden" name="plan" value="${version}">${state === 'cancelled' ? html`<input type="hidden" name="cancelled" value="known">` : ''}${error === undefined ? '' : html`<input type="hidden" name="stopped" value="${error.code}">`}`;
}

/** Differs once the plan is no longer what a page has shown, because rows were corrected, decided about or sent. */
export async function versionOf(job: JobRecord, ledger: Ledger): Promise<string> {
  const { revision = 0 } = (await findJudging(job.id, ledger)) ?? {};
  return `${revision} ${Object.values(await planCounts(job, ledger)).join(' ')}`;
}

/** The page to show instead of sending, if the form does not know what the job is by now. */
export async function pageInstead(
  job: JobRecord,
  form: URLSearchParams,
  ledger: Ledger,
): Promise<string | undefined> {
  if (job.state === 'cancelled' && form.get('cancelled') !== 'known') return `/job/${job.id}`;
  const shown = form.get('plan');
  return shown === null || shown === (await versionOf(job, ledger)) ? undefined : outdatedPlan(job);
}

/** The plan as it is by now, with a message that nothing was sent. */
export function outdatedPlan({ id }: Pick<JobRecord, 'id'>): string {
  return `/job/${id}/plan?outdated`;
}

/** Whether the page of the form has given this reason for the stop of the job. */
export function hasGiven(
  code: ErrorCode,
  { error }: Pick<JobRecord, 'error'>,
  form: URLSearchParams,
): boolean {
  return error?.code === code && form.get('stopped') === code;
}
