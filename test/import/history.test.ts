import { DatabaseSync } from 'node:sqlite';
import { openImport } from '../support/open-import.ts';
import { historyCases } from './history-cases.ts';

historyCases(openImport, async ({ store }, statements) => {
  const db = new DatabaseSync(store);
  for (const statement of statements) db.exec(statement);
  db.close();
});
