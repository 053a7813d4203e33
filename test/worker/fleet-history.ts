/**
 * What a fleet did, for a judge that knows nothing of the code: creates as the server recorded them, failures as the
 * workers logged them, and what the jobs claim in their results files.
 */
import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import type { Item } from '../../src/api/schemas.ts';
import type { RequestRecord } from '../../src/sandbox/settings.ts';
import type { Claim, Fields, Given, History, JobHistory, Request } from '../history/history.ts';
import type { LogLine } from './lane-log.ts';

/** A team's import, and what the server has of the team in the end. */
export interface TeamImport {
  job: string;
  key: string;
  /** The imported file. */
  file: string;
  /** Its sums: rows by state, and `read`. */
  counts: Readonly<Record<string, number>>;
  items: readonly Item[];
}

export class FleetHistory {
  readonly #creates: RequestRecord[] = [];
  /** Ids of requests that a worker was told have failed. */
  readonly #failed = new Set<string>();

  /** The server has this request. */
  arrived(record: RequestRecord): void {
    if (record.operation === 'createItem') this.#creates.push(record);
  }

  /** A worker has logged this. */
  told({ msg, operation, status = 0, requestId }: LogLine): void {
    const isRefused = msg === 'request' && operation === 'createItem' && status >= 400 && status < 500;
    if (isRefused && requestId !== undefined) this.#failed.add(requestId);
  }

  of(imports: readonly TeamImport[]): History {
    const named = new Map<string, string>();
    const jobs = imports.map(({ job, file, counts }): JobHistory => {
      const results = rowsOf(file.replace(/\.csv$/, '.results.csv'));
      for (const { _state, _item_id: item = '', _request_id: request = '' } of results)
        if (_state === 'created' && request !== '') named.set(request, item);
      return { id: job, given: rowsOf(file).map(givenOf), claims: results.map(claimOf), counts };
    });
    const requests = this.#creates.map(({ headers, body, requestId }): Request => {
      const asker = imports.find(({ key }) => headers['authorization'] === `Bearer ${key}`);
      const item = named.get(requestId);
      const failed = this.#failed.has(requestId) ? 'failed' : 'unknown';
      return {
        job: asker?.job ?? '',
        kind: 'create',
        body: JSON.parse(body) as Fields,
        end: item === undefined ? { was: failed } : { was: 'ok', item },
      };
    });
    const makers = new Map(
      this.#creates.flatMap(({ status, answer }, index) =>
        status === 201 ? [[(JSON.parse(answer) as Item).id, index] as const] : [],
      ),
    );
    const applied = imports.flatMap(({ items }) =>
      items.map(({ id }) => ({ request: makers.get(id) ?? -1, item: id })),
    );
    return { requests, applied, jobs };
  }
}

function rowsOf(file: string): Record<string, string>[] {
  return parse(readFileSync(file), { columns: true, bom: true });
}

function givenOf({ estimated_value: value, ...texts }: Record<string, string>): Given {
  return { kind: 'create', fields: { ...texts, estimated_value: Number(value) } };
}

function claimOf({ _row, _state: state = '', _item_id: item = '' }: Record<string, string>): Claim {
  return { row: Number(_row), state, item };
}
