/** Imports the rows of a query while the database hands them out: a million need no more memory than ten. */
import { DatabaseSync } from 'node:sqlite';
import { open } from 'shelflift';
import { startSandbox } from 'shelflift/sandbox';

await using sandbox = await startSandbox();
await using shelf = await open({ apiUrl: sandbox.url, key: sandbox.key, store: 'cursor.db' });

const database = new DatabaseSync(':memory:');
database.exec(`CREATE TABLE toys (title TEXT, made INTEGER);
  INSERT INTO toys VALUES ('Star Cruiser', 1984), ('Moon Rover', 1986), ('Kite', 1990)`);

// A cursor of another database is an async iterable: for example that of pg-cursor, or knex's stream().
const cursor = database.prepare('SELECT title AS name, made AS year FROM toys').iterate();
const { rows } = await shelf.import({ rows: cursor, name: 'inventory' }, { collection: 'Main' });
console.log('created', rows.created);
