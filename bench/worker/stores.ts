/** The stores that a worker runs on: an SQLite file, and a PostgreSQL that waits for the disk as SQLite does. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Ledger } from '../../src/ledger/ledger.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import { isPostgresLocation } from '../../src/ledger/postgres/location.ts';
import { openQueue } from '../../src/worker/queue/open-queue.ts';
import type { Queue } from '../../src/worker/queue/queue.ts';
import { Spool } from '../../src/worker/queue/spool.ts';
import { POSTGRES, PostgresServer } from '../../test/support/postgres-server.ts';

export interface Stores extends AsyncDisposable {
  /** For people. */
  readonly name: string;
  readonly isServer: boolean;
  /** A folder that is removed with them. */
  readonly folder: string;
  /** The location of a store that nothing is in. */
  fresh(): Promise<string>;
  /** Transactions that the server has counted in a store, from all clients; undefined without a server. */
  transactions(location: string): Promise<number | undefined>;
}

/** SQLite first; PostgreSQL where one can start. */
export const STORES: readonly (() => Promise<Stores>)[] = [sqliteStores, ...POSTGRES.slice(-1).map(postgres)];

async function sqliteStores(): Promise<Stores> {
  const folder = await mkdtemp(join(tmpdir(), 'shelflift-bench-'));
  let count = 0;
  return {
    name: 'SQLite',
    isServer: false,
    folder,
    fresh: () => Promise.resolve(join(folder, `${(count += 1)}.db`)),
    transactions: () => Promise.resolve(undefined),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

function postgres(binaries: (typeof POSTGRES)[number]): () => Promise<Stores> {
  return async () => {
    const folder = await mkdtemp(join(tmpdir(), 'shelflift-bench-'));
    const server = new PostgresServer(binaries, true);
    await server.start();
    return {
      name: binaries.name,
      isServer: true,
      folder,
      fresh: () => server.newDatabase(),
      transactions: async (location) => {
        const name = new URL(location).pathname.slice(1);
        const sql = `SELECT xact_commit + xact_rollback AS count FROM pg_stat_database WHERE datname = '${name}'`;
        const { rows } = await server.run(sql);
        return Number((rows[0] as { count: string }).count);
      },
      async [Symbol.asyncDispose]() {
        await server.remove();
        await rm(folder, { recursive: true, force: true });
      },
    };
  };
}

/** What a worker is given of a store. */
export interface OpenStore extends AsyncDisposable {
  ledger: Ledger;
  queue: Queue;
  spool: Spool;
}

/**
 * @param folder where PostgreSQL's copies of files lie
 * @param watched wraps the ledger before it is used
 */
export async function openStore(
  location: string,
  folder: string,
  watched: (ledger: Ledger) => Ledger = (ledger) => ledger,
): Promise<OpenStore> {
  const ledger = watched(await openLedger(location));
  const onServer = isPostgresLocation(location);
  const queue = await openQueue(ledger);
  return {
    ledger,
    queue,
    spool: onServer ? new Spool(join(folder, 'spool'), ledger.values) : new Spool(`${location}.spool`),
    async [Symbol.asyncDispose]() {
      await queue[Symbol.asyncDispose]();
      await ledger.close();
    },
  };
}
