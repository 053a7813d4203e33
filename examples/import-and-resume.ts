/** Stops an import in the middle, as Ctrl-C would, and resumes it from the ledger. */
import { writeFileSync } from 'node:fs';
import { createClient, importItems, resumeImport, startSandbox } from 'shelflift';

await using sandbox = await startSandbox({ rateLimit: '50/1s' });
await using client = createClient({ apiUrl: sandbox.url, key: sandbox.key });

const rows = Array.from({ length: 200 }, (_, index) => `Toy ${index + 1},${1970 + (index % 50)}`);
writeFileSync('toys.csv', ['name,year', ...rows].join('\n'));

const stop = new AbortController();
const first = await importItems({
  client,
  store: 'resume.db',
  file: 'toys.csv',
  collection: 'Main',
  signal: stop.signal,
  onEvent: (event) => {
    if (event.type === 'sending' && event.done >= 20) stop.abort();
  },
});
console.log(first.summary.state, first.summary.rows.pending > 0);

// The spreadsheet is not needed again: all rows are in the ledger.
const second = await resumeImport({ client, store: 'resume.db', job: first.summary.job });
console.log(second.summary.state, second.summary.rows.created);
