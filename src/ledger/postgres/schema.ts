/** The tables on PostgreSQL: those of both databases (ledger/sql/schema.ts), and those for moving rows. */
import { tables } from '../sql/schema.ts';
import { moveRowsFunction } from './move-rows.ts';

export function postgresTables(schema: string): string {
  return `
    ${tables({ of: `${schema}.`, end: { plain: '', keyed: '' }, counted: '' })}

    -- The last batch of moves that each writer made of a job: one that is sent again after a lost answer is known by it.
    CREATE TABLE ${schema}.commits (
      job       bigint NOT NULL REFERENCES ${schema}.jobs(number) ON DELETE CASCADE,
      writer    text NOT NULL,
      number    bigint NOT NULL,
      contested integer[] NOT NULL,
      missed    integer[] NOT NULL,
      stale     integer[] NOT NULL,
      -- Nobody sends a batch again after so long.
      at        timestamptz NOT NULL DEFAULT now(),
      PRIMARY KEY (job, writer)
    ) WITH (fillfactor = 50);

    ${moveRowsFunction(schema)};
  `;
}
