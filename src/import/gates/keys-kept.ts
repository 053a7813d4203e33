/** Keys of an upsert that the server stores in another form: no later import would find their items. */
import type { Item, ItemCreate } from '../../api/schemas.ts';
import { saidOf, ShelfliftError } from '../../base/errors.ts';
import type { ServerNormalisation, StoreChange } from '../../ledger/job-parts.ts';
import { CUSTOM_PREFIX } from '../../mapping/custom-prefix.ts';
import { lostValues, valuesOf } from '../changes/not-kept.ts';
import type { JobRecord, LedgerRow, StoredIssue } from '../../ledger/ledger.ts';
import { message } from '../../messages/message.ts';
import type { Action } from '../../messages/params.ts';
import { createsByKey, itemKey, keyRule, shownKey } from '../changes/match-key.ts';
import { issueOf } from '../engine/stored-issue.ts';
import { isAgreed } from './gate.ts';

const CODE = 'key_not_kept';

/** Names the key as the server stores it; undefined if it differs only by changes that shelflift can repeat. */
function rewrittenKey(
  job: JobRecord,
  sent: ItemCreate,
  stored: Item,
  changes: readonly StoreChange[],
): StoredIssue | undefined {
  if (!createsByKey(job)) return undefined;
  const rule = keyRule(job);
  const all = { ...rule, changes: [...rule.changes, ...changes] };
  const key = itemKey(sent, all);
  if (key === '' || key === itemKey(stored, all)) return undefined;
  const found = shownKey(stored, rule);
  const column = rule.match.join(' + ');
  const said = message('key_was_rewritten', { key: column, sent: shownKey(sent, rule), stored: found });
  return issueOf(CODE, said, { column, found });
}

/** The issues of a created row: a key that the server stored in another form, and values that it did not keep. */
export function createdIssues(
  { job, stamp }: { job: JobRecord; stamp: string | undefined },
  sent: ItemCreate,
  stored: Item,
  { changes }: Pick<ServerNormalisation, 'changes'>,
): StoredIssue[] {
  const key = rewrittenKey(job, sent, stored, changes);
  const except = key === undefined ? [] : keyRule(job).match;
  const own = stamp === undefined ? [] : [CUSTOM_PREFIX + stamp];
  return [...(key === undefined ? [] : [key]), ...lostValues(valuesOf(sent), stored, [...except, ...own])];
}

/** The problem of a created row whose key the server rewrote before anybody had agreed to send it. */
export function unaskedRewrite(
  { consents }: Pick<JobRecord, 'consents'>,
  { ordinal, issues = [] }: Pick<LedgerRow, 'ordinal'> & { issues?: readonly StoredIssue[] },
): StoredIssue | undefined {
  return isAgreed(consents, { code: CODE, operations: [ordinal] })
    ? undefined
    : issues.find(({ code }) => code === CODE);
}

/** The server changed one key and will change others: a person decides about the remaining rows. */
export class KeyNotKeptError extends ShelfliftError {
  constructor(issue: StoredIssue) {
    const byHand: Action = { do: 'byHand', label: message('match_by_kept_field', {}) };
    super(CODE, message('key_lost_on_server', { what: saidOf(issue) }, byHand));
  }
}
