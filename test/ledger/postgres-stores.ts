/** Stores for the ledger's contract, each a schema of one database. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import type { TestPostgres } from '../support/postgres.ts';
import type { StoreUnderTest } from './contract.ts';

const MODULE = pathToFileURL(join(import.meta.dirname, '../../src/ledger/open-ledger.ts')).href;

export function postgresStores(server: TestPostgres): () => Promise<StoreUnderTest> {
  let database: string | undefined;
  let stores = 0;
  return async () => {
    database ??= await server.newDatabase();
    stores += 1;
    const schema = `store_${stores}`;
    const url = `${database}?schema=${schema}`;
    return {
      open: (options) => openLedger(url, options),
      beatAhead: async () => {
        await server.run(`UPDATE ${schema}.lanes SET beat = beat + 172800000`, url);
      },
      childSource: `import { openLedger } from ${JSON.stringify(MODULE)};
        const ledger = await openLedger(${JSON.stringify(url)});`,
    };
  };
}
