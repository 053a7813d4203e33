/** A real PostgreSQL for a test file: each that needs one starts its own, in under a second, and stops it at its end. */
import type { QueryResult } from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { type PostgresBinaries, PostgresServer } from './postgres-server.ts';

export { PASSWORD, POSTGRES } from './postgres-server.ts';

export interface TestPostgres {
  /** Makes a database, and gives its address with the password of its owner, a superuser. */
  newDatabase(): Promise<string>;
  /** One statement as superuser, in the database `postgres` or the one named. */
  run(sql: string, url?: string): Promise<QueryResult>;
  /** Fast: as an administrator would. Connections are cut, nothing committed is lost. */
  stop(): Promise<void>;
  /** As a crash or a power cut would: recovery follows at the next start. */
  kill(): Promise<void>;
  start(): Promise<void>;
}

/**
 * A server for the tests of this file (or of a describe block).
 *
 * @param durable false lets the server skip the disk: faster, and enough where no server is killed
 */
export function usePostgres(binaries: PostgresBinaries | undefined, { durable = false } = {}): TestPostgres {
  let server: PostgresServer | undefined;
  const running = (): PostgresServer => {
    if (server === undefined) throw new Error('the server runs between beforeAll and afterAll');
    return server;
  };
  beforeAll(async () => {
    if (binaries === undefined) return;
    server = new PostgresServer(binaries, durable);
    await server.start();
  });
  afterAll(() => server?.remove());
  return {
    newDatabase: () => running().newDatabase(),
    run: (sql, url) => running().run(sql, url),
    stop: () => running().stop('SIGINT'),
    kill: () => running().stop('SIGQUIT'),
    start: () => running().start(),
  };
}
