/** A problem of a row in its stored form. */
import type { StoredIssue } from '../../ledger/ledger.ts';
import { english } from '../../messages/message.ts';
import type { Message } from '../../messages/params.ts';
import type { RowCode } from '../../messages/row-codes.ts';

export function issueOf(
  code: RowCode,
  said: Message,
  about: Omit<StoredIssue, 'code' | 'said' | 'message'> = {},
): StoredIssue {
  return { code, said, message: english(said), ...about };
}
