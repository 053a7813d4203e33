import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createClient } from '../../src/api/client.ts';
import type { Scope } from '../../src/api/schemas.ts';
import { exportResource } from '../../src/export/export.ts';
import { writeReportFile } from '../../src/reports/report.ts';
import { openImport } from '../support/open-import.ts';

const ALL: Scope[] = ['items:read', 'analytics:read', 'collections:read'];

test.each([true, false])(
  'the first reports of a team are not compared with those of another team (keys may read collections: %s)',
  async (mayRead) => {
    await using at = await openImport();
    const { control } = at.sandbox;
    const other = control.addTeam({ name: 'Other' });
    const scopes = ALL.filter((scope) => mayRead || scope !== 'collections:read');
    control.insertItems([{ name: 'A1', estimated_value: 100 }, { name: 'A2' }]);
    control.insertItems([{ name: 'B1', estimated_value: 7 }], other.id);
    const reports = async (secret: string, name: string) => {
      await using client = createClient({ apiUrl: at.sandbox.url, key: secret });
      const deps = { client, values: at.ledger.values, knownItems: at.ledger.items };
      const out = (report: string) => join(at.folder, `${name}-${report}.csv`);
      await exportResource({ resource: 'sales', out: out('export') }, deps);
      const inventory = await writeReportFile({ report: 'inventory', out: out('inventory') }, deps);
      const sales = await writeReportFile({ report: 'sales', out: out('sales') }, deps);
      return [inventory.comparedWith, sales.rows];
    };
    const ours = control.addKey(scopes).secret;
    expect(await reports(ours, 'a')).toEqual([null, 2]);
    expect(await reports(control.addKey(scopes, other.id).secret, 'b')).toEqual([null, 2]);
    // The same key has its own readings, whatever it may read.
    expect(await reports(ours, 'c')).toEqual([expect.any(String), 4]);
  },
);
