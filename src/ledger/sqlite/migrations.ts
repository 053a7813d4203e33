/** The store's schema, a step a version; `user_version` counts the steps that have run. */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE targets (
    number   INTEGER PRIMARY KEY,
    api_url  TEXT NOT NULL UNIQUE,
    sequence INTEGER NOT NULL DEFAULT 0
  ) STRICT;

  CREATE TABLE jobs (
    number        INTEGER PRIMARY KEY,
    id            TEXT NOT NULL UNIQUE,
    target        INTEGER NOT NULL REFERENCES targets(number),
    kind          TEXT NOT NULL,
    state         TEXT NOT NULL,
    dry_run       INTEGER NOT NULL,
    created_at    INTEGER NOT NULL,
    updated_at    INTEGER NOT NULL,
    first_sent_at INTEGER,
    owner_pid     INTEGER,
    owner_started TEXT,
    record        TEXT NOT NULL
  ) STRICT;

  -- One table for what a row is and what became of it: an intent and its outcome are one small update each.
  CREATE TABLE rows (
    job        INTEGER NOT NULL REFERENCES jobs(number) ON DELETE CASCADE,
    ordinal    INTEGER NOT NULL,
    target     INTEGER NOT NULL,
    state      TEXT NOT NULL,
    action     TEXT NOT NULL,
    sheet_row  INTEGER NOT NULL,
    sheet      TEXT,
    copy       INTEGER NOT NULL,
    item_id    TEXT,
    request_id TEXT,
    mark       INTEGER,
    sequence   INTEGER,
    attempts   INTEGER NOT NULL DEFAULT 0,
    collection TEXT,
    issues     TEXT,
    payload    TEXT,
    source     TEXT,
    PRIMARY KEY (job, ordinal)
  ) STRICT, WITHOUT ROWID;

  -- Counting a job's rows by state reads this alone, and not the payloads.
  CREATE INDEX rows_by_state ON rows (job, state, action);

  -- An item belongs to at most one create row.
  CREATE UNIQUE INDEX rows_owned ON rows (target, item_id) WHERE action = 'create' AND item_id IS NOT NULL;
  CREATE INDEX rows_unknown ON rows (target) WHERE state = 'unknown';

  CREATE TABLE claims (
    fingerprint TEXT PRIMARY KEY,
    job         INTEGER NOT NULL REFERENCES jobs(number) ON DELETE CASCADE
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE seen_items (
    target   INTEGER NOT NULL,
    item_id  TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    PRIMARY KEY (target, item_id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE lanes (
    lane    TEXT PRIMARY KEY,
    token   TEXT NOT NULL,
    job     TEXT NOT NULL,
    host    TEXT NOT NULL,
    pid     INTEGER NOT NULL,
    started TEXT NOT NULL,
    since   INTEGER NOT NULL,
    beat    INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE written_files (
    sha256 TEXT PRIMARY KEY,
    job    TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- Not WITHOUT ROWID: a value may be a page of an export.
  CREATE TABLE key_values (
    space TEXT NOT NULL,
    key   TEXT NOT NULL,
    value TEXT NOT NULL,
    at    INTEGER NOT NULL,
    PRIMARY KEY (space, key)
  ) STRICT;
  `,
  `
  -- Counting by state and listing the collections that are named read this alone, and not the payloads.
  DROP INDEX rows_by_state;
  CREATE INDEX rows_by_state ON rows (job, state, action, collection);
  `,
  `
  -- What rows are known by when they come again (ledger/known-rows.ts). No reference to jobs: it would want an
  -- index by job, as large as the table.
  CREATE TABLE row_hashes (
    target  INTEGER NOT NULL,
    hash    TEXT NOT NULL,
    job     INTEGER NOT NULL,
    ordinal INTEGER NOT NULL,
    PRIMARY KEY (target, hash, job, ordinal)
  ) STRICT, WITHOUT ROWID;
  -- Up to which row the job has its hashes there.
  ALTER TABLE jobs ADD COLUMN hashed_to INTEGER NOT NULL DEFAULT 0;
  -- Since when the job's planned rows are its own to send.
  ALTER TABLE jobs ADD COLUMN owned_at INTEGER;
  UPDATE jobs SET owned_at = first_sent_at WHERE state <> 'cancelled';
  -- 1 once an undo has archived the row's item.
  ALTER TABLE rows ADD COLUMN undone INTEGER NOT NULL DEFAULT 0;
  `,
  `
  -- Containers may share a host's name: pids mean something only on one machine. Null: an older shelflift wrote it.
  ALTER TABLE lanes ADD COLUMN machine TEXT;
  ALTER TABLE jobs ADD COLUMN owner_machine TEXT;
  -- When the process that reads the job's file was last heard of.
  ALTER TABLE jobs ADD COLUMN owner_beat INTEGER;
  -- One for each time that a file is read.
  ALTER TABLE jobs ADD COLUMN owner_token TEXT;
  `,
  `
  -- How long the server may still apply the row's request once its answer is lost (ledger/states.ts).
  ALTER TABLE rows ADD COLUMN quiet_ms INTEGER;
  -- 1 once a create may be sent again although an earlier request for it was never answered.
  ALTER TABLE rows ADD COLUMN resent INTEGER NOT NULL DEFAULT 0;
  UPDATE rows SET resent = 1 WHERE (job, ordinal) IN (
    SELECT j.number, e.value FROM jobs j, json_each(j.record, '$.options.learned.resent') e);
  CREATE INDEX rows_resent ON rows (job) WHERE resent = 1;
  `,
  `
  -- What jobs have changed of an item since another job's create of it was lost.
  CREATE INDEX rows_sent_updates ON rows (target, item_id) WHERE action = 'update' AND sequence IS NOT NULL;
  `,
  `
  -- What rows are judged by again (import/mend): the kinds of cells that are no texts, and how values were read.
  ALTER TABLE rows ADD COLUMN kinds TEXT;
  ALTER TABLE rows ADD COLUMN notes TEXT;
  `,
  `
  -- Every update that names an item, sent or not: what jobs have made of it (shelflift why).
  DROP INDEX rows_sent_updates;
  CREATE INDEX rows_updates ON rows (target, item_id) WHERE action = 'update' AND item_id IS NOT NULL;
  `,
  `
  -- The worker's runs, listed and counted by what until now was only inside their texts.
  CREATE TABLE runs (
    id         TEXT NOT NULL PRIMARY KEY,
    state      TEXT NOT NULL,
    -- Null for an import.
    schedule   TEXT,
    created_at INTEGER NOT NULL,
    ended_at   INTEGER,
    -- When it was last written.
    at         INTEGER NOT NULL,
    record     TEXT NOT NULL
  ) STRICT;
  INSERT INTO runs SELECT key, value ->> '$.state', value ->> '$.work.schedule', CAST(value ->> '$.createdAt' AS INTEGER),
    CAST(value ->> '$.endedAt' AS INTEGER), at, value FROM key_values WHERE space = 'runs';
  DELETE FROM key_values WHERE space = 'runs';
  CREATE INDEX runs_by_time ON runs (created_at, id);
  CREATE INDEX runs_by_state ON runs (state, created_at);
  CREATE INDEX runs_of_schedule ON runs (schedule, id) WHERE schedule IS NOT NULL;
  CREATE INDEX runs_last_done ON runs (schedule, ended_at) WHERE state = 'done';
  CREATE INDEX runs_ended ON runs (ended_at) WHERE ended_at IS NOT NULL;
  `,
];
