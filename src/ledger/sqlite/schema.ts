/** The store's tables. Whoever changes them counts up STORE_VERSION. */
export const SCHEMA = `
  CREATE TABLE targets (
    number   INTEGER PRIMARY KEY,
    api_url  TEXT NOT NULL UNIQUE,
    -- Number of intents that all of its jobs have committed.
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
    -- Who reads the job's file. Containers may share a host's name: pids mean something only on one machine.
    owner_pid     INTEGER,
    owner_started TEXT,
    owner_machine TEXT,
    -- When the reader was last heard of, and one token for each time that a file is read.
    owner_beat    INTEGER,
    owner_token   TEXT,
    -- Up to which row the job has its hashes in row_hashes.
    hashed_to     INTEGER NOT NULL DEFAULT 0,
    -- Since when the job's planned rows are its own to send.
    owned_at      INTEGER,
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
    -- How long the server may still apply the row's request once its answer is lost (ledger/states.ts).
    quiet_ms   INTEGER,
    -- 1 once a create may be sent again, or was left, although an earlier request for it was never answered.
    resent     INTEGER NOT NULL DEFAULT 0,
    -- Undo: the row that this one takes back (ledger/row-name.ts).
    reverts    TEXT,
    collection TEXT,
    issues     TEXT,
    input      TEXT,
    operation  TEXT,
    source     TEXT,
    -- What rows are judged by again (import/correction): the kinds of cells that are no texts, and how values were read.
    kinds      TEXT,
    notes      TEXT,
    PRIMARY KEY (job, ordinal)
  ) STRICT, WITHOUT ROWID;

  -- Counting by state and listing the collections that are named read this alone, and not the inputs.
  CREATE INDEX rows_by_state ON rows (job, state, action, collection);
  -- An item belongs to at most one create row.
  CREATE UNIQUE INDEX rows_owned ON rows (target, item_id) WHERE action = 'create' AND item_id IS NOT NULL;
  CREATE INDEX rows_unknown ON rows (target) WHERE state = 'unknown';
  CREATE INDEX rows_resent ON rows (job) WHERE resent = 1;
  -- Every update that names an item, sent or not: what the command why tells of it.
  CREATE INDEX rows_updates ON rows (target, item_id) WHERE action = 'update' AND item_id IS NOT NULL;
  CREATE INDEX rows_reverting ON rows (reverts) WHERE reverts IS NOT NULL;

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
    machine TEXT,
    pid     INTEGER NOT NULL,
    started TEXT NOT NULL,
    since   INTEGER NOT NULL,
    beat    INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE written_files (
    sha256 TEXT PRIMARY KEY,
    job    TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- Not WITHOUT ROWID: a value may be a page of an export.
  CREATE TABLE key_values (
    space TEXT NOT NULL,
    key   TEXT NOT NULL,
    value TEXT NOT NULL,
    at    INTEGER NOT NULL,
    PRIMARY KEY (space, key)
  ) STRICT;

  -- What rows are known by when they come again (ledger/known-rows.ts). No reference to jobs: it would want an
  -- index by job, as large as the table.
  CREATE TABLE row_hashes (
    target  INTEGER NOT NULL,
    hash    TEXT NOT NULL,
    job     INTEGER NOT NULL,
    ordinal INTEGER NOT NULL,
    PRIMARY KEY (target, hash, job, ordinal)
  ) STRICT, WITHOUT ROWID;

  -- The worker's runs.
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
  CREATE INDEX runs_by_time ON runs (created_at, id);
  CREATE INDEX runs_by_state ON runs (state, created_at);
  CREATE INDEX runs_of_schedule ON runs (schedule, id) WHERE schedule IS NOT NULL;
  CREATE INDEX runs_last_done ON runs (schedule, ended_at) WHERE state = 'done';
  CREATE INDEX runs_ended ON runs (ended_at) WHERE ended_at IS NOT NULL;

  -- What acknowledged creates made: a list that lacks one of them is not up to date (import/engine/absence.ts).
  CREATE TABLE acknowledged_items (
    target  INTEGER NOT NULL,
    item_id TEXT NOT NULL,
    -- When the server made it; the mark of its intent where that is not known.
    mark    INTEGER,
    at      INTEGER NOT NULL,
    PRIMARY KEY (target, item_id)
  ) STRICT, WITHOUT ROWID;
`;
