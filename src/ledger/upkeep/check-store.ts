/** Checks a store: the database's own check, the state machine, ownership, and counts. */
import { type Kysely, sql } from 'kysely';
import { parseExactJson } from '../../base/exact-json.ts';
import { message } from '../../messages/message.ts';
import type { Message } from '../../messages/params.ts';
import { JOB_STATES, ROW_STATES } from '../states.ts';
import { readBody } from '../stored-job.ts';
import { readIssues, readNotes, readTexts } from '../stored-row.ts';
import { openTables, type OpenTables } from './open-tables.ts';
import { pages } from './pages.ts';
import { type StoredLine, TABLES, type Tables } from './tables.ts';

export interface StoreCheck {
  /** Without a password. */
  store: string;
  ok: boolean;
  jobs: number;
  rows: number;
  /** The first hundred problems. */
  problems: Message[];
}

const MAX_PROBLEMS = 100;

type ReadText = (text: string) => unknown;

/** The readers of the texts that the ledger stores for others: of columns of rows, and of values by their space. */
export interface StoredTexts {
  rows: Readonly<Record<'input' | 'operation', ReadText>>;
  values: Readonly<Record<string, ReadText>>;
}

/** A sufficient check for a copy. */
const AS_JSON: StoredTexts = { rows: { input: parseExactJson, operation: parseExactJson }, values: {} };

/** @throws UsageError `no_such_store`, and the errors of openLedger */
export async function checkStore(location: string, texts: StoredTexts = AS_JSON): Promise<StoreCheck> {
  await using tables = await openTables(location, { make: false });
  return await tables.look(async (db) => {
    const problems: Message[] = [];
    if (tables.kind === 'sqlite') problems.push(...(await askSqlite(db)));
    const jobs = await checkLines(db, tables, 'jobs', problemOfJob, problems);
    const readers = { issues: readIssues, source: readTexts, notes: readNotes, ...texts.rows };
    const rows = await checkLines(db, tables, 'rows', (row) => problemOfRow(row, readers), problems);
    await checkLines(db, tables, 'key_values', (value) => problemOfValue(value, texts.values), problems);
    for (const { query, problem } of ACROSS) {
      const { rows: found } = await query.execute(db);
      problems.push(...found.map((line) => problem(line)));
    }
    return {
      store: tables.location,
      ok: problems.length === 0,
      jobs,
      rows,
      problems: problems.slice(0, MAX_PROBLEMS),
    };
  });
}

/** PostgreSQL enforces references and has page checksums; SQLite has neither. */
async function askSqlite(db: Kysely<Tables>): Promise<Message[]> {
  const { rows: pageProblems } = await sql<{ integrity_check: string }>`PRAGMA integrity_check`.execute(db);
  const { rows: references } = await sql<{ table: string; rowid: number }>`PRAGMA foreign_key_check`.execute(
    db,
  );
  return [
    ...pageProblems
      .map((line) => line.integrity_check)
      .filter((text) => text !== 'ok')
      .map((text) => message('verbatim', { text })),
    ...references.map(({ table }) => message('stored_reference_missing', { table })),
  ];
}

async function checkLines(
  db: Kysely<Tables>,
  { kind }: OpenTables,
  name: 'jobs' | 'rows' | 'key_values',
  check: (line: StoredLine) => Message | undefined,
  problems: Message[],
): Promise<number> {
  const table = TABLES.find((each) => each.name === name);
  if (table === undefined) throw new Error(`no table ${name}`);
  let count = 0;
  for await (const lines of pages(db, table, kind)) {
    count += lines.length;
    for (const line of lines) {
      const problem = check(line);
      if (problem !== undefined) problems.push(problem);
    }
  }
  return count;
}

function problemOfJob({ id, state, record }: StoredLine): Message | undefined {
  const job = String(id);
  if (!JOB_STATES.some((each) => each === state))
    return message('stored_job_state', { job, state: String(state) });
  return isRead(record, readBody) ? undefined : message('stored_job_unreadable', { job });
}

function problemOfRow(row: StoredLine, readers: Readonly<Record<string, ReadText>>): Message | undefined {
  const { state, action } = row;
  const place = { row: Number(row['ordinal']), job: Number(row['job']) };
  if (!ROW_STATES.some((each) => each === state))
    return message('stored_row_state', { ...place, state: String(state) });
  if (action !== 'create' && action !== 'update')
    return message('stored_row_action', { ...place, action: String(action) });
  if (state === 'done' && row['item_id'] === null) return message('stored_row_without_item', place);
  if ((state === 'sending' || state === 'unknown') && (row['sequence'] === null || row['attempts'] === 0))
    return message('stored_row_never_sent', { ...place, state });
  const unreadable = Object.entries(readers).find(([column, read]) => !isRead(row[column], read));
  return unreadable && message('stored_row_unreadable', { ...place, part: unreadable[0] });
}

function problemOfValue(line: StoredLine, readers: StoredTexts['values']): Message | undefined {
  const { space, key, value } = line;
  const read = readers[String(space)];
  return read === undefined || isRead(value, read)
    ? undefined
    : message('stored_value_unreadable', { space: String(space), key: String(key) });
}

function isRead(text: StoredLine[string] | undefined, read: ReadText): boolean {
  if (text === null || text === undefined) return true;
  try {
    read(String(text));
    return true;
  } catch {
    return false;
  }
}

/** Checks that involve several lines. */
const ACROSS: readonly {
  query: ReturnType<typeof sql<StoredLine>>;
  problem: (found: StoredLine) => Message;
}[] = [
  {
    query: sql<StoredLine>`SELECT j.id, count(*) AS rows, max(r.ordinal) AS last FROM rows r JOIN jobs j ON j.number = r.job
      WHERE j.state <> 'staging' GROUP BY j.id HAVING count(*) <> max(r.ordinal) OR min(r.ordinal) <> 1`,
    problem: ({ id, rows, last }) =>
      message('stored_rows_missing', { job: String(id), rows: Number(rows), last: Number(last) }),
  },
  {
    query: sql<StoredLine>`SELECT item_id, count(*) AS owners FROM rows WHERE action = 'create' AND item_id IS NOT NULL
      GROUP BY target, item_id HAVING count(*) > 1`,
    problem: ({ item_id: item, owners }) =>
      message('stored_item_of_several', { item: String(item), owners: Number(owners) }),
  },
  {
    query: sql<StoredLine>`SELECT t.api_url, r.sequence FROM rows r JOIN targets t ON t.number = r.target
      WHERE r.sequence IS NOT NULL GROUP BY t.api_url, r.sequence, t.sequence
      HAVING count(*) > 1 OR r.sequence > t.sequence`,
    problem: ({ api_url: url, sequence }) =>
      message('stored_intent_out_of_order', { intent: Number(sequence), address: String(url) }),
  },
  {
    query: sql<StoredLine>`SELECT DISTINCT j.id FROM rows r JOIN jobs j ON j.number = r.job
      WHERE r.target <> j.target OR (r.attempts > 0 AND j.first_sent_at IS NULL)`,
    problem: ({ id }) => message('stored_job_sent_elsewhere', { job: String(id) }),
  },
];
