/**
 * Loaded before shelflift by `node --import`, so that a real process meets a real SQLite in trouble on every
 * machine, whoever runs the tests: root may write to any folder, and few may mount a small disk.
 */
import { createRequire, syncBuiltinESMExports } from 'node:module';

const sqlite = createRequire(import.meta.url)('node:sqlite') as typeof import('node:sqlite');
const { STORE_ROOM_PAGES: room, STORE_READ_ONLY: readOnly } = process.env;

sqlite.DatabaseSync = class extends sqlite.DatabaseSync {
  constructor(path: string, options: import('node:sqlite').DatabaseSyncOptions = {}) {
    super(path, {
      ...options,
      // As a file on a disk that is mounted read-only is opened.
      ...(readOnly === undefined ? {} : { readOnly: true }),
    });
    // SQLITE_FULL, as on a disk with so many pages left.
    if (room !== undefined) {
      const { page_count: pages } = this.prepare('PRAGMA page_count').get() as { page_count: number };
      this.exec(`PRAGMA max_page_count = ${pages + Number(room)}`);
    }
  }
};
syncBuiltinESMExports();
