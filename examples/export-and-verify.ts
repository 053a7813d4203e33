/** Exports all items to CSV, and checks the file against its manifest. */
import { createClient, exportItems, startSandbox, verifyExport } from 'shelflift';

await using sandbox = await startSandbox({ seed: 7 });
await using client = createClient({ apiUrl: sandbox.url, key: sandbox.key });

const summary = await exportItems({ client, out: 'all-items.csv' });
console.log(summary.rows > 0, summary.consistency);

const verification = await verifyExport('all-items.csv');
console.log('verified', verification.problems.length === 0);
