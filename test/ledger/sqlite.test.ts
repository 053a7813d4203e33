import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { systemProcesses } from '../../src/ledger/process-identity.ts';
import { Database } from '../../src/ledger/sqlite/database.ts';
import { Jobs } from '../../src/ledger/sqlite/jobs.ts';
import { Rows } from '../../src/ledger/sqlite/rows.ts';
import { openSqliteLedger } from '../../src/ledger/sqlite/sqlite-ledger.ts';
import { temporaryFolder } from '../support/open-import.ts';
import { jobRecord, ledgerContract, newRow } from './contract.ts';

const MODULE = pathToFileURL(join(import.meta.dirname, '../../src/ledger/sqlite/sqlite-ledger.ts')).href;

function childSource(path: string): string {
  return `import { openSqliteLedger } from ${JSON.stringify(MODULE)};
    const ledger = openSqliteLedger(${JSON.stringify(path)});`;
}

describe('the SQLite ledger keeps the contract', () => {
  ledgerContract(async () => {
    const path = join(await temporaryFolder(), 'store.db');
    return { open: () => Promise.resolve(openSqliteLedger(path)), childSource: childSource(path) };
  });
});

describe('the SQLite file', () => {
  it('is made with its folder, and is readable by others while it is written', async () => {
    const path = join(await temporaryFolder(), 'deep/er/store.db');
    await using ledger = openSqliteLedger(path);
    await ledger.createJob(jobRecord('a'));
    const db = new DatabaseSync(path, { readOnly: true });
    expect(db.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
    expect(db.prepare('SELECT count(*) AS count FROM jobs').get()).toEqual({ count: 1 });
    db.close();
  });

  it('of another program is left as it is', async () => {
    const path = join(await temporaryFolder(), 'theirs.db');
    const theirs = new DatabaseSync(path);
    theirs.exec('CREATE TABLE precious (x); INSERT INTO precious VALUES (1)');
    theirs.close();
    expect(() => openSqliteLedger(path)).toThrowError(
      expect.objectContaining({ code: 'store_not_ours', exitCode: 2 }),
    );
    const again = new DatabaseSync(path);
    expect(again.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'delete' });
    again.close();
  });

  it('that is none, or newer, or out of reach, is called what it is', async () => {
    const folder = await temporaryFolder();
    const text = join(folder, 'text.db');
    await writeFile(
      text,
      'this is a letter, not a database, and it is long enough to be read as one\n'.repeat(20),
    );
    expect(() => openSqliteLedger(text)).toThrowError(expect.objectContaining({ code: 'store_not_ours' }));
    const newer = join(folder, 'newer.db');
    await openSqliteLedger(newer).close();
    const db = new DatabaseSync(newer);
    db.exec('PRAGMA user_version = 999');
    db.close();
    expect(() => openSqliteLedger(newer)).toThrowError(
      expect.objectContaining({ code: 'store_newer', exitCode: 2 }),
    );
    expect(() => openSqliteLedger('/dev/null/store.db')).toThrowError(
      expect.objectContaining({ code: 'store_unwritable', exitCode: 2 }),
    );
  });

  it('may be made by several processes at once', async () => {
    const path = join(await temporaryFolder(), 'store.db');
    const children = Array.from({ length: 4 }, (_, index) =>
      spawn(
        process.execPath,
        [
          '--input-type=module',
          '--eval',
          `${childSource(path)} await ledger.createJob(${JSON.stringify(jobRecord(`job-${index}`))});
           await ledger.finishStaging('job-${index}', {}); await ledger.close();`,
        ],
        { stdio: 'inherit' },
      ),
    );
    const codes = await Promise.all(children.map(async (child) => (await once(child, 'exit'))[0] as number));
    expect(codes).toEqual([0, 0, 0, 0]);
    await using ledger = openSqliteLedger(path);
    expect(await ledger.listJobs()).toHaveLength(4);
  });

  it('on a full disk says so, keeps what was committed, and goes on when there is room', async () => {
    const db = new Database(join(await temporaryFolder(), 'store.db'));
    const jobs = new Jobs(db, systemProcesses);
    const rows = new Rows(db, jobs);
    jobs.create(jobRecord('a'), 1);
    rows.stage('a', [newRow(1)]);
    const { page_count: pages } = db.prepare('PRAGMA page_count').get() as { page_count: number };
    db.prepare(`PRAGMA max_page_count = ${pages + 1}`).get();
    const large = newRow(2, { payload: JSON.stringify({ name: 'x'.repeat(100_000) }) });
    expect(() => rows.stage('a', [newRow(3), large])).toThrowError(
      expect.objectContaining({ code: 'disk_full', exitCode: 6 }),
    );
    expect(rows.query('a', { limit: 9 })).toHaveLength(1);
    db.prepare('PRAGMA max_page_count = 1000000').get();
    rows.stage('a', [large]);
    expect(rows.query('a', { limit: 9 })).toHaveLength(2);
    db.close();
  });
});
