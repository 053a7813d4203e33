/** Mends a job by actions only: its problems are data, and each action is passed back to `jobs.mend`. */
import { writeFile } from 'node:fs/promises';
import { open } from 'shelflift';
import { startSandbox } from 'shelflift/sandbox';

await using sandbox = await startSandbox({ seed: 7, seedItems: 3 });
await using shelf = await open({ apiUrl: sandbox.url, key: sandbox.key, store: 'mended.db' });

// The items are in dollars; one amount of the file is in euros, and two do not say.
await writeFile('toys.csv', 'name,estimated_value\nFalcon,12.50\nTie,€ 45.90\nBus,8\n');
let { job, rows, issues = [] } = await shelf.import({ file: 'toys.csv' }, { collection: 'Trains' });
console.log('not sent', rows.invalid);

const RATES: Record<string, string> = { EUR: '1.1' };
for (let [issue] = issues; issue !== undefined; [issue] = issues) {
  const { code, params, actions: [action] = [] } = issue;
  const { from = '', to } = params;
  if (action === undefined) throw new Error(`Nobody knows what to do about ${code}.`);
  // A word in capitals is a placeholder: here RATE.
  const asked =
    code === 'wrong_currency' ? { ...action, options: { rate: `${from}=${RATES[from]}` } } : action;
  console.log(code, from, to, asked.options);
  ({ rows, issues = [] } = await shelf.jobs.mend(job, asked));
}
console.log('ready', rows.pending);
console.log('sent', (await shelf.jobs.apply(job)).rows.created);
