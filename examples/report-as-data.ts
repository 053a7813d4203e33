/** Takes the figures of a report as data. */
import { open } from 'shelflift';
import { startSandbox } from 'shelflift/sandbox';

await using sandbox = await startSandbox({ seed: 7 });
await using shelf = await open({ apiUrl: sandbox.url, key: sandbox.key, store: 'report.db' });

const report = await shelf.report({ kind: 'inventory' });
for (const { key, value, currency } of report.figures) console.log(key, value, currency ?? '');
for (const { id, blocks } of report.sections) {
  for (const { rows } of blocks) console.log(`${id}: ${rows.length} rows`);
}
console.log(report.consistency, report.rows);
