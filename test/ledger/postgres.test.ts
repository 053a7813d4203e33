import { describe } from 'vitest';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openPostgresLedger } from '../../src/ledger/postgres/postgres-ledger.ts';
import { POSTGRES, usePostgres } from '../support/postgres.ts';
import { ledgerContract } from './contract.ts';

const MODULE = pathToFileURL(join(import.meta.dirname, '../../src/ledger/open-ledger.ts')).href;

describe.skipIf(POSTGRES.length === 0)('the PostgreSQL ledger keeps the contract', () => {
  const server = usePostgres(POSTGRES.at(-1));
  let database: string | undefined;
  let stores = 0;
  ledgerContract(async () => {
    database ??= await server.newDatabase();
    stores += 1;
    const url = `${database}?schema=store_${stores}`;
    return {
      open: () => openPostgresLedger(url),
      childSource: `import { openLedger } from ${JSON.stringify(MODULE)}; const ledger = await openLedger(${JSON.stringify(url)});`,
    };
  });
});
