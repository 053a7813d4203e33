import type { JobRecord, NewRow, StoredIssue } from '../../ledger/ledger.ts';
import type { RowIssue } from '../../mapping/issue.ts';
import type { MappedRow, Mapping } from '../../mapping/mapping.ts';
import { createFields } from '../../mapping/payload.ts';
import { encodeRowPatch, type TagsMode } from '../changes/row-patch.ts';

/** How to treat the rows of a job. */
export interface Meaning {
  mode: JobRecord['mode'];
  tagsMode: TagsMode;
}

/**
 * Sets the state of a staged row: planned with its payload, invalid with its issues, or skipped by a rule. The payload of
 * a create lacks its collection, which the plan resolves.
 */
export function judgeRow(
  row: NewRow,
  mapped: MappedRow,
  mapping: Mapping,
  { mode, tagsMode }: Meaning,
): void {
  row.collection = mapped.collection ?? null;
  if (mapped.skip !== undefined) {
    row.state = 'skipped';
    row.issues = [{ code: 'skipped_by_rule', message: mapped.skip }];
  } else if (mapped.issues.length > 0) {
    row.state = 'invalid';
    row.issues = mapped.issues.map(storedIssue);
  } else if (mode === 'create') row.payload = JSON.stringify(createFields(mapped));
  else {
    const asCreate = mode === 'upsert' ? (each: MappedRow) => mapping.asCreate(each) : undefined;
    row.action = 'update';
    row.payload = encodeRowPatch(mapped, tagsMode, asCreate);
  }
}

function storedIssue(issue: RowIssue): StoredIssue {
  const where = issue.header === undefined || issue.header === '' ? issue.column : issue.header;
  const message =
    issue.expected === undefined ? issue.message : `${issue.message}: expected ${issue.expected}`;
  return { code: issue.code, message, ...(where === undefined ? {} : { column: where }) };
}
